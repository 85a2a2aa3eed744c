"""A figure over a few seeds: its mean and Student's t interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""The 97.5% quantile of Student's t for 1, 2, ... 9 degrees of freedom."""


def over_seeds(values: Sequence[float]) -> dict[str, Any]:
    """Mean, 95% interval (for 2 to 10 seeds; None for one) and each seed's own, to four places."""
    mean, ci95 = float(np.mean(values)), None
    if len(values) > 1:
        half = T_95[len(values) - 2] * float(np.std(values, ddof=1)) / len(values) ** 0.5
        ci95 = [round(mean - half, 4), round(mean + half, 4)]
    return {"mean": round(mean, 4), "ci95": ci95, "seeds": [round(value, 4) for value in values]}
