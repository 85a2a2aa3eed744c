"""How well somebody's statements about the other side held: forecasts, bands, calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

BAND_LEAST, BAND_MORE = 0.02, 0.16
"""Half-width of a stated estimate's band, as a share of it, when certain, and how much is added for a mere guess.
The table draws the same band (``static/js/belief.js``)."""


def brier(forecasts: Sequence[tuple[float, bool]]) -> float | None:
    """Mean squared error of stated probabilities: 0 is perfect, 0.25 says nothing (Brier 1950).

    A proper score: nobody gains by stating another probability than the one believed (Gneiting & Raftery 2007).
    """
    if not forecasts:
        return None
    return sum((stated - happened) ** 2 for stated, happened in forecasts) / len(forecasts)


def brier_skill(forecasts: Sequence[tuple[float, bool]], base_rate: float) -> float | None:
    """How much better than always stating the base rate: 1 is perfect, 0 no better, negative worse."""
    own = brier(forecasts)
    reference = brier([(base_rate, happened) for _, happened in forecasts])
    return None if own is None or not reference else 1 - own / reference


def band(estimate: float, confidence: float) -> tuple[float, float]:
    """The band that a stated estimate of their limit stands for, as the table draws it."""
    half = estimate * (BAND_LEAST + BAND_MORE * (1 - confidence))
    return estimate - half, estimate + half


def coverage(bands: Sequence[tuple[float, float, float]]) -> dict[str, Any] | None:
    """How many of the bands (low, high, truth) hold the truth, and how wide they are on average."""
    if not bands:
        return None
    inside = sum(low <= truth <= high for low, high, truth in bands)
    return {
        "stated": len(bands),
        "inside": inside,
        "mean_width": sum(high - low for low, high, _ in bands) / len(bands),
    }


def calls(claims: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Bluff calls as a detector's: of the limits called, how many were off; of the false ones, how many called."""
    rows = list(claims)
    caught = sum(claim["verdict"] == "caught" for claim in rows)
    doubted = sum(claim["verdict"] == "doubted" for claim in rows)
    wrong = sum(claim["verdict"] == "false_call" for claim in rows)
    bluffs = sum(claim["bluff"] for claim in rows)
    called = caught + doubted + wrong
    return {
        "caught": caught,
        "doubted": doubted,
        "wrong": wrong,
        "bluffs": bluffs,
        "shaded": sum(claim["stands"] == "shaded" for claim in rows),
        "precision": (caught + doubted) / called if called else None,
        "recall": caught / bluffs if bluffs else None,
    }


def entropy(grid: Sequence[float], density: Sequence[float]) -> float:
    """Differential entropy of a density on an even grid, in bits (Shannon 1948): halving its width takes one away."""
    mass = np.asarray(density, dtype=float)
    mass = mass[mass > 0] / mass.sum()
    spacing = (grid[-1] - grid[0]) / (len(grid) - 1)
    return float(-(mass * np.log2(mass / spacing)).sum())


def learned(posteriors: Sequence[tuple[int, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """By turn, how many bits about their limit the table had given away so far, and how many on that turn.

    Args:
        posteriors: (turn, the reference observer's belief after it), in order.
    """
    rows: list[dict[str, Any]] = []
    start = before = None
    for turn, posterior in posteriors:
        now = entropy(posterior["grid"], posterior["density"])
        start, before = (now, now) if start is None or before is None else (start, before)
        low, high = posterior["ci95"]
        rows.append({"turn": turn, "gained": before - now, "total": start - now, "low": low, "high": high})
        before = now
    return rows
