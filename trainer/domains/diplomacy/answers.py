"""What a policy says: thoughts, messages with truth tags, orders; and the grammar that keeps its orders possible.

An answer is written in two parts. The first is free: ``<analysis>`` and any number of ``<communication>``. The second,
``<orders>``, is written under :func:`orders_grammar`, one order a line in the fixed order of units, so that whatever
was said before, every answer can be played. :func:`orders_ebnf` is the same language for servers that take a grammar.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from negotiation.engine.diplomacy.geography import NODES, POWER_ID, POWERS
from negotiation.engine.diplomacy.orders import WAIVE, Order, text
from negotiation.engine.diplomacy.possible import possible_orders
from negotiation.engine.diplomacy.press.messages import LONGEST, Message, Tag, said
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.state import WINTER, State
from negotiation.opponents.protocol.grammar import END, Grammar, choice, literal, sequence
from trainer.domains.diplomacy.lines import lines_of

OPEN, CLOSE = "<orders>\n", "</orders>"
_ANALYSIS = re.compile(r"<analysis>(.*?)</analysis>", re.S)
_COMMUNICATION = re.compile(
    r"<communication>\s*<target>\s*(\w+)\s*</target>\s*<truth_status>\s*(TRUTH|LIE)\s*</truth_status>\s*"
    r"<message_content>(.*?)</message_content>\s*</communication>",
    re.S,
)


class Malformed(ValueError):
    """An answer whose orders cannot be played; the grammar rules it out."""


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """One answer, read."""

    analysis: str
    messages: tuple[Message, ...]
    orders: tuple[Order, ...]


def parse(words: str, state: State, power: int) -> BoardAnswer:
    """Read an answer. Messages to nobody, to oneself or too long are dropped: press is free text, and only orders are
    forced.

    Raises:
        Malformed: if there are no orders, or they are not one possible order for each unit, in order.
    """
    free, opened, rest = words.rpartition(OPEN)
    block, closed, after = rest.partition(CLOSE)
    if not opened or not closed or after.strip():
        raise Malformed("there is no <orders> at the end")
    analysis = _ANALYSIS.search(free)
    return BoardAnswer(
        analysis[1].strip() if analysis else "",
        _messages(free, state, power),
        _orders(block, state, power),
    )


def orders_grammar(state: State, power: int) -> Grammar:
    """The language of the orders block: exactly what ``power`` can order in ``state``."""
    return sequence(literal(OPEN), _lines(state, power), literal(CLOSE))


def orders_ebnf(state: State, power: int) -> str:
    """The same language as an EBNF grammar of the kind that vLLM takes."""
    rules: dict[str, str] = {}
    lines = lines_of(state, power)
    body = _ebnf(lines.rows, 0, lines.due, rules)
    return "\n".join(
        [f"root ::= {_quoted(OPEN)} {body} {_quoted(CLOSE)}", *(f"{k} ::= {v}" for k, v in rules.items())]
    )


def _lines(state: State, power: int) -> Grammar:
    lines = lines_of(state, power)
    rows = [choice(literal(f"{line}\n") for line in row) for row in lines.rows]
    due = lines.due
    if due is None:
        return sequence(*rows)
    return _some(rows, 0, abs(due), waive=due > 0)


def _some(rows: list[Grammar], at: int, left: int, *, waive: bool) -> Grammar:
    """``left`` of the rows from ``at`` on, in order; what is not used may be waived, in winter builds."""
    if left == 0:
        return END
    if at == len(rows):
        return literal("WAIVE\n" * left)
    take = sequence(rows[at], _some(rows, at + 1, left - 1, waive=waive))
    if not waive and len(rows) - at <= left:
        return take
    return choice((take, _some(rows, at + 1, left, waive=waive)))


def _ebnf(rows: Sequence[Sequence[str]], at: int, due: int | None, rules: dict[str, str]) -> str:
    """The rule for the lines from row ``at`` on, ``due`` of them left, as a name or a sequence of names."""
    for number, row in enumerate(rows if not rules else []):
        rules[f"unit{number}"] = " | ".join(_quoted(f"{line}\n") for line in row)
    if due is None:
        return " ".join(f"unit{number}" for number in range(len(rows))) or '""'
    left, waive = abs(due), due > 0
    if left == 0:
        return '""'
    if at == len(rows):
        return _quoted("WAIVE\n" * left)
    name = f"from{at}left{left}"
    if name not in rules:
        rules[name] = ""
        fewer = due - 1 if waive else due + 1
        take = f"unit{at} {_ebnf(rows, at + 1, fewer, rules)}"
        skip = waive or len(rows) - at > left
        rules[name] = f"{take} | {_ebnf(rows, at + 1, due, rules)}" if skip else take
    return name


def _quoted(words: str) -> str:
    return json.dumps(words)


def _orders(block: str, state: State, power: int) -> tuple[Order, ...]:
    given = [line for line in block.split("\n") if line]
    possible = {text(order): order for orders in possible_orders(state, power).values() for order in orders}
    unknown = next((line for line in given if line not in possible), None)
    if unknown is not None:
        raise Malformed(f"{unknown!r} is not possible for {POWERS[power]} in {state.phase}")
    orders = tuple(possible[line] for line in given)
    due = state.delta(power) if state.season == WINTER else None
    if due is None:
        expected = sorted(possible_orders(state, power))
        if [order.node for order in orders] != expected:
            raise Malformed(
                f"one order each is due for {', '.join(NODES[node] for node in expected)}, in this order"
            )
    else:
        acting = [order.node for order in orders if order.kind != WAIVE]
        if len(orders) != abs(due) or len(set(acting)) != len(acting) or (due < 0 and len(acting) != -due):
            kind = "disbanded" if due < 0 else "built or waived"
            raise Malformed(f"{abs(due)} units are to be {kind}, each once")
    return orders


def _messages(words: str, state: State, power: int) -> tuple[Message, ...]:
    found = []
    for target, tag, content in _COMMUNICATION.findall(words):
        to = EVERYONE if target == "GLOBAL" else POWER_ID.get(target)
        content = content.strip()
        if to is not None and to != power and 0 < len(content) <= LONGEST:
            found.append(said(state, power, to, content, Tag(tag)))
    return tuple(found)
