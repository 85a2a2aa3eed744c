"""What was written and read beside the particulars of the shipped cases, for fitting the ear that hears them and for
weighing it.

``<case>_<seat>.jsonl``: to each particular three more ways to ask for it (hurried, careful, from another side), and a
question on the same subject that it does not answer. ``strangers.jsonl``: each question that strangers put in their deals
(``bench/played``), with the particulars that were likest to it then (``read``), and which of them answer it (``full``) or
a part of it (``near``), as readers judged who knew nothing of scores; 120 were judged twice, by others (69 pairs of
question and answer by both, 79 and 72 by one).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class More:
    """Ways to ask for a particular beside its author's, and a question that it does not answer."""

    ways: tuple[str, ...]
    near: str


@dataclass(frozen=True, slots=True)
class Stranger:
    """A question of a stranger's, and what answers it.

    Attributes:
        deal: the file of the deal that it was put in, without its ending.
        open, just_said: ids of facts and objections that had been told or raised, and of those in the line before.
        kind: ``info``, ``trade``, ``pressure`` or ``chat``.
    """

    deal: str
    scenario: str
    seat: str
    question: str
    open: frozenset[str]
    just_said: frozenset[str]
    kind: str
    full: frozenset[str]
    near: frozenset[str]
    read: frozenset[str]


@cache
def more(scenario: str, seat: str) -> dict[str, More]:
    """By the id of the particular."""
    return {
        each["id"]: More(tuple(each["ways"]), each["near"])
        for each in _lines(HERE / f"{scenario}_{seat}.jsonl")
    }


@cache
def strangers() -> tuple[Stranger, ...]:
    """Every question that was read."""
    return tuple(map(_stranger, _lines(HERE / "strangers.jsonl")))


def _stranger(each: dict[str, Any]) -> Stranger:
    return Stranger(
        **{key: each[key] for key in ("deal", "scenario", "seat", "question", "kind")},
        open=frozenset(each["open"]),
        just_said=frozenset(each["just_said"]),
        full=frozenset(each["full"]),
        near=frozenset(each["near"]),
        read=frozenset(each["read"]),
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())
