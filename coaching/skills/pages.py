"""What the pages of practice show: a question, or what became of the answer."""

from __future__ import annotations

from typing import Any, cast

from django.utils import timezone

from coaching.analysis.drills import EXERCISES
from coaching.analysis.skills import Skill
from coaching.skills import selectors
from coaching.skills.models import PracticeCard, PracticeRun
from negotiation import catalogue
from negotiation.engine.deal import SIGN, Scenario
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.selectors import money_frame

Page = tuple[str, dict[str, Any]]

_REACH = 1.3
"""How far the slider of a limit reaches around what is public, in nominal zones."""


def of_card(card: PracticeCard, step: int | None) -> Page:
    """The template and what it shows.

    Args:
        step: of a drill, the answered position to look at, from 1; ``None`` for where it stands.
    """
    shared = {
        "card": card,
        "told": selectors.described(card),
        "waiting": False,
        "due": card.due > timezone.now(),
    }
    if card.is_drill:
        template, more = _drill(card, step)
    else:
        template, more = _puzzle(card)
    return template, {**shared, **more}


def _drill(card: PracticeCard, step: int | None) -> Page:
    run = selectors.run_shown(card)
    if run is None or not run.positions:
        return "skills/drill.html", {"waiting": True}
    done = len(run.answers)
    number = min(step or done + 1, len(run.positions))
    if run.finished_at is not None and step is None:
        return "skills/drill_done.html", {
            "run": run,
            "rows": _answered(run),
            "guess": card.skill == "probing",
        }
    position = run.positions[number - 1]
    chosen = run.answers[number - 1]["choice"] if number <= done else None
    return "skills/drill.html", {
        "run": run,
        "number": number,
        "count": len(run.positions),
        "position": position,
        "money": money_frame(catalogue.shipped()[position["scenario"]]),
        "ruler": _ruler(position),
        "lesson": EXERCISES[cast(Skill, card.skill)],
        "guess": card.skill == "probing",
        "choices": _choices(position, chosen),
        "chosen": None if chosen is None else position["choices"][chosen],
        "last": number == len(run.positions),
    }


def _choices(position: dict[str, Any], chosen: int | None) -> list[dict[str, Any]]:
    """The moves on offer; with their worth only once one was chosen, then the best first."""
    if chosen is None:
        return [{"index": n, "text": each["text"]} for n, each in enumerate(position["choices"])]
    top = max(each["value"] for each in position["choices"])
    rows = [
        {
            **each,
            "index": n,
            "chosen": n == chosen,
            "share": 100 * max(0.0, each["value"]) / top if top > 0 else 0,
        }
        for n, each in enumerate(position["choices"])
    ]
    return sorted(rows, key=lambda each: -each["value"])


def _answered(run: PracticeRun) -> list[dict[str, Any]]:
    return [
        {"number": number, "position": position, "choice": position["choices"][answer["choice"]]}
        for number, (position, answer) in enumerate(zip(run.positions, run.answers, strict=True), 1)
    ]


def _puzzle(card: PracticeCard) -> Page:
    question = selectors.puzzle_question(card)
    scenario = catalogue.for_game(card.game) if card.game else None
    if scenario is None:
        raise selectors.PuzzleGone
    context: dict[str, Any] = {
        "question": question,
        "money": money_frame(scenario),
        "ruler": _ruler(question),
        "slider": _slider(question, scenario) if card.kind == PracticeCard.Kind.LIMIT else None,
        "answer": None,
    }
    last = card.runs.exclude(finished_at=None).order_by("-finished_at").first()
    if last is not None and card.due > timezone.now():
        answer, given = selectors.puzzle_answer(card), last.answers[0]
        context |= {"answer": answer, "given": given, "run": last}
        context["ruler"] |= _truth(question, answer, given)
    return f"skills/{card.kind}.html", context


def _ruler(shown: dict[str, Any]) -> dict[str, Any]:
    """What the ruler draws of a position: what both sides' offers are worth to the player, and the own limit."""

    def points(side: str) -> list[dict[str, Any]]:
        rows = [row for row in shown["offers"] if row[side] is not None]
        return [{"turn": row["turn"], "offer": row[f"{side}_worth"]} for row in rows]

    return {
        "seat": shown["seat"],
        "limit": shown["own_limit"],
        "yours": points("own"),
        "theirs": points("theirs"),
        "packages": any(row.get(f"{side}_terms") for row in shown["offers"] for side in ("own", "theirs"))
        or bool(shown.get("worths")),
    }


def _truth(question: dict[str, Any], answer: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """What the ruler shows besides once the answer is out: the zone as it was, and the band that was laid."""
    low, high = sorted((question["own_limit"], answer["truth"]))
    open_zone = SIGN[cast(Seat, question["seat"])] * (answer["truth"] - question["own_limit"]) > 0
    return {
        "truth": {"low": low, "high": high, "nash": None} if open_zone else None,
        "estimate": {"low": given["low"], "high": given["high"]} if "low" in given else None,
        "estimateLabel": "Your band",
    }


def _slider(question: dict[str, Any], scenario: Scenario) -> dict[str, float]:
    """Where a band may lie: around the market's public centre and all that was offered."""
    seat = cast(Seat, question["seat"])
    centre, width = scenario.seats[OTHER_SEAT[seat]].walk_away, scenario.nominal_width
    theirs = [row["theirs"] for row in question["offers"] if row["theirs"] is not None]
    low = scenario.round(min([centre - _REACH * width, *theirs]))
    high = scenario.round(max([centre + _REACH * width, *theirs]))
    last = theirs[-1] if theirs else centre
    # It begins around what they offer: neither of its ends says where the truth is.
    start = sorted((last, last + SIGN[seat] * 0.4 * width))
    return {
        "low": low,
        "high": high,
        "step": scenario.step,
        "from": scenario.round(start[0]),
        "to": scenario.round(start[1]),
    }
