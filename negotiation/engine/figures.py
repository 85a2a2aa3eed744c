"""A figure with its interval: a mean, and where it lies with 95% confidence.

Over games or episodes the interval is a bootstrap (Efron 1979), since nothing is known of how they are distributed; over a
few seeds Student's t, since nothing can be resampled from three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

RESAMPLES = 2000
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""The 97.5% quantile of Student's t for 1, 2, ... 9 degrees of freedom."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float

    @property
    def ci95(self) -> list[float]:
        """The interval's ends."""
        return [self.low, self.high]

    def as_json(self, places: int | None = None) -> dict[str, float | list[float]]:
        """As every command prints it, to so many places where it is rounded."""
        if places is None:
            return {"mean": self.mean, "ci95": self.ci95}
        return {"mean": round(self.mean, places), "ci95": [round(end, places) for end in self.ci95]}

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def resampled(mean: float, drawn: Floats) -> Figure:
    """A mean, with the interval of what it was in each of many resamples."""
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Figure(float(mean), float(low), float(high))


def bootstrap(values: Sequence[float] | Floats, rng: np.random.Generator | int = 0) -> Figure:
    """The mean of values that are independent of each other.

    Args:
        rng: what resamples are drawn with, or its seed.
    """
    array, rng = np.asarray(values), np.random.default_rng(rng)
    return resampled(array.mean(), rng.choice(array, size=(RESAMPLES, len(array))).mean(axis=1))


def over_seeds(values: Sequence[float]) -> dict[str, Any]:
    """Mean, Student's 95% interval (for 2 to 10 seeds; None for one) and each seed's own, to four places."""
    mean, ci95 = float(np.mean(values)), None
    if len(values) > 1:
        half = T_95[len(values) - 2] * float(np.std(values, ddof=1)) / len(values) ** 0.5
        ci95 = [round(mean - half, 4), round(mean + half, 4)]
    return {"mean": round(mean, 4), "ci95": ci95, "seeds": [round(value, 4) for value in values]}
