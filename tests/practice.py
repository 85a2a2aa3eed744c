"""Deals played to their end by a reference strategy, reviewed and learnt from: what progress and practice live on."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.utils import timezone

from accounts.models import Team, User
from accounts.selectors import team_of
from coaching.reviews.services import REVIEW, review_request
from coaching.room.sample import play_out as play_with
from negotiation import sessions
from negotiation.answering import answer_at_once
from negotiation.models import Game
from negotiation.services import game_accept, game_create
from owed import services as owed
from tests.web.moves import act, submit

GIVEN_AWAY = ((178_000, "We start at 178."), (150_000, "We can do 150."), (140_000, "And 140."))
"""Offers of a seller who gives much away, and what is said with them."""
GIVES_AWAY = 5
"""A seed with which they are reviewed with several faults that a question can be asked about."""


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


def give_away(player: User, seed: int = GIVES_AWAY) -> Game:
    """A deal in which the player gave much away and took what then stood, for the player's team."""
    game = game_create(
        player=player,
        team=team_of(player),
        scenario="saas_enterprise",
        persona="shark",
        seat="seller",
        seed=seed,
    )
    for offer, words in GIVEN_AWAY:
        if game.is_live:
            submit(game, act(float(offer), text=words))
            _answered(game)
    if game.is_live:
        seen = sessions.rebuild(game).observe()
        game_accept(game_id=game.id, player=player, action_id=uuid.uuid4(), offer=seen.standing_offer)
        _answered(game)
    return game


def talk(player: User, *, turns: int, until_news: bool = False) -> Game:
    """A deal that is still being talked about after so many turns, or when the first headline has come."""
    game = game_create(
        player=player,
        team=team_of(player),
        scenario="saas_enterprise",
        persona="diplomat",
        seat="seller",
        seed=12,
    )
    for turn in range(turns):
        submit(game, act(190_000.0 - 1_000 * turn, text=f"What matters most to you in year {turn + 1}?"))
        _answered(game)
        assert game.is_live, "the other side was to go on"
        if until_news and game.events.filter(type="news").exists():
            break
    return game


def _answered(game: Game) -> None:
    answer_at_once(game.id)
    game.refresh_from_db()


def review_now(game: Game) -> None:
    """Have the deal reviewed, and what follows from it, without a worker."""
    asked = review_request(game=game)
    assert asked is not None
    assert owed.do(REVIEW, asked.pk)
