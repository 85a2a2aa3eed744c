"""The promise ledger: who promised what to whom, and whether it was kept. Immutable, so that a fork keeps its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.press.messages import Message, Tag
from negotiation.engine.diplomacy.press.promises import (
    EVERYONE,
    MUTUAL,
    Promise,
    PromiseVerdict,
    turn_of,
    verdict,
)
from negotiation.engine.diplomacy.press.reading import Speech, read
from negotiation.engine.diplomacy.state import State


class Entry(NamedTuple):
    """One promise and what became of it; None while that is open."""

    promise: Promise
    verdict: PromiseVerdict | None = None
    tag: Tag | None = None
    """What its sender meant by the message, where that is known."""


class Ledger(NamedTuple):
    """Every promise of a game, in the order in which they were made."""

    entries: tuple[Entry, ...] = ()
    asked: tuple[Promise, ...] = ()
    """What was asked and not yet answered: agreeing to it makes it a promise of the one who was asked."""

    def heard(self, message: Message, state: State, speech: Speech | None = None) -> Ledger:
        """The ledger after a message: its promises, and what it agrees to.

        ``speech`` is what its sender says that it means, where that was looked over; else it is read here.
        """
        speech = speech or read(message.text, message.sender, message.target, state)
        made = [*speech.promises]
        asked = list(self.asked)
        if speech.agrees:
            for proposal in [p for p in asked if p.by == message.sender and p.to == message.target]:
                asked.remove(proposal)
                made.append(proposal)
                if proposal.kind in MUTUAL and not self._stands(_turned(proposal)):
                    made.append(_turned(proposal))
        asked += [p for p in speech.asks if p.by != EVERYONE]
        entries = [
            Entry(promise, None, message.tag if promise.by == message.sender else None) for promise in made
        ]
        return Ledger((*self.entries, *entries), tuple(asked))

    def judged(self, state: State, orders: Sequence[Sequence[Order]]) -> Ledger:
        """The ledger after the orders submitted in ``state``; only movement phases keep or break anything.

        A promise that covers several phases is kept when the last of them is, and broken at once.
        """
        if not state.moving or not self.entries:
            return self
        turn = turn_of(state)
        return self._replace(
            entries=tuple(_judged(entry, turn, state, orders) for entry in self.entries),
            asked=tuple(promise for promise in self.asked if promise.last > turn),
        )

    def closed(self) -> Ledger:
        """The ledger at the end of a game: nothing more will be known of what is open."""
        return self._replace(
            entries=tuple(
                entry._replace(verdict=entry.verdict or PromiseVerdict.UNVERIFIABLE) for entry in self.entries
            )
        )

    def of(self, power: int) -> tuple[Entry, ...]:
        """The entries that ``power`` made or that were made to it."""
        return tuple(
            e for e in self.entries if power in (e.promise.by, e.promise.to) or e.promise.to == EVERYONE
        )

    def counts(self, by: int, to: int | None = None) -> tuple[int, int]:
        """How many promises ``by`` a power, to anyone or to one other, were kept and broken; PARTIAL is neither."""
        verdicts = [
            entry.verdict
            for entry in self.entries
            if entry.promise.by == by and (to is None or entry.promise.to in (to, EVERYONE))
        ]
        return verdicts.count(PromiseVerdict.KEPT), verdicts.count(PromiseVerdict.BROKEN)

    def _stands(self, promise: Promise) -> bool:
        """Whether the same was promised in other words already, and is open."""
        same = [
            entry
            for entry in self.entries
            if entry.verdict is None and _core(entry.promise) == _core(promise)
        ]
        return bool(same)

    def standing(self, by: int, to: int, turn: int) -> tuple[Promise, ...]:
        """The open promises of ``by`` to ``to`` that cover a movement phase."""
        return tuple(
            entry.promise
            for entry in self.entries
            if entry.verdict is None
            and entry.promise.by == by
            and entry.promise.to in (to, EVERYONE)
            and entry.promise.covers(turn)
        )


def _core(promise: Promise) -> tuple[object, ...]:
    """What a promise binds to, whatever its words."""
    return promise.kind, promise.by, promise.to, promise.places, promise.first, promise.last


def _turned(promise: Promise) -> Promise:
    """The same promise from the other side."""
    return Promise(
        promise.kind, promise.to, promise.by, promise.places, None, promise.first, promise.last,
        promise.conditional, promise.words,
    )  # fmt: skip


def _judged(entry: Entry, turn: int, state: State, orders: Sequence[Sequence[Order]]) -> Entry:
    promise = entry.promise
    if entry.verdict is not None or turn < promise.first:
        return entry
    if turn > promise.last:  # given too late to bind anyone
        return entry._replace(verdict=PromiseVerdict.UNVERIFIABLE)
    found = verdict(promise, state, orders)
    open_still = found == PromiseVerdict.KEPT and turn < promise.last
    return entry if open_still else entry._replace(verdict=found)
