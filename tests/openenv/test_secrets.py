"""No hidden truth on the wire: every message of many games is walked, and hidden figures are looked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

pytest.importorskip("openenv", reason="openenv is installed in .venv-train only")

from negotiation.engine.deal import (
    OTHER_SEAT,
    SIGN,
    Action,
    Negotiation,
    Seat,
    SeatTruth,
    personas,
    scenarios,
)
from negotiation.engine.deal.discoverer import Discoverer
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.wire import to_json
from negotiation.openenv.session import Conversation

TABLES = [
    (scenario, persona, seat, rep, seed)
    for seed, ((scenario, persona, seat), rep) in enumerate(
        (where, rep)
        for where in product(scenarios(), personas(), ("seller", "buyer"))
        for rep in ("linear", "tit_for_tat", "expert")
    )
]
HIDDEN_NAMES = {
    "truth", "why", "zopa_low", "zopa_high", "nash_price", "nash_terms", "left_on_the_table", "erosion_cost",
    "original_zone", "open_claim_is_bluff", "actual", "effect", "impact", "joint_surplus", "best_joint_surplus",
    "posterior", "opponent_walk_away", "margin", "patience", "aggression", "bluff_rate",
}  # fmt: skip
HIDDEN_OF_A_CASE = {"lied", "mistaken", "guard", "hold", "shift", "weights"}
OWN_OF_A_CASE = {"arguments", "never_claim", "answers", "needs", "questions", "topics", "acts"}
MONEY = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*([kKmM]?)\b")
SCALE = {"": 1.0, "k": 1e3, "m": 1e6}


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a message with the name it goes by."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key), None
            yield from leaves(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


def figures(message: Any) -> set[float]:
    """Every number of a message, whether it stands alone or in words."""
    found: set[float] = set()
    for _, value in leaves(message):
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.add(round(float(value), 6))
        elif isinstance(value, str):
            for number, unit in MONEY.findall(value):
                found.add(round(float(number.replace(",", "")) * SCALE[unit.lower()], 6))
    return found


def secrets_of(truth: SeatTruth) -> set[float]:
    """The figures of one seat that nobody is told. Small round ones would be found everywhere by chance."""
    numbers = [truth.walk_away, truth.budget, truth.urgency, truth.alternative_value or 0.0]
    numbers += [option for issue in truth.values for option in issue]
    return {round(float(n), 6) for n in numbers if n and (abs(n) > 1000 or not float(n).is_integer())}


def told(game: Negotiation) -> set[float]:
    """What the player knows now by rights: its own truth, worths and belief, offers and claims of both."""
    seen = game.observe()
    known = [seen.own_worth, seen.standing_worth]
    known += [figure for move in seen.transcript for figure in (move.offer, move.claim)]
    return figures(to_json(seen.own)) | figures(to_json(seen.last_belief)) | figures(known)


def say(conversation: Conversation, kind: str, data: dict[str, Any]) -> Any:
    answer = conversation.answer(json.dumps({"type": kind, "data": data}))
    assert answer is not None
    return json.loads(answer)


@pytest.mark.parametrize(("scenario", "persona", "seat", "rep", "seed"), TABLES)
def test_no_message_of_a_game_holds_a_figure_that_is_hidden(
    scenario: str, persona: str, seat: Any, rep: str, seed: int
) -> None:
    twin = Negotiation(scenario, persona, seat, seed)
    conversation, player = Conversation(), STRATEGIES[rep]()
    setup = {"scenario": scenario, "persona": persona, "seat": seat, "seed": seed}
    first = say(conversation, "reset", setup)
    messages, hidden = [first, say(conversation, "state", {})], secrets_of(twin.truth.opponent)
    public = figures(first["data"]["metadata"]) | told(twin)
    while not twin.done:
        action = player.act(twin.observe(), stream(seed, "player", twin.turn))
        twin.step(action)
        messages.append(say(conversation, "step", to_json(action)))
        messages.append(say(conversation, "state", {}))
        hidden |= secrets_of(twin.truth.opponent)
        public |= told(twin)
    assert messages[-2]["data"]["done"] is True
    assert hidden
    for message in messages:
        assert figures(message) & (hidden - public) == set()
        assert not {name for name, _ in leaves(message)} & HIDDEN_NAMES


@pytest.mark.parametrize(("scenario", "seat"), list(product(scenarios(), SIGN)))
def test_at_a_table_with_a_case_no_message_names_what_was_not_told_or_raised(
    scenario: str, seat: Seat
) -> None:
    twin = Negotiation(scenario, "veteran", seat, 5, case=True)
    assert twin.case is not None
    theirs = twin.case.seats[OTHER_SEAT[seat]]
    conversation, player = Conversation(), Discoverer()
    player.told(twin.scenario)
    setup = {"scenario": scenario, "persona": "veteran", "seat": seat, "seed": 5, "case": True}
    message = say(conversation, "reset", setup)
    assert set(message["data"]["metadata"]["deal"]["case"]) == OWN_OF_A_CASE
    while True:
        seen = twin.observe()
        told, raised = {each.id for each in seen.told}, set(seen.sheet.raised if seen.sheet else ())
        shown = message["data"]["observation"]
        assert {each["id"] for each in shown["told"]} == told
        assert set(shown["sheet"]["raised"]) == raised
        written = json.dumps(message)
        quiet = [fact.says for fact in theirs.facts if fact.id not in told]
        quiet += [(each.says,) for each in theirs.objections if each.id not in raised]
        assert [says for clauses in quiet for says in clauses if json.dumps(says)[1:-1] in written] == []
        assert not {name for name, _ in leaves(message)} & HIDDEN_OF_A_CASE
        if twin.done:
            break
        action = player.act(seen, stream(5, "player", twin.turn))
        twin.step(action)
        message = say(conversation, "step", to_json(action))
    assert told


def test_the_search_would_find_a_figure_in_words_and_in_numbers() -> None:
    assert {128_500.0, 0.638, 1_500_000.0, 42_500.0} <= figures(
        {"a": ["My floor is $128,500, not 42.5k."], "b": {"c": 0.638}, "d": "or $1.5M"}
    )


def test_a_seed_that_the_server_drew_is_told_only_when_the_deal_has_ended() -> None:
    conversation = Conversation()
    before = [say(conversation, "reset", {}), say(conversation, "state", {})]
    before.append(say(conversation, "step", {"offer": 200_000}))
    last = say(conversation, "step", {"walk_away": True})
    seed = last["data"]["metadata"]["seed"]
    assert all("seed" not in {name for name, _ in leaves(message)} for message in before)
    assert all(float(seed) not in figures(message) for message in before)
    again = Conversation()
    frame = say(again, "reset", {"seed": seed})
    assert frame["data"]["observation"]["own"] == before[0]["data"]["observation"]["own"]


def test_refusals_hold_nothing_hidden() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 11)
    conversation = Conversation()
    say(conversation, "reset", {"seed": 11, "persona": "shark"})
    game.step(Action(offer=200_000))
    say(conversation, "step", {"offer": 200_000})
    for data in (
        {"accept": True, "walk_away": True},
        {"offer": 1e15},
        {"text": "x", "event_estimate": 2.0},
        {},
    ):
        assert not figures(say(conversation, "step", data)) & secrets_of(game.truth.opponent)
