"""A first deal under the guide is judged by what its player chose, never by what the guide proposed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import guest_create
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.review.unjudged import STEP_OF_GUIDE
from coaching.reviews.selectors import review_of
from coaching.reviews.services import review_request
from negotiation import sessions
from negotiation.guide import guide_leave
from negotiation.models import Game
from negotiation.services import game_accept, game_create
from tests.practice import review_now
from tests.servers import ROOT
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]
STEP = 500.0
ASKS = act(None, text="What drives your timing?")
"""As the guide has it on the chip."""


def sat_down(player: User) -> Game:
    return game_create(player=player, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=4)


def plays(game: Game, *moves: Any) -> None:
    for move in moves:
        submit(game, move)
        resolve(game)
        game.refresh_from_db()


def proposed(game: Game) -> float:
    """One more step, as the guide writes it on the button."""
    seen = sessions.rebuild(game).observe()
    own, theirs = seen.own_offer, seen.standing_offer
    assert own is not None
    assert theirs is not None
    most = min((own - theirs) / 2, (own - seen.own.walk_away) * STEP_OF_GUIDE)
    return own - most // STEP * STEP


def closes(game: Game) -> None:
    """Take what stands, or leave, and have it reviewed."""
    offer = sessions.rebuild(game).observe().standing_offer
    game_accept(game_id=game.pk, player=game.player, action_id=game.pk, offer=offer)
    resolve(game)
    game.refresh_from_db()
    assert review_request(game=game) is not None
    review_now(game)


def by_turn(game: Game) -> dict[int, dict[str, Any]]:
    review: Any = review_of(game.pk)
    return {move["turn"]: move for move in review["moves"]}


def test_what_the_guide_proposed_is_not_judged_and_the_debrief_says_so(signed_in: SignIn) -> None:
    guest = guest_create()
    game = sat_down(guest)
    plays(game, ASKS, act(172_000.0, text="172, with onboarding for everybody before the winter."))
    plays(
        game,
        act(None, text="", card="silence"),
        act(proposed(game), text="I can do that if we sign this week."),
    )
    closes(game)
    moves = by_turn(game)
    for turn in (1, 3, 4):
        assert moves[turn]["label"] in (None, "best", "good"), turn
    led = [move for move in moves.values() if move["unjudged"]]
    assert led
    for move in led:
        assert move["label"] is None
        assert move["better"] is None
        assert move["unjudged"]["why"] == "guide"
        assert move["cost_money"] == 0
    page = signed_in(guest).get(f"/deals/{game.pk}/debrief/").content.decode()
    turns = ", ".join(str(move["turn"]) for move in led)
    assert f"{turns}: not judged. The guide proposed what you did there" in page


def test_who_left_the_guide_or_has_an_account_is_judged_as_anybody(rep: User) -> None:
    guest = guest_create()
    for game, leaves in ((sat_down(guest), True), (sat_down(rep), False)):
        plays(game, act(172_000.0, text="We ask 172."))
        if leaves:
            guide_leave(game)
        plays(game, act(None, text="", card="silence"), act(126_500.0, text="Then 126.5."))
        closes(game)
        game.refresh_from_db()
        after = [move for turn, move in by_turn(game).items() if turn > (game.guided_turns or 0)]
        assert len(after) >= 3
        assert any(move["label"] in FAULTS for move in after), "so much given at once is a fault"
        assert all((move["unjudged"] or {}).get("why") != "guide" for move in after)


def test_asking_before_the_first_number_is_no_fault_at_a_table_where_questions_are_answered(
    rep: User,
) -> None:
    game = sat_down(rep)
    plays(game, ASKS, act(172_000.0, text="We ask 172."))
    closes(game)
    asked = by_turn(game)[1]
    assert asked["label"] is None
    assert asked["unjudged"]["why"] == "asked"
    assert "before you named a number" in asked["unjudged"]["told"]["message"]


def test_the_guide_and_the_review_mean_the_same_step() -> None:
    script = Path(ROOT / "static" / "js" / "guide-steps.js").read_text()
    assert re.search(r"const MOST = ([\d.]+);", script).group(1) == str(STEP_OF_GUIDE)  # type: ignore[union-attr]
