"""Pairs of deals with the same public history and another hidden truth across the table.

A *world* is what the other side hides: its limits, what it wants, what terms are worth to it, what the news does to
it, what its facts are, how loath it is to tell them and what its needs weigh. Tables of several worlds are given the
same moves and the same recorded replies; whatever their player then sees may differ only by what the other side chose
to do or say, and that is all in :data:`DISCLOSURES`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np

from negotiation import record
from negotiation.engine.deal import Action, ActionRefused, Negotiation, Reply, hidden
from negotiation.engine.deal.across import Across, note_move
from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.case import drawn as drawn_worlds
from negotiation.engine.deal.case import worlds as case_worlds
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.conduct import next_sweetener
from negotiation.engine.deal.issues import Package
from negotiation.engine.deal.types import OTHER_SEAT, CardId, Observation, Seat, Step
from negotiation.events import redact
from negotiation.opponents import Answer
from tests.engine.players import some_talk

DISCLOSURES = {
    "calling": "Who calls a stated limit is told whether it was false: the call pays for the answer.",
    "preferred": "Of packages side by side the other side says which it would rather have.",
    "lapsed": "A side takes back an offer that news or conflict has carried past its limit.",
    "told": "Asked in the right way, the other side tells a fact, or shows proof of one; or it declines.",
}
"""What the other side tells of its truth by a choice of its own, and what that gives away."""

LINES = (
    "What matters most to you here?",
    "I understand the pressure you are under.",
    "You are an idiot and that number is an insult.",
    "Move now or we walk away from this deal.",
    "I don't believe that this is your limit.",
    "That is as far as we go on this.",
    "Our board has looked at the plan for next year.",
    "",
)


@contextmanager
def world(number: int | None, player: Seat) -> Iterator[None]:
    """While this holds, whoever sits across from ``player`` hides what it would hide in the game of seed ``number``."""
    if number is None:
        yield
        return
    other = OTHER_SEAT[player]
    truths, schedules, worlds = hidden.draw_truths, hidden.draw_schedules, drawn_worlds.draw_world
    stranger = Chances.of_one(number)
    first: list[Any] = []

    def draw_truths(scenario: Any, chances: Chances, *factors: Any) -> Any:
        own = factors
        if factors and first:  # the zone is fitted to both sides' worth of the terms, so the player's is kept
            case, drawn = first
            there = drawn_worlds.option_factors(scenario, case.seats[other], drawn[other])
            own = ({**factors[0], other: np.array([there])},)
        return {**truths(scenario, chances, *own), other: truths(scenario, stranger, *factors)[other]}

    def draw_world(case: Any, chances: Chances) -> Any:
        first[:] = case, worlds(case, chances)
        # Its mood only orders what it says of itself: that is there to be seen, and it is one in every world.
        return {**first[1], other: replace(worlds(case, stranger)[other], mood=first[1][other].mood)}

    def draw_schedules(scenario: Any, sensitivity: Any, chances: Chances) -> Any:
        drawn = schedules(scenario, sensitivity, chances)
        theirs = schedules(scenario, sensitivity, stranger).effect[other]
        return replace(drawn, effect={**drawn.effect, other: theirs})

    with (
        patch.object(hidden, "draw_truths", draw_truths),
        patch.object(hidden, "draw_schedules", draw_schedules),
        patch.object(case_worlds, "draw_world", draw_world),
    ):
        yield


def open_alike(across: Across) -> Reply:
    """In place of ``Across.open``: what a persona opens with is its own choice, so it is the same in all worlds."""
    scenario = across._scenario
    price = scenario.round((scenario.plausible_low + scenario.plausible_high) / 2)
    across._put(price, 0, 0)
    note_move(across._state, "opponent", "Good morning.", price, turn=0)
    return Reply(text="Good morning.", offer=price)


def tables(worlds: Sequence[int | None], seat: Seat, **setup: Any) -> list[Negotiation]:
    """The same deal in several worlds."""
    made = []
    with patch.object(Across, "open", open_alike):
        for number in worlds:
            with world(number, seat):
                made.append(Negotiation(seat=seat, **setup))
    return made


def move_of(view: Observation, table: Negotiation, chance: random.Random) -> Action:
    """Some move that the player can make, by what the player sees."""
    scenario, issues = table.scenario, table.scenario.issues

    def price() -> float:
        low, high = scenario.plausible_low, scenario.plausible_high
        if view.own_offer is not None and chance.random() < 0.6:
            step = (chance.random() - 0.35) * 0.1 * scenario.nominal_width
            sign = 1 if view.seat == "seller" else -1
            return scenario.round(min(high, max(low, view.own_offer - sign * step)))
        if chance.random() < 0.1:
            return scenario.round(high * 1.5)
        return scenario.round(low + chance.random() * (high - low))

    def near(offer: float | None) -> float:
        moved = (offer or 0.0) + (chance.random() - 0.5) * 0.1 * scenario.nominal_width
        return scenario.round(min(scenario.plausible_high, max(scenario.plausible_low, moved)))

    def terms() -> dict[str, str]:
        return {issue.id: chance.choice(issue.options).id for issue in issues if chance.random() < 0.6}

    offer = price() if chance.random() < 0.75 else None
    cards = [card for card in view.cards if offer is not None or not CARDS[card].needs_offer]
    beside = chance.randrange(3) if offer is not None and chance.random() < 0.25 else 0
    return Action(
        text=chance.choice(LINES),
        offer=offer,
        card=chance.choice(cards) if cards and chance.random() < 0.3 else None,
        claim=price() if chance.random() < 0.2 else None,
        challenge=chance.choice((True, False, None)),
        terms=terms() if offer is not None and issues else None,
        alternatives=tuple(Package(near(offer), terms()) for _ in range(beside if issues else 0)),
        talk=some_talk(table, chance),
    )


def reply_of(several: Sequence[Negotiation], chance: random.Random) -> Reply:
    """Some reply that can be made at each of the tables, whatever anybody hides."""
    scenario, seat = several[0].scenario, OTHER_SEAT[several[0].seat]
    low, high = scenario.plausible_low, scenario.plausible_high
    sides = [table._state.opponent for table in several]
    left = 1 if next_sweetener(scenario, seat, sides[0]) else 0
    cards: list[CardId] = [card for card in CARDS if all(side.can_play(card, left) for side in sides)]
    offer = scenario.round(low + chance.random() * (high - low)) if chance.random() < 0.6 else None
    terms = {issue.id: chance.choice(issue.options).id for issue in scenario.issues}
    return Reply(
        text=chance.choice(LINES),
        offer=offer,
        terms=terms if offer is not None and scenario.issues else None,
        card=chance.choice(cards) if cards and chance.random() < 0.2 else None,
        claim=scenario.round(low + chance.random() * (high - low)) if chance.random() < 0.3 else None,
        challenge=chance.random() < 0.2,
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """What the player of one table gets to see of one turn."""

    frames: str
    """The view, what the log's rows hold for the player and for a plain watcher, and refusals of moves."""
    disclosed: tuple[tuple[str, Any], ...]
    """What the other side told of its truth by choice; keys of :data:`DISCLOSURES`."""


