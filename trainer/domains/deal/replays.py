"""People who beat a model, as opponents for the next one: their offers, made again in the same order.

A replay asks what was asked then, never beyond what the present deal allows its seat, and takes an offer that is at
least as good as the one it would make next (AC_next of Baarslag, Hindriks & Jonker 2014). It has no words.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from negotiation.engine.deal import SIGN, Observation, Reply, Scenario, Seat, scenarios
from trainer.datasets import records
from trainer.errors import BadInput


@dataclass(frozen=True, slots=True)
class Replay:
    """The offers of one deal, in whole currency units, and the seat that made them."""

    scenario: str
    seat: Seat
    offers: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.offers:
            raise ValueError("a replay needs at least one offer")

    def to_json(self) -> str:
        """One line of a pool's file."""
        return json.dumps({**asdict(self), "offers": list(self.offers)})

    def reply(self, seen: Observation, board: Scenario) -> Reply:
        """The move on this turn, where ``seen`` is the table as the replay's seat sees it."""
        sign = SIGN[seen.seat]
        wished = self.offers[min(seen.turn, len(self.offers)) - 1]
        offer = board.round(wished)
        if sign * (offer - seen.own.walk_away) < 0:
            offer = seen.own.walk_away
        standing = seen.standing_offer
        if standing is not None and sign * (standing - offer) >= 0:
            return Reply(offer=seen.own_offer, accept=True)
        return Reply(offer=offer)


def read(path: Path) -> tuple[Replay, ...]:
    """The replays of a file, those of deals over a price alone: terms that were never said can't be replayed.

    Raises:
        BadInput: for a file that is not there or holds none, and for a malformed line, by its number.
    """
    found = []
    for number, each in records(path):
        try:
            replay = Replay(str(each["scenario"]), each["seat"], tuple(float(o) for o in each["offers"]))
        except (KeyError, TypeError, ValueError) as problem:
            raise BadInput(f"{path}, line {number}: not a replay: {problem}") from problem
        board = scenarios().get(replay.scenario)
        if board is not None and not board.issues and replay.seat in SIGN:
            found.append(replay)
    if not found:
        raise BadInput(f"{path} holds no replays of deals over a price alone")
    return tuple(found)
