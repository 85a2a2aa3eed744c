"""Scripted people who play well: they know which deals suit them, and play them move by move as the product asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from negotiation.engine.deal import Action, Negotiation, Seat
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.wire import to_json
from negotiation.reading import heard
from tests.clients import Person, line
from tests.servers import Stack

SCENARIOS = ("saas_enterprise", "hiring_package")
PERSONAS = ("diplomat", "shark", "veteran")
SEATS: tuple[Seat, ...] = ("seller", "buyer")
WORDS = "What drives your timeline?"
"""Said whenever the strategy has no words of its own: a move needs some."""
SENT = ("text", "offer", "card", "claim", "challenge", "event_estimate", "terms")
"""The parts of a move that a table takes as they are."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A deal to be played, and what it will come to."""

    scenario: str
    persona: str
    seat: Seat
    seed: int
    share: float


def table_of(scenario: str, persona: str, seat: Seat, seed: int) -> Negotiation:
    """The deal as the product sets it up."""
    return Negotiation(scenario, persona, seat, seed, difficulty=0.5, case=True)


def moves(table: Negotiation, strategy: str = "expert") -> Iterator[Action]:
    """A strategy's moves with words, heard as the product hears them; whoever asks plays each before the next."""
    hand = STRATEGIES[strategy]()
    hand.told(table.scenario)
    while not table.done:
        move = hand.act(table.observe(), stream(table.seed, "player", table.turn))
        ends = move.accept or move.walk_away
        yield move if ends else heard(replace(move, text=move.text or WORDS), table)


def good_deal(seed: int, least: float, offset: int = 0) -> Chosen | None:
    """A table at which a good player gets ``least`` of the zone with this seed; none where there is none.

    Args:
        offset: where to begin looking, so that not all deals are of one kind.
    """
    tables = list(product(SCENARIOS, PERSONAS, SEATS))
    for scenario, persona, seat in tables[offset % len(tables) :] + tables[: offset % len(tables)]:
        table = table_of(scenario, persona, seat, seed)
        for move in moves(table):
            table.step(move)
        outcome = table.outcome
        if (
            outcome is not None
            and outcome.deal
            and outcome.efficiency >= least
            and not outcome.floor_breached
        ):
            return Chosen(scenario, persona, seat, seed, outcome.efficiency)
    return None


async def play_over_socket(house: Stack, person: Person, game_id: str, chosen: Chosen) -> None:
    """The deal through the real socket, move by move; the same deal is played here, to know what to say next."""
    twin = table_of(chosen.scenario, chosen.persona, chosen.seat, chosen.seed)
    async with line(house.url, f"/ws/deals/{game_id}/", cookies=person.cookies()) as table:
        for move in moves(twin):
            standing = twin.observe().standing_offer
            if move.accept:
                assert (await table.ask("accept", offer=standing))["type"] == "ack"
            elif move.walk_away:
                assert (await table.ask("walk_away"))["type"] == "ack"
            else:
                await table.turn_unless_over(confirmed=True, **_sent(move))
            twin.step(move)


def _sent(move: Action) -> dict[str, Any]:
    sent = {part: value for part in SENT if (value := getattr(move, part)) is not None}
    if move.belief is not None:
        sent["belief"] = to_json(move.belief)
    if move.alternatives:
        sent["alternatives"] = to_json(move.alternatives)
    return sent
