"""The debrief of a deal over packages: the published case, what nobody got, and every number behind the drawing."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from accounts.models import User
from coaching.analysis.debrief import debrief
from coaching.analysis.figures import figures
from coaching.analysis.frontier_figure import _SOLUTIONS
from coaching.analysis.packages import PackageValues, packages
from negotiation.engine.deal import Negotiation, scenarios
from negotiation.engine.deal.types import SIGN
from negotiation.models import Game
from negotiation.services import game_accept, game_create
from tests.engine.test_deal_packages import golden
from tests.web.conftest import SEED
from tests.web.moves import act, resolve, submit
from tests.web.test_events import frames
from tests.web.test_packages import LONG, logged, played

PLAIN = {"term": "1 year", "payment": "net-30", "support": "9x5"}


def published() -> PackageValues:
    """Limits 125 and 160, three issues: the case whose solutions are known."""
    truth = Negotiation(golden(), "diplomat", "seller", 3, speak=False).truth
    sides = {
        name: {"walk_away": seat.walk_away, "values": seat.values}
        for name, seat in (("player", truth.player), ("opponent", truth.opponent))
    }
    return PackageValues.of(golden(), "seller", sides)


def test_the_frontier_of_the_published_case_holds_its_solutions() -> None:
    outcome = {"deal": True, "price": 145.0, "agreed": PLAIN}
    found = packages(published(), outcome, [(1, "player", 150.0, PLAIN)])
    assert found is not None
    assert found["best_joint"] == 52
    assert found["joint"] == 35
    assert found["nobody_got"] == 17
    assert found["agreed"] == (20, 15)
    assert (found["nash"]["own"], found["nash"]["theirs"]) == (28, 24)
    assert found["nash"]["price"] == 150
    assert (found["kalai"]["own"], found["kalai"]["theirs"]) == (26, 25)
    assert found["kalai"]["terms"] == ["3 years", "net-30", "24x7"]
    own = [x for x, _ in found["frontier"]]
    theirs = [y for _, y in found["frontier"]]
    assert own == sorted(own)
    assert theirs == sorted(theirs, reverse=True)


def test_each_missed_trade_is_named_with_what_it_is_worth_to_either() -> None:
    found = packages(published(), {"deal": True, "price": 145.0, "agreed": PLAIN}, [])
    assert found is not None
    trades = {trade["option"]: (trade["own_words"], trade["their_words"]) for trade in found["trades"]}
    assert trades["3 years"] == ("+$14", "−$5")
    assert trades["24x7"] == ("−$8", "+$15")
    assert sum(trade["own"] + trade["theirs"] for trade in found["trades"]) == found["nobody_got"]


def test_where_only_the_price_is_open_there_is_nothing_about_packages() -> None:
    game = Negotiation("saas_enterprise", "diplomat", "seller", 3, speak=False)
    truth = game.truth
    sides = {
        "player": {"walk_away": truth.seller.walk_away},
        "opponent": {"walk_away": truth.buyer.walk_away},
    }
    ledger = PackageValues.of(scenarios()["saas_enterprise"], "seller", sides)
    assert packages(ledger, {"deal": False}, []) is None
    assert ledger.zone == pytest.approx(truth.original_zone)


@pytest.mark.parametrize("seat", ["seller", "buyer"])
def test_the_whole_debrief_agrees_with_the_engine(seat: str) -> None:
    rows = played(seat)
    review = debrief(frames(rows, "coach"))
    outcome = next(data["outcome"] for kind, data in rows if kind == "game_ended")
    sign = SIGN[seat]  # type: ignore[index]
    assert review["packages"]["best_joint"] == pytest.approx(outcome["best_joint_surplus"])
    assert review["zone"]["width"] == pytest.approx(outcome["best_joint_surplus"])
    if outcome["deal"]:
        own, theirs = review["packages"]["agreed"]
        assert own + theirs == pytest.approx(outcome["joint_surplus"])
        assert outcome["efficiency"] == pytest.approx(
            max(0.0, min(1.0, own / outcome["best_joint_surplus"])), abs=0.15
        ), "sweeteners apart, the share is the own surplus of all there was"
    closed = [data for kind, data in rows if kind == "turn_closed" and data["own_worth"] is not None]
    worths = {row["turn"]: row["own_worth"] for row in review["offers"]}
    for table in closed:
        if worths.get(table["turn"]) is not None:
            assert worths[table["turn"]] == pytest.approx(table["own_worth"])
    assert sign * (review["zone"]["nash"] - review["offers"][0]["own_limit"]) == pytest.approx(
        review["zone"]["width"] / 2
    )


def test_every_number_of_the_drawing_is_in_its_table() -> None:
    review = debrief(frames(played("seller"), "coach"))
    drawn = {figure["id"]: figure for figure in figures(review)}
    frontier = drawn["frontier"]
    points = {(row[3], row[4]) for row in frontier["table"]["rows"]}
    for trace in frontier["plotly"]["data"]:
        if trace["name"] in (
            "Your packages",
            "Their packages",
            "Agreed",
            *(name for _, name, _ in _SOLUTIONS),
        ):
            assert set(zip(trace["x"], trace["y"], strict=True)) <= points, trace["name"]
    json.dumps(list(drawn.values()))


@pytest.mark.django_db(transaction=True)
def test_the_page_says_what_nobody_got(rep: User, signed_in: Any) -> None:
    game: Game = game_create(
        player=rep, scenario="software_licensing", persona="diplomat", seat="seller", seed=SEED
    )
    submit(game, act(262_000.0, terms=LONG))
    resolve(game)
    game.refresh_from_db()
    closed = logged(game, "turn_closed")
    game_accept(game_id=game.id, player=rep, action_id=uuid.uuid4(), offer=closed["standing_offer"])
    resolve(game)
    page = signed_in(rep).get(f"/deals/{game.id}/debrief/").content.decode()
    assert "that nobody got" in page
    assert "All that could have been agreed on" in page
