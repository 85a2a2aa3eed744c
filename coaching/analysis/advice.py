"""Keep, start, stop: what one deal says about the next, drawn from the table of lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from coaching.analysis.findings import Finding, findings
from coaching.analysis.praise import praised
from coaching.analysis.review.lessons.words import MANNERS, Habit
from coaching.analysis.rewrites import Rewrite
from coaching.analysis.wording import gettext, spoken

MOST = 3
"""So many points a list: more are not taken along."""


class Point(TypedDict):
    """One point, with the turns that it rests on."""

    text: str
    turns: list[int]


class Advice(TypedDict):
    """What to go on with, what to begin, what to leave."""

    keep: list[Point]
    start: list[Point]
    stop: list[Point]


def advice(debrief: Mapping[str, Any], found: Sequence[Rewrite], review: Mapping[str, Any] | None) -> Advice:
    """The points of one deal, the weightiest first, at most ``MOST`` each.

    Args:
        found: the rewrites of its sentences.
        review: its move review, once there is one. Better moves stay hidden: only lessons and labels are read.
    """
    against = findings(review)
    keep = [_point(text, turns) for text, turns in praised(debrief, review, against)]
    start = [_point(spoken(each.lesson.start), each.turns) for each in against if each.lesson.start]
    stop = [_point(gettext(each.lesson.stop), each.turns) for each in against if each.lesson.stop]
    habits = _habits(found, against, review)
    return {"keep": keep[:MOST], "start": start[:MOST], "stop": [*stop, *habits][:MOST]}


def _point(text: str, turns: Sequence[int] = ()) -> Point:
    return {"text": text, "turns": sorted(set(turns))}


def _habits(
    found: Sequence[Rewrite], against: Sequence[Finding], review: Mapping[str, Any] | None
) -> list[Point]:
    """Habits of speech, each once; what a lesson has said already is not said again, nor anything against a step that
    nothing would have been better than."""
    fine = {move["turn"] for move in (review or {}).get("moves", ()) if move["label"] in ("best", "good")}
    turns: dict[Habit, list[int]] = {}
    for rewrite in found:
        for habit in rewrite.habits:
            if habit == "unasked" and rewrite.turn in fine:
                continue
            turns.setdefault(habit, []).append(rewrite.turn)
    said = {each.lesson.stop for each in against}
    return [
        _point(gettext(manner.name), turns[habit])
        for habit, manner in MANNERS.items()
        if habit in turns and manner.name not in said
    ]
