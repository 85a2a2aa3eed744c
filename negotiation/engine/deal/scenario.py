"""Scenarios: what is being bought, from which ranges hidden truth is drawn, what happens on the way.

A scenario is one TOML file under ``engine/data/scenarios``; its numbers live there and nowhere else.
``scenario_file.py`` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.issues import Issue, bundle_worths
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language import MoneyContext, OptionNames, Setting, asked_terms, mentions_terms


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat: its public brief, and the ranges its hidden truth is drawn from.

    ``walk_away`` is the centre in money and ``jitter`` its relative standard deviation (cut at two).
    ``budget_gap`` is how far beyond the walk-away the hard limit lies, relative to it; ``alternative_gap``
    how far short of the walk-away the alternative is worth. ``sensitivity`` scales market events when a
    person sits here (a persona brings its own).
    """

    role: str
    company: str
    brief: str
    goals: tuple[str, ...]
    walk_away: float
    jitter: float
    budget_gap: tuple[float, float]
    urgency: tuple[float, float]
    alternative_probability: float
    alternative_gap: tuple[float, float]
    alternative_label: str
    opening: float
    sensitivity: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What an event does to one seat: relative change of walk-away, change of urgency, an alternative."""

    walk_away: float = 0.0
    urgency: float = 0.0
    alternative: bool | None = None


@dataclass(frozen=True, slots=True)
class DriftEvent:
    """News at a fixed turn that changes hidden truth of the seats it concerns."""

    id: str
    turn: int
    headline: str
    effects: Mapping[Seat, Effect]


@dataclass(frozen=True, slots=True)
class MarketEvent:
    """A public headline whose relative effect on each walk-away is hidden.

    ``effect = sensitivity * impact + noise`` with ``noise ~ N(0, noise)``.
    """

    id: str
    headline: str
    impact: Mapping[Seat, float]
    noise: float


@dataclass(frozen=True, slots=True)
class Sweetener:
    """A non-price concession (Raiffa 1982): worth more to the receiver than it costs the giver.

    Both figures are shares of the nominal zone's width.
    """

    giver: Seat
    name: str
    worth: float
    cost: float


@dataclass(frozen=True)
class Scenario:
    """A deal that can be played from either seat. Without slots, so that what follows from it is worked out once."""

    id: str
    title: str
    summary: str
    setting: Setting
    currency: str
    per_label: str
    step: float
    plausible_low: float
    plausible_high: float
    horizon: int
    erosion_rate: float
    empty_zone_probability: float
    market_events_per_game: tuple[int, int]
    seats: Mapping[Seat, SeatSpec]
    drift: tuple[DriftEvent, ...]
    market: tuple[MarketEvent, ...]
    sweeteners: tuple[Sweetener, ...]
    issues: tuple[Issue, ...] = ()

    @cached_property
    def nominal_width(self) -> float:
        """What there is to share between the centres of both seats, in money: the price zone and the best terms."""
        return self.seats["buyer"].walk_away - self.seats["seller"].walk_away + self.nominal_joint_gain

    @property
    def nominal_joint_gain(self) -> float:
        """The most that terms beside the price add for both seats together, at the centres; 0 without issues."""
        return _nominal_joint_gain(self.issues)

    def nominal_worths(self, seat: Seat) -> Array:
        """What each bundle of terms is typically worth to ``seat`` beyond the first; shape ``(bundles,)``."""
        return _nominal_worths(self.issues, seat)

    @cached_property
    def nominal_middle(self) -> float:
        return (self.seats["buyer"].walk_away + self.seats["seller"].walk_away) / 2

    @property
    def stakes_label(self) -> str:
        low, high = self.seats["seller"].walk_away, self.seats["buyer"].walk_away
        return f"{short_money(low, self.currency)}\u2013{short_money(high, self.currency)} {self.per_label}"

    @cached_property
    def money(self) -> MoneyContext:
        """How the reader and the speaker of words should take figures in this deal."""
        named = re.search(r"\b(?:per (\w+)|(year|annual))", self.per_label.lower())
        per = (named[1] or "year") if named else ""
        return MoneyContext(self.plausible_low, self.plausible_high, self.currency, per)

    @property
    def option_names(self) -> tuple[OptionNames, ...]:
        """What people call the options of all issues, for the reader of words."""
        return tuple(
            OptionNames(issue.id, option.id, (option.label, *option.says))
            for issue in self.issues
            for option in issue.options
        )

    def terms_asked(self, text: str) -> dict[str, frozenset[str]]:
        """What a question in the text asks about of what goes with the price: issue to the options named."""
        if not self.issues or "?" not in text:
            return {}
        return asked_terms(text, self.option_names, {issue.id: issue.title for issue in self.issues})

    def speaks_of(self, question: str) -> bool:
        """Whether a question is about what goes with the price, which the table answers and no case."""
        return mentions_terms(question, self.option_names) or bool(self.terms_asked(question))

    def sweeteners_of(self, seat: Seat) -> tuple[Sweetener, ...]:
        return self._sweeteners_by_giver[seat]

    @cached_property
    def _sweeteners_by_giver(self) -> dict[Seat, tuple[Sweetener, ...]]:
        return {seat: tuple(each for each in self.sweeteners if each.giver == seat) for seat in SIGN}

    def round(self, price: float) -> float:
        """The nearest price on the scenario's grid of whole steps."""
        return round(price / self.step) * self.step

    def rounded(self, prices: Array) -> Array:
        """As :meth:`round`, for many prices at once."""
        return np.rint(prices / self.step) * self.step


@lru_cache(maxsize=256)
def _nominal_worths(issues: tuple[Issue, ...], seat: Seat) -> Array:
    values = [[o.value[seat] - issue.options[0].value[seat] for o in issue.options] for issue in issues]
    return bundle_worths(issues, values)


@lru_cache(maxsize=256)
def _nominal_joint_gain(issues: tuple[Issue, ...]) -> float:
    return float((_nominal_worths(issues, "seller") + _nominal_worths(issues, "buyer")).max())


def short_money(value: float, currency: str) -> str:
    """``125000`` as ``$125k``, ``10500000`` as ``$10.5M``: for headings, never for binding figures."""
    if abs(value) >= 1_000_000:
        return f"{currency}{value / 1_000_000:g}M"
    return f"{currency}{value / 1000:g}k"
