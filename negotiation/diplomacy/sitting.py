"""A game rebuilt from its log: every phase played, who has ordered, what was said and promised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from negotiation.diplomacy.events import GLOBAL
from negotiation.diplomacy.wording import promise_from_page
from negotiation.engine.diplomacy import POWERS, Order, State, advance, opening
from negotiation.engine.diplomacy.geography import POWER_ID
from negotiation.engine.diplomacy.phases import Step
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Message, Tag, said
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.press.reading import Speech
from negotiation.engine.diplomacy.saved import order_from_text, orders_from_json, position_from_json

Orders = dict[int, list[Order]]


@dataclass(frozen=True, slots=True)
class Past:
    """A phase that is over: the position in it, what had been promised before its orders, and what was done."""

    state: State
    ledger: Ledger
    """Before this phase's messages."""
    messages: tuple[tuple[Message, Speech], ...]
    orders: tuple[tuple[Order, ...], ...]
    step: Step


@dataclass(slots=True)
class Sitting:
    """The game as it stands."""

    state: State
    ledger: Ledger = field(default_factory=Ledger)
    ids: list[str] = field(default_factory=list)
    """By entry of the ledger: how the log names it."""
    before: Ledger = field(default_factory=Ledger)
    """The ledger as the present phase began."""
    messages: list[tuple[Message, Speech]] = field(default_factory=list)
    """Of the present phase."""
    past: list[Past] = field(default_factory=list)
    given: Orders = field(default_factory=dict)
    """By power of a person: the orders that are in."""

    def hear(self, message: Message, speech: Speech, seq: int) -> list[tuple[str, int]]:
        """Take a message in; the names and places in the ledger of the promises that it makes."""
        known = len(self.ledger.entries)
        self.ledger = self.ledger.heard(message, self.state, speech)
        self.messages.append((message, speech))
        made = [(f"{seq}.{k}", known + k) for k in range(len(self.ledger.entries) - known)]
        self.ids += [name for name, _ in made]
        return made

    def play(self, orders: tuple[tuple[Order, ...], ...]) -> Past:
        """Play the phase that is on."""
        step = advance(self.state, orders)
        past = Past(self.state, self.before, tuple(self.messages), orders, step)
        self.past.append(past)
        self.ledger = self.ledger.judged(self.state, orders)
        self.state, self.before, self.messages, self.given = step.state, self.ledger, [], {}
        return past


def replay(start: Mapping[str, Any] | None, rows: Iterable[tuple[int, str, dict[str, Any]]]) -> Sitting:
    """The game after its log, (sequence, type, data) by row, oldest first."""
    sitting = Sitting(position_from_json(start) if start else opening())
    for seq, kind, data in rows:
        if kind == "said":
            sitting.hear(*_message(data, sitting.state), seq)
        elif kind == "ordered":
            sitting.given[POWER_ID[data["power"]]] = [
                order_from_text(words, sitting.state) for words in data["orders"]
            ]
        elif kind == "withdrawn":
            sitting.given.pop(POWER_ID[data["power"]], None)
        elif kind == "played":
            sitting.play(tuple(map(tuple, orders_from_json(data["submitted"], sitting.state))))
    return sitting


def _message(data: Mapping[str, Any], state: State) -> tuple[Message, Speech]:
    to = EVERYONE if data["to"] == GLOBAL else POWER_ID[data["to"]]
    tag = Tag(data["tag"]) if data["tag"] else None
    speech = Speech(
        tuple(promise_from_page(row) for row in data["spoken"]),
        tuple(promise_from_page(row) for row in data["asks"]),
        data["agrees"],
    )
    return said(state, POWER_ID[data["by"]], to, data["text"], tag), speech


def alive(state: State, power: int) -> bool:
    """Whether a power still has a unit, a centre, or a unit to retreat."""
    return bool(
        state.units[power] or state.centres(power) or any(unit.power == power for unit in state.dislodged)
    )


def living(state: State) -> list[int]:
    """The powers that are still in the game."""
    return [power for power in range(len(POWERS)) if alive(state, power)]
