"""Games side by side, a phase at a time: all that a player of many tables is asked comes in one batch.

In a phase those who write press answer first; what they wrote is read, and then the others order. A player who writes
does not see what is written in the same phase.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.chance import Chance, Draws
from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.phases import Step, advance
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Message
from negotiation.engine.diplomacy.report import report
from negotiation.engine.diplomacy.state import OVER, State, opening
from trainer.domains.diplomacy.lines import Lines, lines_of


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer: what its power says, then what it orders."""

    orders: tuple[Order, ...]
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Start:
    """A power's turn to answer: all that it may know is in here, and all that the rules need to go on."""

    state: State
    power: int
    ledger: Ledger = field(default_factory=Ledger)
    messages: tuple[Message, ...] = ()
    last: Mapping[Order, list[str]] = field(default_factory=dict)
    """The power's orders of the last phase and what they came to."""

    @property
    def lines(self) -> Lines:
        return lines_of(self.state, self.power)


class TablePlayer(Protocol):
    """Whoever sits at tables."""

    @property
    def speaks(self) -> bool:
        """Whether it writes press, and so answers first."""
        ...

    def answers(self, starts: Sequence[Start], draws: Sequence[Draws]) -> list[Sample]:
        """An answer to each; chance enters through ``draws`` alone, the numbers of each power and phase."""
        ...


class PressModel(Bot):
    """A bot that also writes press, and that answers for many tables at once: a model."""

    speaks = True

    @abstractmethod
    def answers(self, starts: Sequence[Start], draws: Sequence[Draws]) -> list[Sample]:
        """As a :class:`TablePlayer` does."""


@dataclass(frozen=True, slots=True)
class BotPlayer:
    """A bot, which says nothing."""

    bot: Bot
    speaks: bool = False

    def answers(self, starts: Sequence[Start], draws: Sequence[Draws]) -> list[Sample]:
        """Table by table."""
        return [
            Sample(tuple(self.bot.orders(start.state, start.power, numbers, start.ledger)))
            for start, numbers in zip(starts, draws, strict=True)
        ]


@dataclass(slots=True)
class BoardTable:
    """One game as it stands."""

    chance: Chance
    state: State = field(default_factory=opening)
    ledger: Ledger = field(default_factory=Ledger)
    messages: tuple[Message, ...] = ()
    before: tuple[State, Step] | None = None
    """The last phase and what came of it."""
    _last: Sequence[Mapping[Order, list[str]]] | None = None

    def start(self, power: int) -> Start:
        """What ``power`` is asked."""
        return Start(self.state, power, self.ledger, self.messages)

    def told(self, power: int) -> Start:
        """As :meth:`start`, with what the power's last orders came to: worked out only for those who look at it."""
        if self.before is None:
            return self.start(power)
        if self._last is None:
            self._last = report(*self.before)
        return replace(self.start(power), last=self._last[power])

    def hear(self, messages: Sequence[Message]) -> None:
        """Press of this phase."""
        for message in messages:
            self.ledger = self.ledger.heard(message, self.state)
        self.messages += tuple(messages)

    def settle(self, orders: Sequence[Sequence[Order]]) -> None:
        """All orders are opened."""
        self.ledger = self.ledger.judged(self.state, orders)
        step = advance(self.state, orders)
        self.before, self._last = (self.state, step), None
        self.state = step.state

    @property
    def over(self) -> bool:
        return self.state.season == OVER


def play_phase(
    tables: Sequence[BoardTable],
    seats: Sequence[Sequence[TablePlayer]],
    given: Sequence[Mapping[int, Sample]] = (),
) -> list[list[Sample]]:
    """One phase at every table.

    Args:
        seats: by table and power, who plays it.
        given: by table, answers that are known already, by power.

    Returns:
        By table and power, what was answered.
    """
    found: list[dict[int, Sample]] = [dict(each) for each in given] or [{} for _ in tables]
    for number, known in enumerate(found):
        for power in sorted(known):
            tables[number].hear(known[power].messages)
    for speaking in (True, False):
        asked: dict[int, tuple[TablePlayer, list[tuple[int, int]]]] = {}
        for number, row in enumerate(seats):
            for power, player in enumerate(row):
                if player.speaks == speaking and power not in found[number]:
                    asked.setdefault(id(player), (player, []))[1].append((number, power))
        for player, places in asked.values():
            starts = [
                (tables[number].told if speaking else tables[number].start)(power) for number, power in places
            ]
            draws = [tables[number].chance.draws(tables[number].state, power) for number, power in places]
            for (number, power), said in zip(places, player.answers(starts, draws), strict=True):
                found[number][power] = said
        if speaking:
            for number, known in enumerate(found):
                for power in sorted(known.keys() - (given[number].keys() if given else set())):
                    tables[number].hear(known[power].messages)
    answers = [[known[power] for power in range(len(POWERS))] for known in found]
    for table, samples in zip(tables, answers, strict=True):
        table.settle([sample.orders for sample in samples])
    return answers
