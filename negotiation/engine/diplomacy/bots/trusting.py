"""A DumbBot that reads press: it believes a promise of peace until a promise to it has been broken."""

from __future__ import annotations

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.bots.dumbbot import play
from negotiation.engine.diplomacy.bots.values import desires
from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.promises import EVERYONE, Kind, turn_of
from negotiation.engine.diplomacy.state import State

_BROKEN, _MENDED, _ENOUGH = 0.4, 0.15, 0.5


class TrustingBot(Bot):
    """Leaves the units and centres of a power that promised it peace out of its fears and its wishes.

    Trust starts whole, falls to two fifths with each broken promise, and mends a little with each kept one; below a
    half, words count for nothing. With ``remembers`` off it is naive: it believes a promise for as long as it was to
    last, whatever came before and whatever comes of it.
    """

    def __init__(self, *, remembers: bool = True) -> None:
        self._remembers = remembers

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """The orders of a DumbBot that wants what trust leaves to want."""
        return play(state, power, draws, desires(state, power, self.trusted(state, power, ledger)))

    def trusted(self, state: State, power: int, ledger: Ledger) -> frozenset[int]:
        """The powers whose promise of peace to ``power`` stands and is believed."""
        turn = turn_of(state)
        promising = {
            entry.promise.by
            for entry in ledger.entries
            if entry.promise.kind == Kind.NO_ATTACK
            and entry.promise.to in (power, EVERYONE)
            and entry.promise.by != power
            and entry.promise.covers(turn)
            and not entry.promise.conditional
            and (entry.verdict is None or not self._remembers)
        }
        if self._remembers:
            promising = {other for other in promising if trust(ledger, other, power) >= _ENOUGH}
        return frozenset(promising)


def trust(ledger: Ledger, by: int, to: int) -> float:
    """How far ``to`` believes ``by``, from 0 to 1, by what became of every promise so far, in their order.

    A promise to everybody was made to ``to`` as well, whoever it was broken against.
    """
    kept_or_broken = 1.0
    for entry in ledger.entries:
        if entry.promise.by == by and entry.promise.to in (to, EVERYONE):
            if entry.verdict == "BROKEN":
                kept_or_broken *= _BROKEN
            elif entry.verdict == "KEPT":
                kept_or_broken += _MENDED * (1 - kept_or_broken)
    return kept_or_broken
