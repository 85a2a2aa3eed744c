"""How hints write money, chances and rows of steps."""

from __future__ import annotations

from collections.abc import Sequence

from coaching.analysis.hints.facts import TurnFacts
from negotiation.engine.language import format_money


def price(value: float, facts: TurnFacts) -> str:
    """A price exactly as it was named: $148,250."""
    return format_money(value, facts.scenario.money)


def money(value: float, facts: TurnFacts) -> str:
    """A sum to the scenario's step: $148,000."""
    return format_money(facts.scenario.round(value), facts.scenario.money)


def about(value: float, facts: TurnFacts) -> str:
    """A sum of which only the order counts, never less than one step: about $3,000."""
    return f"about {money(max(facts.scenario.step, abs(value)), facts)}"


def steps(values: Sequence[float], facts: TurnFacts) -> str:
    """A row of steps: $3,000, $500, nothing."""
    return ", ".join(
        ("−" if value < 0 else "") + money(abs(value), facts)
        if abs(value) >= facts.scenario.step / 2
        else "nothing"
        for value in values
    )


def chance(share: float) -> str:
    """A probability as a person says it; neither certainty is ever claimed."""
    return f"{min(99, max(1, round(100 * share)))}%"


def span(facts: TurnFacts) -> str:
    """Where the observer puts their limit: $149,000 to $158,000."""
    low, high = facts.observer.span()
    return f"{money(low, facts)} to {money(high, facts)}"


def turns(count: int) -> str:
    """One turn, 3 turns."""
    return "one turn" if count == 1 else f"{count} turns"
