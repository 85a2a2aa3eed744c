"""Ratings of people, in the pool of the personas: who counts, against whom, and the write that happens once."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from coaching.room.models import PersonRating, RatedGame
from coaching.room.models.ratings import OVERALL
from negotiation import glicko
from negotiation.models import Game
from negotiation.ratings import between, persona_ratings, table_ratings
from negotiation.serving.models import Adapter

PERIOD = timedelta(days=7)
"""A rating period. Games are rated one by one; certainty fades by the week."""


def counting() -> Q:
    """The games that show what a person can do: played to the end, alone, by somebody with an account.

    What a guest played before it became one counts not: the best of many guests' deals could be kept.
    """
    with_account = Q(player__kept_at=None) | Q(created_at__gte=F("player__kept_at"))
    return with_account & Q(status=Game.Status.FINISHED, assisted=False, player__is_guest=False)


def rating_moved() -> Q:
    """Those of them that move a rating: against a persona or a model whose strength is measured."""
    measured = Adapter.objects.filter(rating__isnull=False).values("name")
    return counting() & (~Q(opponent=Game.Opponent.NEGOTIATOR) | Q(opponent_model__in=measured))


def score_of(game: Game) -> float:
    """The player's score as ``bench/ratings.py`` has it: the share won, an impasse 0; beyond [0, 1] it is cut."""
    return min(1.0, max(0.0, game.efficiency or 0.0))


def opponent_of(game: Game) -> glicko.Rating | None:
    """Whoever sat across, as measured: a trained model by its gate, else the table; None for one unmeasured."""
    if game.opponent == Game.Opponent.NEGOTIATOR:
        model = Adapter.objects.filter(name=game.opponent_model).first()
        if model is None or model.rating is None or model.deviation is None:
            return None
        return glicko.Rating(model.rating, model.deviation)
    return table_at(game)


def persona_at(persona: str, difficulty: float) -> glicko.Rating | None:
    """A persona over all scenarios, between the measured difficulties around this one; None for one unmeasured."""
    found = between(persona_ratings().get(persona) or (), difficulty)
    return None if found is None else glicko.Rating(*found)


def table_at(game: Game) -> glicko.Rating | None:
    """The table as an opponent: who sat across, over what, from which seat and how hard; the persona alone where the
    scenario is an author's own. None for one unmeasured."""
    tables = table_ratings()["tables"].get(f"{game.scenario}/{game.seat}/{game.persona}")
    found = between(tables or (), game.difficulty)
    return persona_at(game.persona, game.difficulty) if found is None else glicko.Rating(*found)


@transaction.atomic
def rate(game: Game) -> None:
    """Count a finished game, overall and in its scenario. The caller holds the game's row; a second call does nothing."""
    opponent = opponent_of(game)
    if opponent is None or not Game.objects.filter(rating_moved(), pk=game.pk).exists():
        return
    if RatedGame.objects.filter(game=game).exists():
        return
    for pool in (OVERALL, game.scenario):
        _rate_in(pool, game, opponent)


def _rate_in(pool: str, game: Game, opponent: glicko.Rating) -> None:
    ended = game.finished_at or timezone.now()
    fresh = glicko.Rating()
    PersonRating.objects.get_or_create(
        user_id=game.player_id,
        pool=pool,
        defaults={
            "rating": fresh.rating,
            "deviation": fresh.deviation,
            "volatility": fresh.volatility,
            "rated_at": ended,
        },
    )
    row = PersonRating.objects.select_for_update().get(user_id=game.player_id, pool=pool)
    before = glicko.rested(
        glicko.Rating(row.rating, row.deviation, row.volatility), (ended - row.rated_at) / PERIOD
    )
    score = score_of(game)
    after = glicko.played(before, [(opponent, score)], table_ratings()["weight"])
    RatedGame.objects.create(
        game=game,
        user_id=game.player_id,
        pool=pool,
        opponent_rating=opponent.rating,
        opponent_deviation=opponent.deviation,
        score=score,
        rating_before=before.rating,
        rating_after=after.rating,
        deviation_after=after.deviation,
    )
    row.rating, row.deviation, row.volatility = after.rating, after.deviation, after.volatility
    row.games += 1
    row.rated_at = max(row.rated_at, ended)
    row.save()
