"""What a deal was good for: praise that its figures carry, and that nothing said against the deal denies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coaching.analysis.findings import Finding
from coaching.analysis.wording import gettext

NOTHING_LOST = 0.01
"""A move is praised below this regret only."""
MOST = 2

Seen = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Praise:
    """One thing done well: ``found`` gives its sentence and turns where it holds; ``denied_by`` names lessons that, told
    of the same deal, silence it."""

    found: Callable[[Seen, Mapping[int, Seen]], tuple[str, list[int]] | None]
    denied_by: frozenset[str]


def praised(
    debrief: Seen, review: Mapping[str, Any] | None, against: Sequence[Finding]
) -> list[tuple[str, list[int]]]:
    """What to keep, at most :data:`MOST`, with the turns that it rests on. Without a review nothing is praised."""
    if review is None:
        return []
    good = {
        move["turn"]: move
        for move in review["moves"]
        if move["label"] == "best" and move["regret"] < NOTHING_LOST
    }
    denied = {each.lesson.id for each in against}
    found = (each.found(debrief, good) for each in PRAISE if not each.denied_by & denied)
    return [each for each in found if each is not None][:MOST]


def _called(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    caught = [claim for claim in debrief["bluffs"]["theirs"] if claim["verdict"] == "caught"]
    if not caught:
        return None
    money = f"{debrief['currency']}{caught[0]['claim']:,.0f}"
    return gettext("You doubted the {limit} that they gave as their limit, and it was none.", limit=money), [
        claim["settled_on"] for claim in caught
    ]


def _learned(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    found = debrief.get("discovery")
    opening = debrief["conduct"]["concessions"]["opening"]
    if not found or opening is None:
        return None
    learned = [
        each for each in found["learned"] if each["turn"] <= opening["turn"] and each["stands"] != "false"
    ]
    if not learned:
        return None
    said = learned[0]["says"].removeprefix("above all, ")
    told = gettext("You asked before you named a number, and learned: {said}.", said=said)
    return told, sorted({each["turn"] for each in learned})


def _opened(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    opening = debrief["conduct"]["concessions"]["opening"]
    if opening is None or opening["turn"] not in good:
        return None
    money = f"{debrief['currency']}{opening['price']:,.0f}"
    return gettext("Your first number, {price}: no other would have been worth more.", price=money), [
        opening["turn"]
    ]


def _gave_for_something(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    concessions = debrief["conduct"]["concessions"]
    turns = [step["turn"] for step in concessions["steps"] if step["turn"] in good and not step["unasked"]]
    if len(turns) < 2 or concessions["unasked"]:
        return None
    return gettext("Each step of yours came after one of theirs."), turns


def _held(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    steps = {step["turn"] for step in debrief["conduct"]["concessions"]["steps"]}
    turns = [
        turn
        for turn, move in good.items()
        if turn not in steps and move["played"]["offer"] is not None and move["played"]["gives"] == 0
    ]
    return (
        (gettext("You stayed where you were when staying was right."), turns)
        if len(turns) > 1 and steps
        else None
    )


def _ended(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    head = debrief["headline"]
    if head["turns"] not in good or head["floor_breached"]:
        return None
    if head["reason"] == "player_accepted":
        return gettext("You took their offer when nothing better was to be expected."), [head["turns"]]
    if head["reason"] == "player_walked" and not head["zone_existed"]:
        return gettext("You left a table where no price suited both."), [head["turns"]]
    return None


def _traded(debrief: Seen, good: Mapping[int, Seen]) -> tuple[str, list[int]] | None:
    turns = [turn for turn, move in good.items() if move["played"]["kind"] == "trade"]
    return (gettext("The terms that you traded were worth more than they cost."), turns) if turns else None


_LESS = ("gave_most", "gave_at_deadline", "gave_unasked", "gave_too_much", "overbid", "beyond_limit")
_MORE = ("took_back", "answered_nothing", "answered_little", "stood_still", "stayed_put", "gave_too_little")

PRAISE: tuple[Praise, ...] = (
    Praise(_called, frozenset({"false_call", "bluff_uncalled", "call_untried"})),
    Praise(_learned, frozenset({"unasked", "no_anchor"})),
    Praise(
        _ended, frozenset({"accepted_early", "accepted_moving", "left_early", "left_within", *_LESS[-2:]})
    ),
    Praise(_traded, frozenset({"terms_untraded"})),
    Praise(_gave_for_something, frozenset({*_LESS, *_MORE})),
    Praise(_opened, frozenset({"opened_low", "opened_far", "no_anchor"})),
    Praise(_held, frozenset({*_MORE, "insulted"})),
)


def points(found: Sequence[tuple[str, list[int]]]) -> Iterator[dict[str, Any]]:
    """As points of a list, each with its turns."""
    for text, turns in found:
        yield {"text": text, "turns": sorted(set(turns))}
