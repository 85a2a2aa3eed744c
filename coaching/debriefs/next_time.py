"""The third question of a debrief: what to do next time. Each point has its turns and, where there is one, the player's own
sentence of such a turn with the better one, word by word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal, TypedDict

Mark = Literal["", "ins", "del"]


class Stretch(TypedDict):
    """Words that stay, that are put in, or that are struck out."""

    mark: Mark
    words: str


class Rewritten(TypedDict):
    """A sentence of the player's and the better one, as one line with what goes and what comes."""

    turn: int
    said: str
    better: str
    why: list[str]
    marked: list[Stretch]


class NextPoint(TypedDict):
    """A point of advice. ``rewrite`` is the player's own sentence on one of its turns, said better."""

    text: str
    turns: list[int]
    rewrite: Rewritten | None


def points(
    advice: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], rewrites: Sequence[Mapping[str, Any]]
) -> tuple[list[tuple[str, list[NextPoint]]], list[Rewritten]]:
    """The columns of advice with the rewrites inside their turns, and the rewrites that belong to no point.

    A rewrite goes to the first point that names its turn: what to stop before what to start, for it is a fault of speech.
    """
    left = [_rewritten(each) for each in rewrites]
    found: dict[str, list[NextPoint]] = {}
    for name, given in sorted(advice, key=lambda each: ("stop", "start", "keep").index(each[0])):
        column = found.setdefault(name, [])
        for point in given:
            mine = next((each for each in left if name != "keep" and each["turn"] in point["turns"]), None)
            if mine is not None:
                left.remove(mine)
            column.append({"text": point["text"], "turns": list(point["turns"]), "rewrite": mine})
    return [(name, found[name]) for name, _ in advice], left


def _rewritten(rewrite: Mapping[str, Any]) -> Rewritten:
    return {
        "turn": rewrite["turn"],
        "said": rewrite["said"],
        "better": rewrite["better"],
        "why": list(rewrite["why"]),
        "marked": marked(rewrite["said"], rewrite["better"]),
    }


def marked(said: str, better: str) -> list[Stretch]:
    """What goes and what comes, by words, case and punctuation included."""
    before, after = re.findall(r"\S+", said), re.findall(r"\S+", better)
    stretches: list[Stretch] = []

    def add(mark: Mark, words: Sequence[str]) -> None:
        if words:
            stretches.append({"mark": mark, "words": " ".join(words)})

    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            add("", before[i:j])
        else:
            add("del", before[i:j])
            add("ins", after[k:m])
    return stretches
