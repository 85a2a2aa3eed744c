"""In any game and at any moment, what a player is shown does not depend on what the other side hides.

Each test plays one public history twice, in two worlds that differ by what the other side hides, and compares all that the
product shows the player: pages, interface, log, refusals, the archive of one's own data. ``tests/noninterference`` does the
same for the deal's engine, in many more histories.
"""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from django.test import Client

from coaching.services import link_create
from negotiation.answering import answer_at_once
from negotiation.coalitions import links as coalition_links
from negotiation.coalitions import services as coalition_services
from negotiation.coalitions import sessions as coalition_sessions
from negotiation.coalitions.models import CoalitionDeal
from negotiation.coalitions.selectors import bootstrap_of, table_now
from negotiation.coalitions.selectors import frames_after as coalition_frames
from negotiation.coalitions.selectors import link_opened as coalition_opened
from negotiation.engine.coalition import SEATS, Proposal, coalition_scenarios
from negotiation.engine.coalition import Action as CoalitionAction
from negotiation.engine.coalition import game as coalition_game
from negotiation.engine.coalition.mind import Mind
from negotiation.engine.coalition.speech import Speaker
from negotiation.engine.deal import Reply, scenarios
from negotiation.engine.deal.across import Across
from negotiation.engine.deal.types import Seat
from negotiation.models import Game
from negotiation.selectors import frames_after
from negotiation.services import game_create
from tests.noninterference.deal import open_alike, world
from tests.noninterference.twins import Twin, difference, plain, refusal
from tests.web.moves import act, submit

pytestmark = pytest.mark.django_db

SEED = 1_234_567
# -- the deal --------------------------------------------------------------------------------------

HOSTILE = "You are an idiot, and that is an insult of a number. Move or we walk"
TURNS = 7


@pytest.mark.parametrize(("name", "seat"), [("saas_enterprise", "seller"), ("software_licensing", "buyer")])
def test_a_living_deal_shows_the_same_in_two_worlds(twins: list[Twin], name: str, seat: Seat) -> None:
    scenario = scenarios()[name]
    low, high = scenario.plausible_low, scenario.plausible_high
    greedy, kind, step = (
        (high, high * 0.95, -scenario.step) if seat == "seller" else (low, low * 1.05, scenario.step)
    )
    seen_by_twin: list[list[Any]] = []
    hidden = []

    def answer(across: Across, heard: Any, draws: Any, news_shift: float) -> Reply:
        # So far beyond its limit in either world that no event makes it take the offer back.
        offer = scenario.round(kind) if across._state.turn == 2 else None
        return across.follow(Reply(text="That is all there is.", offer=offer), heard, draws, news_shift)

    for twin, number in zip(twins, (None, 7_001), strict=True):
        seen: list[Any] = []
        with (
            world(number, seat),
            patch.object(Across, "open", open_alike),
            patch.object(Across, "answer", answer),
        ):
            game = game_create(
                player=twin.user,
                team=twin.user.memberships.get().team,
                scenario=name,
                persona="shark",
                seat=seat,
                seed=SEED,
            )
            _, token = link_create(game=game, created_by=twin.user, scope="watch")
            for turn in range(TURNS):
                submit(game, act(scenario.round(greedy + step * turn), text=f"{HOSTILE}, {turn}."))
                answer_at_once(game.pk)
                game = Game.objects.get(pk=game.pk)
                seen.append(plain(repr([frames_after(game.pk, 0, role) for role in ("player", "watcher")])))
            places = (
                f"/deals/{game.pk}/",
                "/",
                "/deals/new/",
                f"/api/deals/{game.pk}",
                "/api/deals",
                f"/deals/{game.pk}/debrief/",
                "/progress/",
                "/leaderboard/",
            )
            seen.append([plain(page).replace(token, "<token>") for page in twin.pages(*places)])
            seen.append(plain(Client().get(f"/watch/{token}/").content.decode()).replace(token, "<token>"))
            seen.append(twin.archive())
            seen.append(refusal(partial(submit, game, act(-5.0, text="?"))))
            hidden.append(_truths(game))
        assert game.status == Game.Status.LIVE
        seen_by_twin.append(seen)
    assert hidden[0]["opponent"] != hidden[1]["opponent"], "the worlds are the same"
    assert hidden[0]["player"] == hidden[1]["player"]
    assert difference(*seen_by_twin) == ""


