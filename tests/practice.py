"""Deals played to their end by a reference strategy, reviewed and learnt from: what progress and practice live on."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import Team, User
from coaching.reviews.services import review_request, review_run
from coaching.room.sample import play_out as play_with
from negotiation.models import Game
from negotiation.services import game_create


def play_out(
    player: User,
    *,
    seed: int,
    strategy: str = "linear",
    scenario: str = "saas_enterprise",
    persona: str = "shark",
    seat: str = "seller",
    team: Team | None = None,
    days_ago: float = 0,
) -> Game:
    """A deal played to its end, which lies so many days back."""
    game = game_create(player=player, team=team, scenario=scenario, persona=persona, seat=seat, seed=seed)
    play_with(game, strategy, ended=timezone.now() - timedelta(days=days_ago))
    game.refresh_from_db()
    return game


def review_now(game: Game) -> None:
    """Have the deal reviewed, and what follows from it, without a worker."""
    asked = review_request(game=game)
    assert asked is not None
    assert review_run(review_id=asked.pk)
