"""What a hint is, and what several rules need to make one."""

from __future__ import annotations

from dataclasses import dataclass

from coaching.analysis.hints.facts import TurnFacts
from coaching.analysis.hints.words import money, price

NOTICEABLE = 0.015
"""Sums under this share of the nominal zone are noise to a person."""
LIKELY, UNLIKELY = 0.65, 0.35
"""From and up to which probability a hint says "probably" and "hardly"."""


@dataclass(frozen=True, slots=True)
class Spark:
    """A tiny line beside the evidence: values by turn, the range it is drawn in, and a band worth seeing in it."""

    values: tuple[float, ...]
    label: str
    unit: str
    low: float
    high: float
    band: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """What to whisper (``say``, to the player), why (``title``, to the coach), and what shows it."""

    kind: str
    topic: str
    weight: float
    title: str
    say: str
    evidence: str
    spark: Spark | None = None


def noise(facts: TurnFacts) -> float:
    """The least sum worth a word."""
    return max(NOTICEABLE * facts.scenario.nominal_width, facts.scenario.step / 2)


def standing_words(facts: TurnFacts) -> str:
    """Their offer against the rep's own limit."""
    gain = facts.gain or 0.0
    side = "better than" if gain >= 0 else "short of"
    return f"Their {price(facts.table['standing_offer'], facts)} is {money(abs(gain), facts)} {side} the rep’s limit."


def signed(value: float, facts: TurnFacts) -> str:
    """A sum with its sign."""
    return ("+" if value > 0 else "−" if value < 0 else "") + money(abs(value), facts)


def ends(values: list[float]) -> tuple[float, float]:
    """The least and the greatest."""
    return min(values), max(values)


def offers_spark(facts: TurnFacts) -> Spark | None:
    """Their offers as worth to the player, and, where only the price is open, the band of their limit."""
    values = tuple(worth for worth in facts.theirs if worth is not None)
    if len(values) < 2:
        return None
    band = None if facts.scenario.issues else facts.observer.span()
    return Spark(values, "Their offers by turn", "money", *ends([*values, *(band or ())]), band)
