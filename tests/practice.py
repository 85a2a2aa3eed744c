"""Deals played to their end by a reference strategy, reviewed and learnt from: what progress and practice live on."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.utils import timezone

from accounts.models import Team, User
from coaching.reviews.services import review_request, review_run
from negotiation import sessions
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.models import Game
from negotiation.services import game_accept, game_create, game_walk_away
from tests.web.moves import act, resolve, submit

WORDS = ("What drives your timeline?", "We can move a little.", "That is hard to believe.")


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
    hand = STRATEGIES[strategy]()
    while game.is_live:
        table = sessions.rebuild(game)
        if table.turn == 1:
            hand.told(table.scenario)
        action = hand.act(table.observe(), stream(seed, "player", table.turn))
        if action.accept:
            standing = table.observe().standing_offer
            game_accept(game_id=game.id, player=player, action_id=uuid.uuid4(), offer=standing)
        elif action.walk_away:
            game_walk_away(game_id=game.id, player=player, action_id=uuid.uuid4())
        else:
            text = WORDS[table.turn % len(WORDS)]
            terms = dict(action.terms) if action.terms else None
            submit(game, act(action.offer, text=text, confirmed=True, terms=terms))
        resolve(game)
        game.refresh_from_db()
    ended = timezone.now() - timedelta(days=days_ago)
    Game.objects.filter(pk=game.pk).update(finished_at=ended, created_at=ended)
    game.refresh_from_db()
    return game


def review_now(game: Game) -> None:
    """Have the deal reviewed, and what follows from it, without a worker."""
    asked = review_request(game=game)
    assert asked is not None
    assert review_run(review_id=asked.pk)
