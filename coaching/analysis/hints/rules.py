"""The rules, and which of what they find is shown.

A rule reads ``TurnFacts`` alone. A hint's ``weight`` says how pressing it is, in [0, 1]; the scale is a judgement,
the same for every game. Hints under one ``topic`` would give advice on the same decision, so only the strongest speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from coaching.analysis.hints import pace, pressing, talking, unused
from coaching.analysis.hints.facts import TurnFacts, read_facts
from coaching.analysis.hints.hint import Hint
from negotiation.engine.deal import Scenario

SHOWN = 3
RULES: tuple[Callable[[TurnFacts], Hint | None], ...] = (
    pressing.tension,
    pressing.claim,
    pressing.deadline,
    pressing.close,
    pressing.beyond,
    talking.objection,
    talking.news_of_theirs,
    pace.unanswered,
    pace.slowing,
    pace.pace,
    pace.hold,
    unused.news,
    unused.terms,
    unused.first_number,
    unused.ask,
)


def hints(
    frames: Sequence[Mapping[str, Any]],
    posterior: Mapping[str, Any],
    scenario: Scenario,
    before: Mapping[str, Any] | None = None,
) -> list[Hint]:
    """The hints after the last whole turn, most pressing first; arguments as in ``read_facts``.

    Args:
        before: the observer's posterior a turn ago: what it would have said then in the same words is not said again.
    """
    facts = read_facts(frames, posterior, scenario)
    if facts is None or facts.left <= 0:
        return []
    earlier = None if before is None else read_facts(_a_turn_ago(frames), before, scenario)
    said = set() if earlier is None else {hint.say for hint in found_in(earlier)}
    return ranked([hint for hint in found_in(facts) if hint.say not in said])


def _a_turn_ago(frames: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The log without its last turn: up to where the turn before was closed, with what came with that."""
    moves = [place for place, frame in enumerate(frames) if frame.get("type") == "player_moved"]
    return frames[: moves[-1]] if moves else ()


def found_in(facts: TurnFacts) -> list[Hint]:
    """What every rule has to say."""
    return [hint for rule in RULES if (hint := rule(facts)) is not None]


def ranked(found: Iterable[Hint]) -> list[Hint]:
    """The strongest hint of each topic, the most pressing of those."""
    topics: dict[str, Hint] = {}
    for hint in sorted(found, key=lambda hint: -hint.weight):
        topics.setdefault(hint.topic, hint)
    return list(topics.values())[:SHOWN]
