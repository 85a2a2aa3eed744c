"""What there was to learn in a deal with a case, what was learned, and what held the other side back.

It reads the frames of the log as a coach sees them, and the case as its author wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coaching.analysis.finished_log import FinishedLog
from negotiation.engine.deal.case.declared import DealCase, Objection, SeatCase
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS, TOPIC_WORDS
from negotiation.engine.deal.types import OTHER_SEAT


def discovery(log: FinishedLog, case: DealCase | None) -> dict[str, Any] | None:
    """The map of discovery; ``None`` where there was no case. Money in whole currency units.

    ``learned`` are the facts that were told, in order, with how each stands to what its teller took for true; ``missed``
    those that were not, the least guarded first, each with the question that opens its topic; ``objections`` what held
    the other side back, and what of it was left when the deal ended; ``exposed`` claims of the player's that were found out.
    ``money`` of a fact is what the terms that meet its need make for both, at the first fact on that need; ``None`` where
    no figure follows from it.
    """
    graded = {(fact["seat"], fact["id"]): fact for turn in log.graded for fact in turn.get("facts", ())}
    if case is None or not graded:
        return None
    other = OTHER_SEAT[log.seat]
    truths = [fact for (seat, _), fact in graded.items() if seat == other]
    told = _told(log)
    missed = sorted((each for each in truths if each["id"] not in told), key=lambda each: int(each["guard"]))
    questions = OPENING_QUESTIONS[other]
    left = _worth_of_needs(log, case.seats[other])

    def money(id_: str) -> int | None:
        return left.pop(case.seats[other].fact[id_].need, None)

    return {
        "there": len(truths),
        "learned": [
            {
                **each,
                "about": TOPIC_WORDS[each["topic"]],
                "stands": _stands(each, graded[other, id_]),
                "money": money(id_),
            }
            for id_, each in told.items()
        ],
        "missed": [
            {
                "about": TOPIC_WORDS[each["topic"]],
                "says": each["says"],
                "guard": each["guard"],
                "question": questions.get(each["topic"]),
                "asked": _was_asked(log, each["topic"]),
                "money": money(each["id"]),
            }
            for each in missed
        ],
        "objections": _objections(log, case.seats[other], case.seats[log.seat]),
        "given": sum(
            1 for move in log.player.values() for done in move.get("talk", ()) if done["act"] == "disclose"
        ),
        "exposed": [
            {"turn": turn, "says": case.seats[log.seat].claim[claim].says}
            for turn, move in log.opponent.items()
            for claim in move.get("exposed", ())
        ],
    }


def _told(log: FinishedLog) -> dict[str, dict[str, Any]]:
    """Facts told, by id, in the order in which they were first told; with what was last said of their proof."""
    told: dict[str, dict[str, Any]] = {}
    for move in log.opponent.values():
        for fact in move.get("told", ()):
            told[fact["id"]] = {**fact, "turn": told.get(fact["id"], fact)["turn"]}
    return told


def _worth_of_needs(log: FinishedLog, side: SeatCase) -> dict[str, int]:
    """For each need that terms can meet, what the best of them makes for both beyond the usual one, at the start."""
    both = [seat.get("values") or () for seat in (log.first_truth["player"], log.first_truth["opponent"])]
    makes = {
        f"{issue.id}.{option.id}": own + theirs
        for issue, *values in zip(log.scenario.issues, *both, strict=False)
        for option, own, theirs in zip(issue.options, *values, strict=True)
    }
    return {
        need.id: round(max(0.0, *(makes[each] for each in need.options)))
        for need in side.needs
        if makes and need.options
    }


def _stands(told: Mapping[str, Any], truth: Mapping[str, Any]) -> str:
    """How what was said stands to what its teller takes for true at the end."""
    if truth["lied"]:
        return "false"
    return "true" if told["says"] == truth["says"] else "overtaken"


def _was_asked(log: FinishedLog, topic: str) -> bool:
    """Whether the player asked about a topic at all: what was not told then takes more trust, or a better question."""
    return any(
        done["topic"] == topic and done["act"].startswith(("ask", "follow"))
        for move in log.player.values()
        for done in move.get("talk", ())
    )


def _objections(log: FinishedLog, side: SeatCase, own: SeatCase) -> list[dict[str, Any]]:
    raised = {each["id"]: turn for turn, move in log.opponent.items() for each in move.get("raised", ())}
    last = log.graded[-1].get("objections", ())
    width = log.scenario.nominal_width
    return [
        {
            "about": TOPIC_WORDS[each["topic"]],
            "says": each["says"],
            "raised": raised.get(each["id"]),
            "held": round(each["hold"] * width),
            "left": round(each["hold"] * each["left"] * width),
            "answer": _best_answer(side.objection[each["id"]], own),
        }
        for each in sorted(last, key=lambda each: -float(each["hold"]))
    ]


def _best_answer(objection: Objection, own: SeatCase) -> str | None:
    """The argument of the player's sheet that answers most of an objection."""
    answers = {id_: share for id_, share in objection.answers.items() if id_ in own.argument}
    return own.argument[max(answers, key=lambda id_: answers[id_])].says if answers else None
