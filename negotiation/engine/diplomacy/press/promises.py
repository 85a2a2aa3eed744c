"""What can be promised, for how long, and whether a set of submitted orders keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from negotiation.engine.diplomacy.geography import FIRST_YEAR, POWERS, PROVINCE
from negotiation.engine.diplomacy.orders import MOVE, SUPPORT_HOLD, SUPPORT_MOVE, Order
from negotiation.engine.diplomacy.state import FALL, SPRING, State

EVERYONE = -1
"""The target of a message, or of a promise, to all."""


class Kind(StrEnum):
    """What is promised."""

    MOVE = "MOVE"
    HOLD = "HOLD"
    SUPPORT = "SUPPORT"
    NOT_ENTER = "NOT_ENTER"
    NO_ATTACK = "NO_ATTACK"


MUTUAL = frozenset({Kind.NOT_ENTER, Kind.NO_ATTACK})
"""Kinds that bind both sides once agreed to."""


class PromiseVerdict(StrEnum):
    """What became of a promise. PARTIAL: some of the places, or support but not the one promised."""

    KEPT = "KEPT"
    BROKEN = "BROKEN"
    PARTIAL = "PARTIAL"
    UNVERIFIABLE = "UNVERIFIABLE"


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise. Provinces are numbers; turns are counted as :func:`turn_of` does."""

    kind: Kind
    by: int
    to: int
    """A power, or EVERYONE."""
    places: tuple[int, ...] = ()
    """Where to: the goal of a move or support (none if it was not said), or the places not to be entered."""
    unit: int | None = None
    """The province of the unit that is to act, if it was named."""
    first: int = 0
    last: int = 0
    """The movement phases that it covers, both included."""
    conditional: bool = False
    words: str = ""

    def covers(self, turn: int) -> bool:
        """Whether the promise is about this movement phase."""
        return self.first <= turn <= self.last


def turn_of(state: State) -> int:
    """The number of the movement phase that ``state`` is in or comes to next; spring 1901 is 0."""
    spring = 2 * (state.year - FIRST_YEAR)
    return spring if state.season == SPRING else spring + 1 if state.season <= FALL else spring + 2


def verdict(promise: Promise, state: State, orders: Sequence[Sequence[Order]]) -> PromiseVerdict:
    """Whether one movement phase's submitted orders keep the promise.

    Args:
        promise: one that covers the phase.
        state: the position before it.
        orders: by power, what was submitted, whether it could be obeyed or not.
    """
    given = {PROVINCE[order.node]: order for order in orders[promise.by]}
    if promise.kind in (Kind.MOVE, Kind.HOLD):
        found = _of_unit(promise, state, given)
    elif promise.kind == Kind.SUPPORT:
        found = _of_support(promise, state, given)
    elif promise.kind == Kind.NOT_ENTER:
        entered = {PROVINCE[order.at] for order in given.values() if order.kind == MOVE} & set(promise.places)
        found = _share(len(promise.places) - len(entered), len(promise.places))
    else:
        found = PromiseVerdict.BROKEN if _attacks(promise, state, given) else PromiseVerdict.KEPT
    return PromiseVerdict.UNVERIFIABLE if promise.conditional and found != PromiseVerdict.KEPT else found


def _share(kept: int, of: int) -> PromiseVerdict:
    return PromiseVerdict.KEPT if kept == of else PromiseVerdict.PARTIAL if kept else PromiseVerdict.BROKEN


def _of_unit(promise: Promise, state: State, given: Mapping[int, Order]) -> PromiseVerdict:
    own = {PROVINCE[node] for node in state.units[promise.by]}
    vague = promise.kind == Kind.MOVE and not promise.places
    if vague or (promise.unit is not None and promise.unit not in own):
        return PromiseVerdict.UNVERIFIABLE
    if promise.kind == Kind.HOLD:
        held = own if promise.unit is None else {promise.unit}
        stayed = sum(place not in given or given[place].kind != MOVE for place in held)
        return _share(stayed, len(held)) if held else PromiseVerdict.UNVERIFIABLE
    acting = (
        given.values() if promise.unit is None else [given[promise.unit]] if promise.unit in given else []
    )
    gone = {PROVINCE[order.at] for order in acting if order.kind == MOVE}
    return _share(len(gone & set(promise.places)), len(promise.places))


def _of_support(promise: Promise, state: State, given: Mapping[int, Order]) -> PromiseVerdict:
    theirs = {node for power in _receivers(promise) for node in state.units[power]}
    if not theirs or (
        promise.unit is not None and promise.unit not in {PROVINCE[n] for n in state.units[promise.by]}
    ):
        return PromiseVerdict.UNVERIFIABLE
    acting = (
        given.values() if promise.unit is None else [given[promise.unit]] if promise.unit in given else []
    )
    supports = [
        order for order in acting if order.kind in (SUPPORT_HOLD, SUPPORT_MOVE) and order.at in theirs
    ]
    if not promise.places:
        return PromiseVerdict.KEPT if supports else PromiseVerdict.BROKEN
    if any(order.to in promise.places for order in supports):
        return PromiseVerdict.KEPT
    return PromiseVerdict.PARTIAL if supports else PromiseVerdict.BROKEN


def _attacks(promise: Promise, state: State, given: Mapping[int, Order]) -> bool:
    """Whether a unit is sent, or supported, into a unit or a centre of those who were to be left alone."""
    theirs: set[int] = set()
    for power in _receivers(promise):
        theirs |= {PROVINCE[node] for node in state.units[power]} | set(state.centres(power))
    own = set(state.units[promise.by])
    return any(
        (order.kind == MOVE and PROVINCE[order.at] in theirs)
        or (
            order.kind == SUPPORT_MOVE
            and order.to in theirs
            and order.at not in own
            and _foreign(order, state, promise)
        )
        for order in given.values()
    )


def _foreign(order: Order, state: State, promise: Promise) -> bool:
    """Whether the supported unit is not one of those who were promised peace."""
    return not any(order.at in state.units[power] for power in _receivers(promise))


def _receivers(promise: Promise) -> list[int]:
    if promise.to != EVERYONE:
        return [promise.to]
    return [power for power in range(len(POWERS)) if power != promise.by]
