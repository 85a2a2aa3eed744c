"""Orders as small tuples of integers, and their standard notation.

=============  =======================  =================  ==============
kind           text                     ``at``             ``to``
=============  =======================  =================  ==============
HOLD           ``A PAR H``              0                  0
MOVE           ``A PAR - BUR``          node moved to      1 if ``VIA``
SUPPORT_HOLD   ``A PAR S F BRE``        node supported     its province
SUPPORT_MOVE   ``A PAR S A MAR - BUR``  node supported     province
CONVOY         ``F ENG C A LON - BEL``  the army's node    province
RETREAT        ``A PAR R GAS``          node moved to      0
DISBAND        ``A PAR D``              0                  0
BUILD          ``A PAR B``              0                  0
WAIVE          ``WAIVE``                0                  0
=============  =======================  =================  ==============

A support is given into a province: a coast named in it is read and dropped, as the rules ask for none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from negotiation.engine.diplomacy.geography import (
    ALIASES,
    ARMIES,
    NEXT,
    NODE_ID,
    NODES,
    NODES_OF,
    PLACE,
    PROVINCE,
    PROVINCES,
)

HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD, WAIVE = range(9)


class Order(NamedTuple):
    """One order; the module says what ``at`` and ``to`` mean for each kind."""

    kind: int
    node: int
    at: int = 0
    to: int = 0


class UnreadableOrder(ValueError):
    """The text is not in the notation of orders, or names no place on the board."""


class ImpossibleOrder(ValueError):
    """The text can be read, but no such unit or no such move can be."""


_UNIT = r"([AF])\s+([\w./]+)"
_FORMS: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern + r"\s*$", re.IGNORECASE))
    for kind, pattern in (
        (WAIVE, r"WAIVE()"),
        (HOLD, _UNIT + r"(?:\s+H(?:OLDS?)?)?"),
        (MOVE, _UNIT + r"\s*-\s*([\w./]+)(\s+VIA(?:\s+CONVOY)?)?"),
        (SUPPORT_MOVE, _UNIT + r"\s+S\s+" + _UNIT + r"\s*-\s*([\w./]+)(?:\s+VIA)?"),
        (SUPPORT_HOLD, _UNIT + r"\s+S\s+" + _UNIT + r"(?:\s+H)?"),
        (CONVOY, _UNIT + r"\s+C\s+" + _UNIT + r"\s*-\s*([\w./]+)(?:\s+VIA)?"),
        (RETREAT, _UNIT + r"\s+R\s+([\w./]+)"),
        (DISBAND, _UNIT + r"\s+D(?:ISBANDS?)?"),
        (BUILD, _UNIT + r"\s+B(?:UILDS?)?"),
    )
)


def text(order: Order) -> str:
    """The order in the standard notation."""
    kind, node, at, to = order
    unit = NODES[node]
    if kind == MOVE:
        return f"{unit} - {PLACE[at]}{' VIA' if to else ''}"
    if kind in (SUPPORT_MOVE, CONVOY):
        return f"{unit} {'S' if kind == SUPPORT_MOVE else 'C'} {NODES[at]} - {PROVINCES[to]}"
    if kind == SUPPORT_HOLD:
        return f"{unit} S {NODES[at]}"
    if kind == RETREAT:
        return f"{unit} R {PLACE[at]}"
    return "WAIVE" if kind == WAIVE else f"{unit} {'H' if kind == HOLD else 'D' if kind == DISBAND else 'B'}"


def parse(words: str, standing: Mapping[int, int]) -> Order:
    """Read an order.

    Args:
        words: the text, in either case.
        standing: province -> node of the unit in it. A unit named without its coast is the one that stands there; so is
            one that is ordered under a wrong coast, as there is no other (6.B.10 of the DATC).

    Raises:
        UnreadableOrder: if it is no order, or names a place that is not on the board.
        ImpossibleOrder: if it names a unit that is not there, or a place where such a unit cannot go.
    """
    for kind, form in _FORMS:
        found = form.match(words.strip())
        if found:
            return _built(kind, found.groups(), standing, words)
    raise UnreadableOrder(f"{words!r} is not an order")


def parse_unit(words: str) -> int:
    """The node of a unit such as ``F STP/SC``.

    Raises:
        UnreadableOrder: if there is no such place for such a unit.
    """
    kind, _, place = words.strip().upper().partition(" ")
    province = _province(place, words)
    name = f"{kind} {PROVINCES[province]}{_coast(place) if kind == 'F' else ''}"
    if name not in NODE_ID:
        raise UnreadableOrder(f"{words!r} is not a unit that the board can hold")
    return NODE_ID[name]


def _built(kind: int, parts: tuple[str | None, ...], standing: Mapping[int, int], words: str) -> Order:
    if kind == WAIVE:
        return Order(WAIVE, 0)
    node = (
        _built_unit(parts, words) if kind == BUILD else _unit(parts[0], parts[1], standing, words, own=True)
    )
    if kind in (MOVE, RETREAT):
        return Order(kind, node, _target(node, parts[2] or "", words), 1 if kind == MOVE and parts[3] else 0)
    if kind in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY):
        other = _unit(parts[2], parts[3], standing, words)
        to = PROVINCE[other] if kind == SUPPORT_HOLD else _province(parts[4] or "", words)
        return Order(kind, node, other, to)
    return Order(kind, node)


def _built_unit(parts: tuple[str | None, ...], words: str) -> int:
    kind, place = (parts[0] or "").upper(), (parts[1] or "").upper()
    node = NODE_ID.get(f"{kind} {PROVINCES[_province(place, words)]}{_coast(place) if kind == 'F' else ''}")
    if node is None:
        raise ImpossibleOrder(f"{words!r}: no such unit can stand there")
    return node


def _unit(
    kind: str | None, place: str | None, standing: Mapping[int, int], words: str, *, own: bool = False
) -> int:
    """The unit that stands in a place; ``own`` if it is the one ordered, which a wrong coast does not hide."""
    kind, place = (kind or "").upper(), (place or "").upper()
    here = standing.get(_province(place, words))
    named_coast = "" if own or kind != "F" else _coast(place)
    if here is None or NODES[here][0] != kind or not PLACE[here].endswith(named_coast):
        raise ImpossibleOrder(f"{words!r}: there is no {kind} {place}")
    return here


def _target(node: int, place: str, words: str) -> int:
    """The node meant by a place to go to; a fleet that can reach only one coast need not name it."""
    place = place.upper()
    province = _province(place, words)
    fits = [there for there in NODES_OF[province] if (there < ARMIES) == (node < ARMIES)]
    if node >= ARMIES:
        reachable = [there for there in fits if there in NEXT[node]]
        coast = _coast(place)
        fits = [there for there in fits if PLACE[there].endswith(coast)] if coast else reachable or fits
    if len(fits) != 1:
        raise ImpossibleOrder(f"{words!r}: {'which coast?' if fits else 'no such unit can stand there'}")
    return fits[0]


def _coast(place: str) -> str:
    _, slash, coast = place.partition("/")
    return slash + coast


def _province(place: str, words: str) -> int:
    province = ALIASES.get(place.split("/")[0].lower())
    if province is None:
        raise UnreadableOrder(f"{words!r}: there is no place {place!r}")
    return province
