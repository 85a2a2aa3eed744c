"""From a finished game to examples, exactly once, whoever asks and whatever is killed in between.

The file comes first, in one step and always with the same bytes; the row comes second, under the locks of the player
and the game, and only where everything still speaks for it. A process killed before the row leaves a file that nobody
names: the next attempt writes it again, or the sweep takes it away.
"""

from __future__ import annotations

import uuid

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.selectors import users_consenting
from negotiation.engine.deal.errors import ActionRefused
from negotiation.models import Event, Game
from negotiation.table.errors import LogDiverged
from trainer.flywheel import near_duplicates, records, store, twins
from trainer.flywheel.models import Episode
from trainer.flywheel.privacy import person_key
from trainer.flywheel.versions import SCHEMA

log = structlog.get_logger(__name__)

FOLDER = "episodes"
MODEL_SPOKE = 0.5
"""A model was beaten where it answered at least this share of the turns itself; else the strategist was."""


def games_wanted() -> QuerySet[Game]:
    """Games that may become examples and are none yet.

    Played to the end by a person with an account who says yes to the present wording, alone, for the first time, with
    the words still there, and good enough: the share that a setting asks for, or more than half of what there was to
    share with a trained model.
    """
    good = Q(efficiency__gte=settings.HARVEST_SHARE)
    beat = Q(opponent=Game.Opponent.NEGOTIATOR, efficiency__gt=settings.EXPLOIT_SHARE)
    return Game.objects.filter(
        good | beat,
        status=Game.Status.FINISHED,
        turns__gt=0,
        assisted=False,
        parent=None,
        redaction=None,
        episode=None,
        player__is_guest=False,
        player__in=users_consenting(),
    )


def game_harvest(*, game_id: uuid.UUID) -> Episode | None:
    """Make the game's examples. ``None`` where it is none, or somebody was faster: doing it again changes nothing.

    Raises:
        OSError: when the disk takes no more; the sweep tries again.
    """
    game = games_wanted().select_related("player", "scenario_version").filter(pk=game_id).first()
    if game is None:
        return None
    if _outcome(game)["floor_breached"]:
        return _keep(game, Episode(state=Episode.State.REFUSED, why=Episode.Why.BREACH))
    try:
        found = records.of_game(game)
    except (LogDiverged, ActionRefused):
        log.warning("game_not_harvested", game=str(game_id), exc_info=True)
        return _keep(game, Episode(state=Episode.State.REFUSED, why=Episode.Why.REPLAY))
    if not found:
        return _keep(game, Episode(state=Episode.State.REFUSED, why=Episode.Why.UNSAYABLE))
    written = store.write(f"{FOLDER}/{game.pk.hex[:2]}/game-{game.pk}.jsonl", records.to_bytes(found))
    kept = _keep(
        game,
        Episode(
            state=Episode.State.TAKEN,
            records=len(found),
            file=written.name,
            sha256=written.sha256,
            signature=near_duplicates.signature(near_duplicates.pieces(found)),
            beat_model=_beat_model(game),
        ),
    )
    if kept is not None:
        twins.episode_compare(kept)
        log.info("game_harvested", game=str(game_id), records=len(found))
    return kept


@transaction.atomic
def _keep(game: Game, episode: Episode) -> Episode | None:
    """Write the row, if nobody else has and the game may still be used; else see to it that no words are left."""
    # The player's row is locked first, as whoever takes a consent back does: one of us sees what the other did.
    User.objects.select_for_update().get(pk=game.player_id)
    Game.objects.select_for_update().get(pk=game.pk)
    if not games_wanted().filter(pk=game.pk).exists():
        if episode.file and not Episode.objects.filter(file=episode.file).exists():
            store.remove(episode.file)
        return None
    episode.source = Episode.Source.GAME
    episode.game = game
    episode.person = person_key(game.player)
    episode.scenario, episode.persona, episode.seat = game.scenario, game.persona, game.seat
    episode.opponent, episode.opponent_model = game.opponent, game.opponent_model
    episode.efficiency = game.efficiency
    episode.schema = SCHEMA
    episode.save(force_insert=True)
    return episode


def _outcome(game: Game) -> dict[str, bool]:
    ended = Event.objects.filter(game=game, type="game_ended").latest("seq")
    outcome: dict[str, bool] = ended.data["outcome"]
    return outcome


def _beat_model(game: Game) -> bool:
    """Whether the player took the better part from a trained model that spoke for itself."""
    if game.opponent != Game.Opponent.NEGOTIATOR or (game.efficiency or 0) <= settings.EXPLOIT_SHARE:
        return False
    stood_in = list(
        Event.objects.filter(game=game, type="answer_explained").values_list("data__stand_in", flat=True)
    )
    return bool(stood_in) and stood_in.count(False) >= MODEL_SPOKE * len(stood_in)


def games_owed(*, limit: int = 200) -> list[uuid.UUID]:
    """Games that ended without anybody harvesting them, oldest first: a worker was killed, or the broker was away.

    A person who says yes today is found here too, with the deals whose words are still kept.
    """
    return list(games_wanted().order_by("finished_at").values_list("pk", flat=True)[:limit])
