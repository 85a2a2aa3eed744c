"""How a power plays on after its sampled orders: a DumbBot that means what it tagged as truth.

A tag says what its sender means to do; the sender's own later turns must be able to mean it. To whom it promised peace,
or a place to stay out of, under TRUTH it holds itself; what was tagged LIE does not bind it.
"""

from __future__ import annotations

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.bots.dumbbot import play
from negotiation.engine.diplomacy.bots.values import desires
from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.geography import POWERS, PROVINCE
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Tag
from negotiation.engine.diplomacy.press.promises import EVERYONE, Kind, turn_of
from negotiation.engine.diplomacy.state import State

_OUT_OF_BOUNDS = -1e12


class PledgedBot(Bot):
    """A DumbBot bound by its own promises of peace and of places to keep out of, where they were tagged TRUTH."""

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """The orders of a DumbBot that wants what its word leaves to want."""
        turn = turn_of(state)
        bound = [
            entry.promise
            for entry in ledger.entries
            if entry.promise.by == power
            and entry.tag == Tag.TRUTH
            and entry.verdict is None
            and entry.promise.covers(turn)
        ]
        spared: set[int] = set()
        closed: set[int] = set()
        for promise in bound:
            if promise.kind == Kind.NO_ATTACK:
                spared |= set(range(len(POWERS))) if promise.to == EVERYONE else {promise.to}
            elif promise.kind == Kind.NOT_ENTER:
                closed |= set(promise.places)
        wanted = desires(state, power, frozenset(spared - {power}))
        if closed and state.moving:
            value = [
                _OUT_OF_BOUNDS if PROVINCE[node] in closed and node not in state.units[power] else worth
                for node, worth in enumerate(wanted.value)
            ]
            wanted = wanted._replace(value=value)
        return play(state, power, draws, wanted)