def play(several: Sequence[Negotiation], chance: random.Random) -> Iterator[dict[int, Shown]]:
    """Play one history on all tables at once, a turn at a time, until it ends.

    A table that a turn has told from the first is left: from there on its history is another one.
    """
    alike = list(range(len(several)))
    while not several[0].done:
        action = _allowed(several[0], chance)
        reply = reply_of([_after(several[each], action) for each in alike], chance)
        shown = {each: _shown(several[each], action, reply) for each in alike}
        yield shown
        alike = [each for each in alike if shown[each] == shown[0]]


def _allowed(table: Negotiation, chance: random.Random) -> Action:
    while True:
        action = move_of(table.observe(), table, chance)
        try:
            table.check(action)
        except ActionRefused:
            continue
        return action


def _after(table: Negotiation, action: Action) -> Negotiation:
    """The table with the player's move on it."""
    fork = table.fork()
    fork._move_of_player(action, fork._checked(action))
    return fork


def _shown(table: Negotiation, action: Action, reply: Reply) -> Shown:
    stood = table.observe().standing_offer
    rows, step = _answered(table, action, reply)
    roles: tuple[Any, ...] = ("player", "watcher")
    frames = [
        redact(seq=number, kind=kind, data=data, role=role)
        for role in roles
        for number, (kind, data) in enumerate(rows)
        if kind != "game_ended"  # from here on the truth is shown on purpose
    ]
    view = table.observe()
    refused = [_refusal(table, each) for each in (Action(accept=True), Action(), Action(text="", offer=-1.0))]
    lapsed = view.standing_offer is None and (reply.offer is not None or stood is not None)
    disclosed = (
        ("calling", _verdict(step)),
        ("preferred", step.reply.preferred),
        ("lapsed", lapsed),
        ("told", view.told),
    )
    return Shown(repr((view, frames, refused)), disclosed)


def _answered(table: Negotiation, action: Action, reply: Reply) -> tuple[list[tuple[Any, Any]], Step]:
    kept: list[Step] = []
    step = table.step

    def keeping(*args: Any, **kwargs: Any) -> Step:
        kept.append(step(*args, **kwargs))
        return kept[-1]

    with patch.object(table, "step", keeping):
        rows = list(record.answered(table, table.turn, action, Answer(reply=reply)))
    return rows, kept[0]


def _verdict(step: Step) -> str:
    """What calling a stated limit brought to light. A false one that nobody called is not told while the deal lives."""
    said = next((term.why for term in step.terms if term.name == "bluff" and term.value), "")
    return said if said.startswith("You ") else ""


def _refusal(table: Negotiation, action: Action) -> tuple[str, str] | None:
    try:
        table.check(action)
    except ActionRefused as refusal:
        return refusal.code, refusal.message
    return None
