"""How somebody concedes: the curve that their offers follow, what came back, and what was given for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from negotiation.engine.deal.types import SIGN, Seat

ENOUGH = 3
"""Offers after the first that a curve is fitted through."""
LEVEL = 0.95
_BETAS = np.geomspace(0.05, 20.0, 4001)
_EXACT = 1e-9
"""Squared error below which a curve fits as well as figures can say."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Faratin's ``beta`` with its 95% interval. Below 1 one holds firm and gives late, above 1 one gives early."""

    beta: float
    low: float
    high: float

    @property
    def manner(self) -> str:
        """In a word; an interval that holds 1 does not tell firm from yielding."""
        if self.high < 1:
            return "firm"
        return "yielding" if self.low > 1 else "even"


def way_given(time: np.ndarray[Any, Any], beta: float | np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Share of the way from the first offer to the own limit that is given by ``time``, the share of time used.

    The polynomial time-dependent tactic of Faratin, Sierra & Jennings (1998), whose offers start at the first one:
    ``t ** (1 / beta)``.
    """
    curve: np.ndarray[Any, Any] = time ** (1.0 / beta)
    return curve


def fit(points: Sequence[tuple[float, float]]) -> Curve | None:
    """The ``beta`` that offers follow, by least squares; ``None`` under ``ENOUGH`` points.

    The interval is the central one of the posterior under a flat prior on ``log beta`` and noise of unknown size,
    which is proportional to ``SSE ** (-n / 2)`` (Box & Tiao 1973), read off a grid.

    Args:
        points: (share of time used, share of the way given) for each offer after the first.
    """
    inside = [(time, given) for time, given in points if 0 < time < 1]
    if len(inside) < ENOUGH:
        return None
    time, given = np.array(inside).T
    errors = ((way_given(time[None, :], _BETAS[:, None]) - given[None, :]) ** 2).sum(axis=1)
    log = -len(inside) / 2 * np.log(np.maximum(errors, _EXACT))
    cumulative = np.cumsum(np.exp(log - log.max()))
    ends = np.searchsorted(cumulative / cumulative[-1], ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    low, high = _BETAS[np.minimum(ends, len(_BETAS) - 1)]
    return Curve(float(_BETAS[int(np.argmin(errors))]), float(low), float(high))


@dataclass(frozen=True, slots=True)
class OwnStep:
    """One offer against the one before it, in money: what it gave, and what they had given in between."""

    turn: int
    gave: float
    they_gave: float

    @property
    def unasked(self) -> bool:
        """A concession that answered none of theirs."""
        return self.gave > 0 and self.they_gave <= 0


def own_steps(offers: Sequence[Mapping[str, Any]], seat: Seat) -> list[OwnStep]:
    """The player's steps, from the rows of a debrief's ``offers``."""
    sign = SIGN[seat]
    found: list[OwnStep] = []
    mine = theirs = answered = None
    for row in offers:
        if row["own_worth"] is not None:
            worth = sign * row["own_worth"]
            if mine is not None:
                came = 0.0 if theirs is None or answered is None else theirs - answered
                found.append(OwnStep(row["turn"], mine - worth, came))
            mine, answered = worth, theirs
        if row["their_worth"] is not None:
            theirs = sign * row["their_worth"]
    return found


def concession_points(
    offers: Sequence[Mapping[str, Any]], seat: Seat, horizon: int
) -> list[tuple[int, float, float]]:
    """(turn, share of time used, share of the way to the own limit given) of each offer after the first.

    Time runs from the first offer to the last turn there is. Empty where the first offer left no way to go.
    """
    sign = SIGN[seat]
    made = [row for row in offers if row["own_worth"] is not None]
    if not made or horizon <= made[0]["turn"]:
        return []
    start = made[0]
    way = sign * (start["own_worth"] - start["own_limit"])
    if way <= 0:
        return []
    return [
        (
            row["turn"],
            (row["turn"] - start["turn"]) / (horizon - start["turn"]),
            sign * (start["own_worth"] - row["own_worth"]) / way,
        )
        for row in made[1:]
    ]


def concessions(offers: Sequence[Mapping[str, Any]], seat: Seat, horizon: int) -> dict[str, Any]:
    """How the player conceded, as plain values; money in whole currency units.

    ``reciprocity`` is what was given for each unit of money that they gave; ``None`` where they gave nothing.
    """
    steps = own_steps(offers, seat)
    points = concession_points(offers, seat, horizon)
    curve = fit([(time, given) for _, time, given in points])
    unasked = [step for step in steps if step.unasked]
    gave, came = sum(step.gave for step in steps), _came(offers, seat)
    return {
        "curve": None if curve is None else {**asdict(curve), "manner": curve.manner},
        "points": [{"turn": turn, "time": time, "given": given} for turn, time, given in points],
        "steps": [{**asdict(step), "unasked": step.unasked} for step in steps],
        "given": gave,
        "received": came,
        "reciprocity": gave / came if came > 0 else None,
        "unasked": len(unasked),
        "unasked_money": sum(step.gave for step in unasked),
        "opening": _opening(offers),
    }


def _came(offers: Sequence[Mapping[str, Any]], seat: Seat) -> float:
    """What they gave in all, from their first offer to their last, as what it is worth to the player."""
    theirs = [row["their_worth"] for row in offers if row["their_worth"] is not None]
    return float(SIGN[seat] * (theirs[-1] - theirs[0])) if theirs else 0.0


def _opening(offers: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The first own offer: its turn, its price and its worth."""
    first = next((row for row in offers if row["own_worth"] is not None), None)
    return (
        None if first is None else {"turn": first["turn"], "price": first["own"], "worth": first["own_worth"]}
    )
