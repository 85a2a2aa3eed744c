"""The rules, and which of what they find is shown.

A rule reads ``TurnFacts`` alone. A hint's ``weight`` says how pressing it is, in [0, 1]; the scale is a judgement,
the same for every game. Hints under one ``topic`` would give advice on the same decision, so only the strongest speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from coaching.analysis.hints import pace, pressing, unused
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
    frames: Iterable[Mapping[str, Any]], posterior: Mapping[str, Any], scenario: Scenario
) -> list[Hint]:
    """The hints after the last whole turn, most pressing first; arguments as in ``read_facts``."""
    facts = read_facts(frames, posterior, scenario)
    return [] if facts is None or facts.left <= 0 else ranked(facts)


def ranked(facts: TurnFacts) -> list[Hint]:
    """The strongest hint of each topic, the most pressing of those."""
    found = [hint for rule in RULES if (hint := rule(facts)) is not None]
    topics: dict[str, Hint] = {}
    for hint in sorted(found, key=lambda hint: -hint.weight):
        topics.setdefault(hint.topic, hint)
    return list(topics.values())[:SHOWN]
