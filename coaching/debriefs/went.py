"""The first question of a debrief: how did it go? One figure, one bar of what there was, one yardstick, one sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from django.utils.translation import gettext

Cut = Literal["", "below", "above"]
"""Where the share does not follow the sum: it is never less than nothing, and never more than the whole."""
Kind = Literal["deal", "beyond", "right", "missed"]
"""A deal; one beyond the own walk-away; no deal, where none was to be had; no deal, where there was room for one."""


class SumLine(TypedDict):
    """One line of the sum, in whole currency units, with its sign."""

    what: Literal["price", "limit", "terms", "sweeteners"]
    words: str
    money: int


class SumPart(TypedDict):
    """A stretch of the bar of what there was: where it begins and how long it is, in per cent of the whole."""

    whose: str
    start: float
    width: float


class Went(TypedDict):
    """How it went.

    ``net`` is what the deal came to beyond the player's own walk-away at the start, the result of ``lines``; ``theirs``
    and ``nobodys`` are the rest of the room, more than all of it where ``net`` is below zero, and ``expert`` what an
    expert made of the same table, ``expert_beside`` of it by terms and sweeteners and the rest by the price. ``None`` is not
    known or does not apply.
    """

    kind: Kind
    net: int | None
    room: int
    lines: list[SumLine]
    bar: list[SumPart]
    theirs: int | None
    nobodys: int | None
    expert: int | None
    expert_at: float | None
    expert_beside: int
    cut: Cut


def went(debrief: Mapping[str, Any], expert: Mapping[str, Any] | None, step: float) -> Went:
    """The first answer of a debrief. The yardstick is the room at the start, as everywhere in a debrief.

    Args:
        expert: the expert's deal at the same table, as a case, where there is one.
        step: of prices, for the expert's part, which is a share of the room.
    """
    head = debrief["headline"]
    room = round(max(0.0, debrief["zone"]["width"]))
    lines = _lines(debrief) if head["deal"] else []
    net = sum(line["money"] for line in lines) if lines else None
    yours = head["efficiency"] * room if head["deal"] else 0.0
    kind = _kind(head, net)
    # What was given away beyond the walk-away went to the other side, so that both parts still make the whole.
    theirs, nobodys = _rest(debrief, room, net if kind == "beyond" and net is not None else yours)
    share = None if expert is None or room <= 0 else max(0.0, min(1.0, expert["efficiency"]))
    off = 0.0 if net is None or room <= 0 else net - yours
    return {
        "kind": kind,
        "net": net,
        "room": room,
        "lines": lines,
        "bar": _bar(room, yours, min(theirs, room)) if theirs is not None and head["deal"] else [],
        "theirs": theirs,
        "nobodys": nobodys,
        "expert": None if share is None else round(round(share * room / step) * step),
        "expert_at": None if share is None else round(100 * share, 2),
        "expert_beside": _beside_the_price(expert, step) if expert else 0,
        "cut": "" if abs(off) < 1 else "below" if off < 0 else "above",
    }


def _beside_the_price(expert: Mapping[str, Any], step: float) -> int:
    """What of the expert's part did not come from its price, in steps; a case from before sums were kept tells nothing."""
    added = expert.get("sums")
    return round(round((added["yours"] - added["price"]) / step) * step) if added else 0


def _kind(head: Mapping[str, Any], net: int | None) -> Kind:
    if head["deal"]:
        return "beyond" if head["floor_breached"] or (net is not None and net < 0) else "deal"
    return "missed" if head["zone_existed"] else "right"


def _lines(debrief: Mapping[str, Any]) -> list[SumLine]:
    """Price, walk-away, terms and sweeteners: each with the sign that it has for this seat."""
    head, zone = debrief["headline"], debrief["zone"]
    sign = 1 if debrief["seat"] == "seller" else -1
    limit = zone["original_low"] if sign > 0 else zone["original_high"]
    lines = [
        SumLine(what="price", words=gettext("price"), money=sign * round(head["price"])),
        SumLine(what="limit", words=gettext("your walk-away"), money=-sign * round(limit)),
    ]
    if sign < 0:
        lines.reverse()
    if debrief["packages"]:
        lines.append(
            SumLine(
                what="terms",
                words=gettext("the terms, to you"),
                money=round(sign * (head["worth"] - head["price"])),
            )
        )
    sweets = _sweeteners(head)
    if sweets:
        lines.append(SumLine(what="sweeteners", words=gettext("sweeteners, on balance"), money=sweets))
    return lines


def _sweeteners(head: Mapping[str, Any]) -> int:
    """What sweeteners came to. Where the share is not cut, it is what the game counted beside price and terms."""
    added = head["sums"]
    if not added or not added["sweeteners"]:
        return 0
    whole = 0 < head["efficiency"] < 1
    return round(added["sweeteners"] - (added["beyond"] if whole else 0.0))


def _rest(debrief: Mapping[str, Any], room: int, yours: float) -> tuple[int | None, int | None]:
    """What of the room went to the other side and to nobody; ``None`` where nobody can tell them apart."""
    if not debrief["headline"]["deal"] or room <= 0:
        return None, None
    left = room - round(yours)
    packages = debrief["packages"]
    nobodys = round(packages["nobody_got"]) if packages and packages["nobody_got"] else 0
    return (left - nobodys, nobodys) if left >= nobodys else (left, 0)


def _bar(room: int, yours: float, theirs: int) -> list[SumPart]:
    own, other = 100 * yours / room, 100 * theirs / room
    ends = [("you", 0.0, own), ("them", own, other), ("nobody", own + other, 100 - own - other)]
    return [
        SumPart(whose=whose, start=round(start, 2), width=round(width, 2))
        for whose, start, width in ends
        if width > 0.05
    ]
