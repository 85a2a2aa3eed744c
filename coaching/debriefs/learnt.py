"""What there was to learn, by its worth in money: facts on needs that terms can meet, and what held the other side back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class PricedLesson(TypedDict):
    """Something with a figure: ``row`` is the fact or the objection of the map of discovery, ``width`` that of its bar, in
    per cent of the dearest."""

    kind: Literal["fact", "objection"]
    heard: bool
    money: int
    width: float
    row: Mapping[str, Any]


class Learnt(TypedDict):
    """The lessons with a figure, the heard ones first and then the dearest; their sums; the facts without a figure."""

    priced: list[PricedLesson]
    heard: int
    total: int
    learned: list[Mapping[str, Any]]
    missed: list[Mapping[str, Any]]


def learnt(found: Mapping[str, Any] | None) -> Learnt | None:
    """The map of discovery as the debrief draws it; ``None`` where there was no case."""
    if found is None:
        return None
    priced = [
        *(_lesson("fact", True, row, row["money"]) for row in _with_money(found["learned"])),
        *(_lesson("fact", False, row, row["money"]) for row in _with_money(found["missed"])),
        *(_lesson("objection", row["raised"] is not None, row, row["held"]) for row in found["objections"]),
    ]
    most = max((each["money"] for each in priced), default=0)
    for each in priced:
        each["width"] = round(100 * each["money"] / most, 1) if most else 0.0
    return {
        "priced": sorted(priced, key=lambda each: (not each["heard"], -each["money"])),
        "heard": sum(each["money"] for each in priced if each["heard"]),
        "total": sum(each["money"] for each in priced),
        "learned": [row for row in found["learned"] if row["money"] is None],
        "missed": [row for row in found["missed"] if row["money"] is None],
    }


def _with_money(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in rows if row["money"] is not None]


def _lesson(
    kind: Literal["fact", "objection"], heard: bool, row: Mapping[str, Any], money: int
) -> PricedLesson:
    return {"kind": kind, "heard": heard, "money": money, "width": 0.0, "row": row}
