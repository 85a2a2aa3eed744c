"""What words were worth on the seven-power board: the same phase played on twice, under the same luck.

Two questions, each answered by a difference in centres after two years: what a power's messages of a phase did (the
same orders, with the messages and in silence), and what breaking a promise did (the orders given, and the same orders
with those that broke a sincere promise turned to holds). Bots that read press play everybody from there on, so the
answers are about opponents who listen, not about the people who sat there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from negotiation.engine.diplomacy import POWERS, Chance, Order, State
from negotiation.engine.diplomacy.bots import EnvoyBot
from negotiation.engine.diplomacy.bots.envoy import keeping
from negotiation.engine.diplomacy.outlook import course
from negotiation.engine.diplomacy.press.ledger import Entry, Ledger
from negotiation.engine.diplomacy.press.messages import Message, Tag
from negotiation.engine.diplomacy.press.promises import PromiseVerdict
from negotiation.engine.diplomacy.press.reading import Speech

ROLLOUTS, YEARS = 32, 2
_BOTS = tuple(EnvoyBot() for _ in POWERS)


class Phase(NamedTuple):
    """One phase as it was played: the position, what had been promised before it, what was said in it, the orders."""

    state: State
    ledger: Ledger
    messages: Sequence[tuple[Message, Speech]]
    orders: Sequence[Sequence[Order]]


class Worth(NamedTuple):
    """A mean difference in centres and its 95% interval over paired rollouts."""

    mean: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves nought out."""
        return self.low > 0 or self.high < 0


class Chapter(NamedTuple):
    """One phase of the lesson: which promises were made or broken in it, by their place in the ledger."""

    phase: str
    made: tuple[int, ...]
    broken: tuple[int, ...]
    words: Worth | None
    """What the messages were worth; None where nothing was promised."""
    breach: Worth | None
    """What breaking was worth against keeping; None where nothing was broken."""


def chapters(
    phases: Sequence[Phase], final: Ledger, power: int, *, seed: int, rollouts: int = ROLLOUTS
) -> list[Chapter]:
    """The lesson of a power, phase by phase; phases without a promise of its own are left out."""
    found = []
    for number, (phase, after) in enumerate(pairwise([*phases, None])):
        if phase is None or not phase.state.moving:
            continue
        told = _told(phase, phase.messages)
        made = _own(told, power, range(len(phase.ledger.entries), len(told.entries)))
        ledger_after = after.ledger if after is not None else final
        broken = tuple(
            i
            for i in _own(told, power, range(len(told.entries)))
            if told.entries[i].verdict is None and ledger_after.entries[i].verdict == PromiseVerdict.BROKEN
        )
        if made or broken:
            found.append(_chapter(phase, told, power, made, broken, Luck(seed, number, rollouts)))
    return found


class Luck(NamedTuple):
    """The luck that both sides of a question share: a seed, the phase's number, and how many times."""

    seed: int
    number: int
    rollouts: int


def _chapter(
    phase: Phase, told: Ledger, power: int, made: tuple[int, ...], broken: tuple[int, ...], luck: Luck
) -> Chapter:
    given = list(phase.orders[power])
    as_played = _outcomes(phase.state, told, power, given, luck)
    words = breach = None
    if made:
        silent = _told(phase, [row for row in phase.messages if row[0].sender != power])
        words = _worth(as_played - _outcomes(phase.state, silent, power, given, luck))
    if broken:
        sincere = _meant(told, broken)
        kept = keeping(phase.state, power, given, sincere)
        breach = _worth(as_played - _outcomes(phase.state, sincere, power, kept, luck))
    return Chapter(phase.state.phase, made, broken, words, breach)


def _outcomes(
    state: State, ledger: Ledger, power: int, given: list[Order], luck: Luck
) -> np.ndarray[Any, Any]:
    """Centres of the power after two years, by rollout."""
    return np.array(
        [
            course(
                state,
                _BOTS,
                Chance(luck.seed, luck.number, k),
                years=YEARS,
                given={power: given},
                ledger=ledger,
            ).ending.owners.count(power)
            for k in range(luck.rollouts)
        ],
        dtype=float,
    )


def _worth(differences: np.ndarray[Any, Any]) -> Worth:
    mean = float(differences.mean())
    error = 1.96 * float(differences.std(ddof=1)) / len(differences) ** 0.5
    return Worth(round(mean, 2), round(mean - error, 2), round(mean + error, 2))


def _told(phase: Phase, messages: Sequence[tuple[Message, Speech]]) -> Ledger:
    ledger = phase.ledger
    for message, speech in messages:
        ledger = ledger.heard(message, phase.state, speech)
    return ledger


def _own(ledger: Ledger, power: int, places: range) -> tuple[int, ...]:
    return tuple(i for i in places if ledger.entries[i].promise.by == power)


def _meant(ledger: Ledger, places: Sequence[int]) -> Ledger:
    """The ledger with some promises sincerely meant and unconditional."""
    return ledger._replace(
        entries=tuple(
            Entry(entry.promise, entry.verdict, Tag.TRUTH) if i in places else entry
            for i, entry in enumerate(ledger.entries)
        )
    )
