"""What bots say where examples of press are needed: one promise at a time, in words that the ledger reads.

A bot means nothing by its words. About half of what is said here is what the bot is about to do, and tags are tossed,
so that whoever learns from it learns to speak, and nothing of when a tag is true.
"""

from __future__ import annotations

from collections.abc import Sequence

from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.geography import POWERS, PROVINCE, PROVINCES, REACH
from negotiation.engine.diplomacy.orders import MOVE, Order
from negotiation.engine.diplomacy.position import threat
from negotiation.engine.diplomacy.press.messages import Message, Tag, said
from negotiation.engine.diplomacy.state import State
from trainer.domains.diplomacy.tables import Sample, Start, TablePlayer

SILENT, PEACE, ZONE = 0.35, 0.65, 0.8
"""Below the first nothing is said, below the next peace is promised, then a place to stay out of, then a move."""
_ROW = -1
"""The talk uses the numbers of the last province, which hardly ever has a unit that needs them."""


def phrase(state: State, power: int, orders: Sequence[Order], numbers: Sequence[float]) -> Message | None:
    """One message, or none, of a power that is about to give these orders.

    Args:
        numbers: six, uniform on [0, 1).
    """
    what, whom, where, which, tag, deed = numbers[:6]
    others = _neighbours(state, power)
    if not state.moving or not state.units[power] or what < SILENT or not others:
        return None
    going = sorted(PROVINCE[order.at] for order in orders if order.kind == MOVE)
    if deed < 0.5 and going:
        place = going[int(where * len(going))]
    else:
        reach = sorted({goal for node in state.units[power] for goal in REACH[node]})
        place = reach[int(which * len(reach))]
    words = (
        "I will not attack you."
        if what < PEACE
        else f"I will stay out of {PROVINCES[place]}."
        if what < ZONE
        else f"I will move to {PROVINCES[place]}."
    )
    return said(state, power, others[int(whom * len(others))], words, Tag.TRUTH if tag < 0.5 else Tag.LIE)


class Talker:
    """A player that also speaks, at random."""

    speaks = True

    def __init__(self, player: TablePlayer) -> None:
        self._player = player

    def answers(self, starts: Sequence[Start], draws: Sequence[Draws]) -> list[Sample]:
        """The player's orders, with a phrase or none."""
        found = []
        for start, numbers, sample in zip(starts, draws, self._player.answers(starts, draws), strict=True):
            message = phrase(start.state, start.power, sample.orders, numbers[_ROW].tolist())
            found.append(Sample(sample.orders, () if message is None else (message,)))
        return found


def _neighbours(state: State, power: int) -> list[int]:
    """Whoever can enter a centre of the power's, or whose centres it can enter; all others where nobody can."""
    alive = [other for other in range(len(POWERS)) if other != power and state.units[other]]
    near = [
        other
        for other in alive
        if threat(state, power, other) != "LOW" or threat(state, other, power) != "LOW"
    ]
    return near or alive
