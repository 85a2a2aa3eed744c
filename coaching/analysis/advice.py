"""Keep, start, stop: what one deal says about the next, from facts of its log and its review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from coaching.analysis.review.labels import FAULTS
from coaching.analysis.rewrites import HABITS, Rewrite

MOST = 3
"""So many points a list: more are not taken along."""
CALM = ("calm", "warm")

_SKILL_ADVICE = {
    "opening": "Open with more room: the first numbers set the range.",
    "probing": "Ask before you give: a question costs nothing and moves them.",
    "pacing": "Let each step be smaller than the last, and wait for theirs.",
    "bluff_calls": "Weigh a stated limit against the offers before it, and call the one that does not fit.",
    "closing": "Look at what lies on the table each turn: is more still coming?",
    "tension": "Mind the heat: a silence or a kind word before the next push.",
    "packaging": "Trade terms before you give money.",
}


class Point(TypedDict):
    """One point, with the turns that it rests on."""

    text: str
    turns: list[int]


class Advice(TypedDict):
    """What to go on with, what to begin, what to leave."""

    keep: list[Point]
    start: list[Point]
    stop: list[Point]


def advice(
    debrief: Mapping[str, Any],
    case: Mapping[str, Any],
    found: Sequence[Rewrite],
    review: Mapping[str, Any] | None,
) -> Advice:
    """The points of one deal, the weightiest first, at most ``MOST`` each.

    Args:
        case: the same deal as ``coaching.analysis.cases.case_of`` gives it.
        found: the rewrites of its sentences.
        review: its move review, once there is one. Better moves stay hidden: only skills and labels are read.
    """
    return {
        "keep": _keep(debrief, case, review)[:MOST],
        "start": _start(debrief, case, review)[:MOST],
        "stop": _stop(debrief, found)[:MOST],
    }


def _point(text: str, turns: Sequence[int] = ()) -> Point:
    return {"text": text, "turns": sorted(set(turns))}


def _keep(
    debrief: Mapping[str, Any], case: Mapping[str, Any], review: Mapping[str, Any] | None
) -> list[Point]:
    points = []
    caught = [claim["settled_on"] for claim in debrief["bluffs"]["theirs"] if claim["verdict"] == "caught"]
    if caught:
        points.append(_point("Calling false limits.", caught))
    if case["opening"] is not None and case["questions_first"]:
        points.append(_point("Asking before the first number."))
    steps = debrief["conduct"]["concessions"]
    if steps["steps"] and not steps["unasked"]:
        points.append(_point("Giving only against something."))
    best = [move["turn"] for move in (review or {}).get("moves", ()) if move["label"] == "best"]
    if len(best) > 1:
        points.append(_point("What you did on these turns: nothing would have been better.", best))
    if steps["curve"] is not None and steps["curve"]["manner"] == "firm":
        points.append(_point("Holding firm early and giving late."))
    if all(row["band"] in CALM for row in debrief["tension"]):
        points.append(_point("Keeping the table cool."))
    return points


def _start(
    debrief: Mapping[str, Any], case: Mapping[str, Any], review: Mapping[str, Any] | None
) -> list[Point]:
    points = []
    lost: Counter[str] = Counter()
    where: dict[str, list[int]] = {}
    for move in (review or {}).get("moves", ()):
        if move["label"] in FAULTS and move["skill"]:
            lost[move["skill"]] += move["regret"]
            where.setdefault(move["skill"], []).append(move["turn"])
    points += [_point(_SKILL_ADVICE[skill], where[skill]) for skill, _ in lost.most_common(2)]
    if case["opening"] is not None and not case["questions_first"] and "probing" not in where:
        points.append(_point("Ask what matters to them before you name a number.", [case["opening"]["turn"]]))
    stood = [c["turn"] for c in debrief["bluffs"]["theirs"] if c["bluff"] and c["verdict"] != "caught"]
    if stood and "bluff_calls" not in where:
        points.append(_point("Question the limits that they state: these were false, and stood.", stood))
    if not debrief["beliefs"]["by_turn"]:
        points.append(_point("Write down where you think their limit lies, and change it as they move."))
    return points


def _stop(debrief: Mapping[str, Any], found: Sequence[Rewrite]) -> list[Point]:
    points = []
    if debrief["headline"]["floor_breached"]:
        points.append(_point("Closing beyond your own limit.", [debrief["headline"]["turns"]]))
    turns: dict[str, list[int]] = {}
    steps = debrief["conduct"]["concessions"]["steps"]
    unasked = [step["turn"] for step in steps if step["unasked"]]
    if unasked:
        turns["unasked"] = unasked
    for rewrite in found:
        for habit in rewrite.habits:
            if habit != "unasked":
                turns.setdefault(habit, []).append(rewrite.turn)
    points += [_point(f"{HABITS[habit]}.", turns[habit]) for habit in HABITS if habit in turns]
    return points
