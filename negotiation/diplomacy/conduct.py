"""How a game goes on: bots speak and order, phases are played, until a person is awaited or it is over.

Everything here works on a sitting in memory and returns the rows to append; ``services`` holds lock and database.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from negotiation.diplomacy.events import GLOBAL, Row
from negotiation.diplomacy.sitting import Past, Sitting, living
from negotiation.diplomacy.wording import promise_page
from negotiation.engine.diplomacy import POWERS, Chance, Order, State, possible_orders, report, text
from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.diplomacy.bots.envoy import answer, proposals
from negotiation.engine.diplomacy.geography import PROVINCE
from negotiation.engine.diplomacy.press.messages import Message
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.press.reading import Speech
from negotiation.engine.diplomacy.saved import orders_to_json, position_to_json
from negotiation.engine.diplomacy.state import OVER, WINTER

SPEAKS = "envoy"
"""The one bot that reads and writes."""
_OPPORTUNISTS = 0.4


def opportunist(seed: int, power: int) -> bool:
    """Whether the bot of a seat means its promises only while they cost it nothing; decided by the game's seed."""
    return bool(np.random.Generator(np.random.SFC64([seed, power])).random() < _OPPORTUNISTS)


def has_orders(state: State, power: int) -> bool:
    """Whether anything is asked of a power in this phase."""
    return bool(possible_orders(state, power))


def heard(sitting: Sitting, message: Message, speech: Speech, seq: int) -> Row:
    """Take a message into the sitting; the row that records it as number ``seq``."""
    made = sitting.hear(message, speech, seq)
    data = {
        "by": POWERS[message.sender],
        "to": GLOBAL if message.target == EVERYONE else POWERS[message.target],
        "phase": sitting.state.phase,
        "text": message.text,
        "tag": message.tag.value if message.tag else None,
        "promises": [promise_page(sitting.ledger.entries[at].promise, name) for name, at in made],
        "spoken": [promise_page(promise) for promise in speech.promises],
        "asks": [promise_page(promise) for promise in speech.asks],
        "agrees": speech.agrees,
    }
    return "said", data


def answered(
    sitting: Sitting, seed: int, bots: dict[int, str], message: Message, speech: Speech, seq: int
) -> list[Row]:
    """What a bot says to a message that has just been heard, as row number ``seq``."""
    if bots.get(message.target) != SPEAKS:
        return []
    reply = answer(
        sitting.state, message.target, sitting.ledger, message, speech,
        opportunist=opportunist(seed, message.target),
    )  # fmt: skip
    return [heard(sitting, *reply, seq)] if reply else []


def opened(sitting: Sitting, seed: int, bots: dict[int, str], seq: int) -> list[Row]:
    """What the bots say to each other and to people as a phase opens, and then mean to order."""
    rows: list[Row] = []
    for power in sorted(power for power, name in bots.items() if name == SPEAKS):
        for message, speech in proposals(
            sitting.state, power, sitting.ledger, opportunist=opportunist(seed, power)
        ):
            rows.append(heard(sitting, message, speech, seq + len(rows)))
            rows += answered(sitting, seed, bots, message, speech, seq + len(rows))
    return [*rows, planned(sitting, seed, bots)]


def planned(sitting: Sitting, seed: int, bots: dict[int, str]) -> Row:
    """What the bots would order as things stand."""
    orders = [
        ordered(sitting, seed, power, bots[power]) if power in bots else [] for power in range(len(POWERS))
    ]
    return "planned", {"phase": sitting.state.phase, "orders": orders_to_json(orders)}


def ordered(sitting: Sitting, seed: int, power: int, bot: str) -> list[Order]:
    """A bot's orders."""
    draws = Chance(seed).draws(sitting.state, power)
    return BOTS[bot]().orders(sitting.state, power, draws, sitting.ledger)


def played(sitting: Sitting, seed: int, bots: dict[int, str]) -> Row:
    """Play the phase with what people gave and bots choose."""
    orders = tuple(
        tuple(sitting.given[power] if power in sitting.given else ordered(sitting, seed, power, bots[power]))
        for power in range(len(POWERS))
    )
    before = [entry.verdict for entry in sitting.ledger.entries]
    past = sitting.play(orders)
    return "played", _played_page(sitting, past, before)


def ending(sitting: Sitting, last_year: int) -> Row | None:
    """The row that ends the game, if it is over: somebody has won, or the years are."""
    state = sitting.state
    if state.season != OVER and state.year <= last_year and len(living(state)) > 1:
        return None
    winner = state.winner
    counts = dict(zip(POWERS, state.centre_counts(), strict=True))
    reason = "won" if winner is not None else "years"
    return "ended", {
        "reason": reason,
        "winner": POWERS[winner] if winner is not None else None,
        "centers": counts,
    }


def _played_page(sitting: Sitting, past: Past, before: Iterable[Any]) -> dict[str, Any]:
    results = report(past.state, past.step)
    fresh = [
        (name, entry)
        for name, entry, old in zip(sitting.ids, sitting.ledger.entries, before, strict=True)
        if entry.verdict is not None and old is None
    ]
    return {
        "phase": past.state.phase,
        "submitted": orders_to_json(past.orders),
        "results": {
            POWERS[power]: [{"order": text(order), "results": words} for order, words in lines.items()]
            for power, lines in enumerate(results)
            if lines
        },
        "position": position_to_json(sitting.state),
        "verdicts": [_verdict(name, entry) for name, entry in fresh],
        "deadline": None,
    }


def _verdict(name: str, entry: Any) -> dict[str, str]:
    page = promise_page(entry.promise, name)
    return {"id": name, "by": page["by"], "to": page["to"], "verdict": entry.verdict.value}


def check_orders(state: State, power: int, orders: list[Order]) -> str | None:
    """What is wrong with a set of orders, in words; None if they can stand."""
    possible = possible_orders(state, power)
    if not possible:
        return "There is nothing for you to order in this phase."
    allowed = {order for choices in possible.values() for order in choices}
    stray = next((order for order in orders if order not in allowed), None)
    if stray is not None:
        return f"{text(stray)} is not possible now."
    if state.season == WINTER:
        return _check_winter(state, power, orders)
    units = [order.node for order in orders]
    if len(set(units)) != len(units):
        return "One of your units has two orders."
    return None


def _check_winter(state: State, power: int, orders: list[Order]) -> str | None:
    delta = state.delta(power)
    wanted = abs(delta)
    if len(orders) != wanted:
        what = "builds" if delta > 0 else "disbands"
        return f"{wanted} {what} are due, not {len(orders)}."
    places = [order.node for order in orders if text(order) != "WAIVE"]
    provinces = [PROVINCE[node] for node in places]
    return "Two of them are in one place." if len(set(provinces)) != len(provinces) else None
