"""The debrief in words: how it ended, where it was decided, what could be known there, and one thing for next time.

Five rules: the ending with its surplus and share; the one turn that decided it; what its player could know; one act, one
figure, one line; praise only for what cost nothing, and luck named as luck.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from coaching.analysis.costs import cost_of
from coaching.analysis.findings import Reviewed, decided, findings
from coaching.analysis.praise import praised
from coaching.analysis.review.lessons import BY_ID, reason_of
from coaching.analysis.wording import gettext, gettext_noop, spoken
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.language import format_money
from negotiation.engine.shares import percent

LUCKY = 0.2
"""A share so far above the expert's at the same table, despite faults, is called luck."""
FAULTY = 0.07
"""Faults that gave away at least this share of the room are faults to speak of."""


NO_ROOM = gettext_noop("No turn decided it: no price suited both, so whatever was said, no deal was right.")
NO_FAULT = gettext_noop("No turn decided it: no move gave away more than could be told from chance.")


class Decided(TypedDict):
    """The turn that decided a deal. ``again`` are later turns with the same lesson; ``cost`` is what the move cost by itself
    and ``advised`` what playing on as advised from there would have brought more, in money."""

    turn: int
    label: str | None
    text: str
    knew: list[str]
    again: list[int]
    cost: float | None
    advised: float | None


class Next(TypedDict):
    """What to do next time: the act, the price that goes with it, what to say, the turn to try it from, the skill."""

    act: str
    line: str
    figure: float | None
    turn: int
    skill: str


class Story(TypedDict):
    """The debrief's words. Without a review there is only the ending yet; ``nothing`` says why no turn decided it."""

    ended: list[str]
    reviewed: bool
    decided: Decided | None
    nothing: str
    next: Next | None
    kept: list[str]
    luck: str


def story(
    debrief: Mapping[str, Any],
    review: Mapping[str, Any] | None,
    scenario: Scenario,
    persona: str,
    expert: Mapping[str, Any] | None = None,
) -> Story:
    """What is told of a finished deal before anything else.

    Args:
        persona: the name of who sat across.
        expert: the expert's deal at the same table, as a case, where there is one.
    """
    key, against = decided(review), findings(review)
    head = debrief["headline"]
    hopeless = not head["zone_existed"] and not head["deal"]
    if hopeless and key is not None and not BY_ID[key["code"]].grave:
        key = None
    return {
        "ended": _ended(debrief, scenario, persona),
        "reviewed": review is not None,
        "decided": None if key is None else _decided(key, review, scenario),
        "nothing": gettext(NO_ROOM if hopeless else NO_FAULT),
        "next": None if key is None else _next(key),
        "kept": [text for text, _ in praised(debrief, review, against)],
        "luck": _luck(debrief, review, expert),
    }


def _ended(debrief: Mapping[str, Any], scenario: Scenario, persona: str) -> list[str]:
    head = debrief["headline"]
    return _closed(debrief, scenario, persona) if head["deal"] else _not_closed(debrief, scenario, persona)


def _closed(debrief: Mapping[str, Any], scenario: Scenario, persona: str) -> list[str]:
    head, added = debrief["headline"], debrief["headline"]["sums"]

    def money(amount: float) -> str:
        return format_money(scenario.round(amount), scenario.money)

    said = [
        gettext(
            "You closed with {name} at {price} on turn {turn}.",
            name=persona,
            price=money(head["price"]),
            turn=head["turns"],
        )
    ]
    if head["floor_breached"]:
        return [*said, gettext("That lies beyond your own walk-away: no deal would have been better.")]
    if added is None:
        return said
    said.append(
        gettext(
            "It came to {yours} for you, {share} of the {room} there was.",
            yours=money(added["yours"]),
            share=percent(head["efficiency"]),
            room=money(added["room"]),
        )
    )
    if head["further"] is not None and head["further"] >= scenario.step:
        said.append(gettext("They would have gone {further} further.", further=money(head["further"])))
    return said


def _not_closed(debrief: Mapping[str, Any], scenario: Scenario, persona: str) -> list[str]:
    head, zone, turn = debrief["headline"], debrief["zone"], debrief["headline"]["turns"]
    ending = {
        "player_walked": gettext("No deal. You left on turn {turn}.", turn=turn),
        "opponent_walked": gettext("No deal. {name} left on turn {turn}.", name=persona, turn=turn),
        "zone_collapsed": gettext("No deal. Open conflict ended it on turn {turn}.", turn=turn),
        "horizon": gettext("No deal. The last turn passed without agreement."),
    }
    said = [ending[head["reason"]]]
    if not head["zone_existed"]:
        return [*said, gettext("No price suited both: no deal was right.")]
    low, high = (format_money(zone[f"original_{end}"], scenario.money) for end in ("low", "high"))
    said.append(gettext("There was room from {low} to {high}.", low=low, high=high))
    last = _last_prices(debrief, scenario)
    return [*said, last] if last else said


def _last_prices(debrief: Mapping[str, Any], scenario: Scenario) -> str:
    """Where both stood at the end, as what their packages were worth to the player."""
    own = [row["own_worth"] for row in debrief["offers"] if row["own_worth"] is not None]
    theirs = [row["their_worth"] for row in debrief["offers"] if row["their_worth"] is not None]
    if not own or not theirs:
        return ""
    yours, other = (format_money(scenario.round(each[-1]), scenario.money) for each in (own, theirs))
    return gettext("At the end you stood at {yours}, they at {theirs}.", yours=yours, theirs=other)


def _decided(key: Reviewed, review: Mapping[str, Any] | None, scenario: Scenario) -> Decided:
    moves = (review or {}).get("moves", ())
    return {
        "turn": key["turn"],
        "label": key["label"],
        "text": reason_of(key),
        "knew": list(key["knew"]),
        "again": [
            each["turn"] for each in moves if each["turn"] > key["turn"] and each["code"] == key["code"]
        ],
        "cost": scenario.round(cost_of(key)) or None,
        "advised": scenario.round(key["regret_money"]) or None if key["better"] is not None else None,
    }


def _next(key: Reviewed) -> Next:
    lesson = key["lesson"]
    return {
        "act": spoken(lesson["act"]),
        "line": lesson["line"],
        "figure": lesson["figure"],
        "turn": key["turn"],
        "skill": lesson["skill"],
    }


def _luck(
    debrief: Mapping[str, Any], review: Mapping[str, Any] | None, expert: Mapping[str, Any] | None
) -> str:
    head = debrief["headline"]
    if review is None or expert is None or not head["deal"]:
        return ""
    share, usual = head["efficiency"], expert["efficiency"]
    if review["regret"] >= FAULTY and share >= usual + LUCKY:
        return gettext(
            "Some of it was luck: your moves gave away {lost} of what could be expected, "
            "and an expert got {usual} at this table.",
            lost=percent(min(1.0, review["regret"])),
            usual=percent(usual),
        )
    return ""
