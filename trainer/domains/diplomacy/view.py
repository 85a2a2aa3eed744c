"""What one power knows, as JSON: the prompt of a policy, and what a player's page may show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from negotiation.engine.diplomacy.geography import FIRST_YEAR, NEUTRAL, NODES, POWERS
from negotiation.engine.diplomacy.orders import Order, text
from negotiation.engine.diplomacy.phases import centre_names
from negotiation.engine.diplomacy.position import threat
from negotiation.engine.diplomacy.possible import possible_orders
from negotiation.engine.diplomacy.press.ledger import Entry, Ledger
from negotiation.engine.diplomacy.press.messages import Message, history, name
from negotiation.engine.diplomacy.state import SPRING_RETREATS, WINTER, State


def view(
    state: State,
    power: int,
    ledger: Ledger,
    messages: Sequence[Message] = (),
    last: dict[Order, list[str]] | None = None,
) -> dict[str, Any]:
    """The position as ``power`` sees it: its own words and those said to it, and nobody's tags or plans.

    Args:
        state: the phase to act in.
        power: whose view it is.
        ledger: every promise; only those by and to the power are shown.
        messages: every message so far; filtered likewise.
        last: the power's orders of the last phase and what they came to, as ``report`` gives them.
    """
    return {
        "meta": {
            "role": POWERS[power],
            "season": "WINTER"
            if state.season == WINTER
            else "SPRING"
            if state.season <= SPRING_RETREATS
            else "FALL",
            "year": state.year,
            "phase_type": "MOVES" if state.moving else "RETREATS" if state.retreating else "BUILDS",
            "build_delta": state.delta(power) if state.season == WINTER else 0,
        },
        "board_state": {
            "my_units": [NODES[node] for node in state.units[power]],
            "my_centers": centre_names(state, power),
            "neutral_centers": centre_names(state, NEUTRAL),
            "opponents": {
                other: {
                    "units": [NODES[node] for node in state.units[index]],
                    "centers": centre_names(state, index),
                    "threat": threat(state, power, index),
                }
                for index, other in enumerate(POWERS)
                if index != power and (state.units[index] or state.centres(index))
            },
        },
        "valid_moves": valid_moves(state, power),
        "last_results": [
            f"{text(order)}: {', '.join(words) or 'done'}" for order, words in (last or {}).items()
        ],
        "commitments": [_commitment(entry) for entry in ledger.of(power)],
        "message_history": history(messages, power, state.year),
    }


def valid_moves(state: State, power: int) -> dict[str, list[str]]:
    """Every unit's possible orders, in the fixed order of units in which an answer gives them.

    Retreats are keyed by the dislodged unit; builds by the army that could stand in the home.
    """
    possible = possible_orders(state, power)
    return {NODES[node]: [text(order) for order in possible[node]] for node in sorted(possible)}


def _commitment(entry: Entry) -> dict[str, str]:
    promise = entry.promise
    return {
        "by": POWERS[promise.by],
        "to": name(promise.to),
        "promise": promise.words or promise.kind.value,
        "until": _phase(promise.last),
        "status": entry.verdict.value if entry.verdict else "OPEN",
    }


def _phase(turn: int) -> str:
    """The movement phase of a turn; far ones are for good."""
    season = "SPRING" if turn % 2 == 0 else "FALL"
    return f"{season} {FIRST_YEAR + turn // 2}" if turn < 100 else "FOREVER"
