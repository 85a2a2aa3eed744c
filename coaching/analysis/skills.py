"""How good a person is at each skill, as far as their games can tell.

A rating is the mean of a Beta posterior (Gelman et al. 2013, ch. 2): each game adds its score, weighed by how much
it observed and by how long ago it was. Old evidence fades with a half-life, so a rating that is not fed drifts
back to the prior and its interval widens again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from coaching.analysis.review.lessons import SKILLS, Skill
from coaching.analysis.wording import gettext_noop

__all__ = [
    "NAMES",
    "RELIABLE_FROM",
    "SKILLS",
    "USUAL",
    "Observed",
    "Skill",
    "SkillRating",
    "course",
    "effective",
    "excess",
    "focus",
    "rate",
    "weeks_running",
]

NAMES: dict[Skill, str] = {
    "opening": gettext_noop("Opening"),
    "probing": gettext_noop("Probing"),
    "pacing": gettext_noop("Pacing"),
    "bluff_calls": gettext_noop("Calling bluffs"),
    "closing": gettext_noop("Closing"),
    "tension": gettext_noop("Keeping cool"),
    "packaging": gettext_noop("Trading terms"),
}
ABOUT: dict[Skill, str] = {
    "opening": gettext_noop("The first numbers: far enough to leave room, near enough to be believed."),
    "probing": gettext_noop("Questions before numbers, and what you make of the answers."),
    "pacing": gettext_noop("How much you give, and when, between the first offer and the last."),
    "bluff_calls": gettext_noop("False limits called, true ones left alone."),
    "closing": gettext_noop("Taking what is good enough, leaving what is not, and no deal lost."),
    "tension": gettext_noop("The heat at the table, and what it cost."),
    "packaging": gettext_noop("Terms traded until nobody leaves money unclaimed."),
}

HALF_LIFE = 45.0
"""Days after which a game counts half."""
LEVEL = 0.9
WIDE = 0.5
"""A rating whose interval is wider than this says less than "not enough games yet"."""
_ALIKE = 0.5
"""How much observations within one game repeat each other (their intraclass correlation)."""
USUAL: dict[Skill, tuple[float, float]] = {
    "opening": (0.0297, 0.0494),
    "probing": (0.0, 0.0),
    "pacing": (0.2723, 0.2813),
    "bluff_calls": (0.0312, 0.0537),
    "closing": (0.0265, 0.0748),
    "tension": (0.0, 0.0),
    "packaging": (0.0544, 0.1304),
}
"""What faults of each skill give away in a deal of a middling rep, in shares of the zone: mean and standard deviation
(``bench/skills.py``)."""
RELIABLE_FROM: dict[Skill, int] = {
    "opening": 7,
    "probing": 5,
    "pacing": 14,
    "bluff_calls": 5,
    "closing": 13,
    "tension": 23,
    "packaging": 11,
}
"""The deals that put a skill to the test from which its figure tells players apart with a reliability of .7
(``bench/reliability.py``): before, it is no figure to show."""
_LEAST_SPREAD = 0.02
_GRID = (np.arange(2000) + 0.5) / 2000


@dataclass(frozen=True, slots=True)
class Observed:
    """What one game said of a skill: a score in [0, 1], how much it weighs, and how many days ago it was."""

    score: float
    weight: float
    age: float


@dataclass(frozen=True, slots=True)
class SkillRating:
    """A skill as far as it is known: the posterior's mean and central 90% interval, all in [0, 1].

    ``games`` is the effective sample size: how many fresh observations the evidence amounts to.
    """

    mean: float
    low: float
    high: float
    games: float

    @property
    def width(self) -> float:
        """How far the interval reaches."""
        return self.high - self.low

    @property
    def sure(self) -> bool:
        """Whether the figure says enough to be shown."""
        return self.width <= WIDE


def effective(observations: float) -> float:
    """What so many observations within one game are worth, in independent ones (Kish 1965)."""
    return observations / (1 + (observations - 1) * _ALIKE) if observations >= 1 else observations


def rate(evidence: Iterable[Observed]) -> SkillRating:
    """The rating that this evidence supports; without any it is the flat prior."""
    good = bad = 0.0
    for seen in evidence:
        counts = seen.weight * 0.5 ** (max(0.0, seen.age) / HALF_LIFE)
        good += counts * seen.score
        bad += counts * (1 - seen.score)
    low, high = _interval(1 + good, 1 + bad)
    return SkillRating((1 + good) / (2 + good + bad), low, high, good + bad)


def _interval(a: float, b: float) -> tuple[float, float]:
    """The central interval of Beta(a, b), read off a grid of 2000 points."""
    log = (a - 1) * np.log(_GRID) + (b - 1) * np.log1p(-_GRID)
    mass = np.exp(log - log.max())
    cumulative = np.cumsum(mass) / mass.sum()
    ends = np.searchsorted(cumulative, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    low, high = _GRID[np.minimum(ends, len(_GRID) - 1)].tolist()
    return low, high


def course(evidence: Sequence[Observed], last: int = 12) -> list[float]:
    """The rating's mean as it stood after each of the last games, oldest first.

    Args:
        evidence: oldest first.
    """
    found = []
    for end in range(max(1, len(evidence) - last + 1), len(evidence) + 1):
        then = evidence[end - 1].age
        known = [Observed(each.score, each.weight, each.age - then) for each in evidence[:end]]
        found.append(rate(known).mean)
    return found


def excess(regret: Mapping[Skill, float]) -> dict[Skill, float]:
    """How much more than usual faults of each skill give away, in usual deviations.

    Args:
        regret: of a deal on average, in shares of the zone.
    """
    return {
        skill: (regret.get(skill, 0.0) - mean) / max(_LEAST_SPREAD, spread)
        for skill, (mean, spread) in USUAL.items()
    }


def focus(regret: Mapping[Skill, float]) -> list[Skill]:
    """The skills worth practising, first what costs this person more than it costs others.

    Most moves are offers, so most regret is put down to pacing: what is usual says nothing of a person.

    Args:
        regret: what faults of each skill gave away in a deal on average, in shares of the zone.
    """
    beyond = excess(regret)
    return sorted((skill for skill in SKILLS if regret.get(skill, 0.0) > 0), key=lambda skill: -beyond[skill])


def weeks_running(days: Iterable[date], today: date) -> int:
    """Weeks in a row with anything done in them, up to this one; a week that has only begun breaks nothing."""
    mondays = {day - timedelta(days=day.weekday()) for day in days}
    week = today - timedelta(days=today.weekday())
    if week not in mondays:
        week -= timedelta(weeks=1)
    count = 0
    while week in mondays:
        count += 1
        week -= timedelta(weeks=1)
    return count