def _truths(game: Game) -> dict[str, Any]:
    row = game.events.filter(type="turn_graded").order_by("seq").last()
    assert row is not None
    truth: dict[str, Any] = row.data["truth"]
    return truth


# -- the deal for three ----------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["seller", "buyer_a"])
def test_a_living_deal_for_three_shows_the_same_in_two_worlds(twins: list[Twin], seat: Any) -> None:
    stakes_of, seats = coalition_game.draw_stakes, SEATS
    seen_by_twin: list[list[Any]] = []
    for twin, number in zip(twins, (SEED, SEED + 1), strict=True):

        def other_worlds(scenario: Any, seed: int, number: int = number) -> Any:
            drawn, other = np.array(stakes_of(scenario, seed)), stakes_of(scenario, number)
            for place, each in enumerate(seats):
                if each != seat:
                    drawn[place] = other[place]
            return drawn

        def decide(mind: Any, view: Any, chance: Any, number: int = number) -> CoalitionAction:
            """Every other turn a private word to the third, another one in each world."""
            third = next(each for each in seats if each not in (seat, view.seat))
            if view.turn % 2:
                return CoalitionAction(text=f"Between us: {number}", to=third)
            return CoalitionAction(text="We are listening.")

        def say(speaker: Any, action: CoalitionAction, view: Any, chance: Any) -> str:
            return action.text

        seen: list[Any] = []
        with (
            patch.object(coalition_game, "draw_stakes", other_worlds),
            patch.object(Mind, "decide", decide),
            patch.object(Speaker, "say", say),
        ):
            opponents: dict[str, str] = dict(
                zip([each for each in seats if each != seat], ("diplomat", "veteran"), strict=True)
            )
            deal = coalition_services.deal_create(
                player=twin.user, scenario=_first_coalition(), seat=seat, opponents=opponents, seed=SEED
            )
            for turn in range(3):
                offer = (
                    Proposal.of(frozenset(seats), buyer_a=300_000.0 + turn, buyer_b=300_000.0)
                    if turn == 1
                    else None
                )
                try:
                    coalition_services.deal_act(
                        deal_id=deal.pk, player=twin.user, action_id=uuid.uuid4(),
                        action=CoalitionAction(text="What would you need?", proposal=offer),
                    )  # fmt: skip
                except ValueError as refused:
                    seen.append(str(refused))
                deal = CoalitionDeal.objects.get(pk=deal.pk)
                seen.append(plain(repr(coalition_frames(deal, 0))))
                seen.append(plain(repr(table_now(deal.pk, deal.seat))))
                if turn == 1:
                    watched_with_all_cards_open(deal)
            _, watch = coalition_links.link_create(deal=deal, created_by=twin.user, scope="watch")
            seen.append(plain(repr(bootstrap_of(deal, role=coalition_opened(watch, None).role))))
            seen += twin.pages(
                f"/coalitions/{deal.pk}/",
                f"/coalitions/{deal.pk}/debrief/",
                "/",
            )
            seen.append(twin.archive())
            coalition_sessions.kept.forget_all()
        assert deal.is_live
        seen_by_twin.append(seen)
    assert difference(*seen_by_twin) == ""


def watched_with_all_cards_open(deal: CoalitionDeal) -> None:
    """Somebody sees the truth meanwhile, which tells the player that it happened and no more."""
    _, token = coalition_links.link_create(deal=deal, created_by=deal.player, scope="coach")
    opened = coalition_opened(token, None)
    coalition_links.link_view(opened=opened, viewer=None)
    assert table_now(deal.pk, opened.role)["stakes"]  # type: ignore[index]


def _first_coalition() -> str:
    return next(iter(coalition_scenarios()))
