"""A run's curves: what was earned and why, how far the policy went, how it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trainer.reports.page import Plot

ROLES = ("brass", "sage", "them", "scarlet", "plum", "faint")
TERMS = (
    "term_efficiency",
    "term_theory_of_mind",
    "term_floor_breach",
    "term_no_deal",
    "term_incoherence",
    "term_market_event",
)
SMOOTHED = 5
Lines = Sequence[Mapping[str, Any]]


def of_run(metrics: Lines) -> list[Plot]:
    """Every plot that the metrics of a run allow."""
    taught = [m for m in metrics if m.get("kind") == "sft"]
    trained = [m for m in metrics if m.get("kind") == "grpo"]
    chosen = [m for m in metrics if m.get("kind") == "choose"]
    plots = []
    if taught:
        shown = [
            _line("loss", taught, "loss", "brass"),
            _line("held out", taught, "validation_loss", "them", "lines+markers"),
        ]
        plots.append(Plot("Learning the moves", "Negative log-likelihood per answer token.", shown, y="nats"))
    if trained:
        plots += _training(trained, chosen)
    return plots


def _training(trained: Lines, chosen: Lines) -> list[Plot]:
    points = [_line("training deals", trained, "efficiency", "brass", smooth=True)]
    if chosen:
        points.append(_line("held-out deals", chosen, "efficiency", "sage", "lines+markers"))
        points.append(_line("deals closed, held out", chosen, "deal", "them", "lines+markers"))
    return [
        Plot(
            "Share of the zone",
            "What it wins of what there is to share; no deal counts 0.",
            points,
            y="share",
        ),
        Plot(
            "Reward",
            "The game's whole reward of an episode, averaged over five steps.",
            [_line("reward", trained, "reward", "brass", smooth=True)],
            y="points",
        ),
        Plot(
            "What it is paid for",
            "Terms of the reward, in points an episode.",
            [
                _line(name.removeprefix("term_").replace("_", " "), trained, name, role, smooth=True)
                for name, role in zip(TERMS, ROLES, strict=True)
                if any(name in m for m in trained)
            ],
            y="points",
        ),
        Plot(
            "How far it went",
            "Divergence from where it began, and entropy of its choices, in nats a token.",
            [_line("divergence", trained, "kl", "scarlet"), _line("entropy", trained, "entropy", "them")],
            y="nats",
        ),
        Plot(
            "How it writes",
            "Share of answers that were well formed at the first attempt.",
            [_line("well formed", trained, "validity", "sage")],
            y="share",
        ),
        Plot(
            "Length", "Tokens of an answer.", [_line("tokens", trained, "answer_tokens", "brass")], y="tokens"
        ),
    ]


def _line(
    name: str, metrics: Lines, key: str, role: str, mode: str = "lines", *, smooth: bool = False
) -> dict[str, Any]:
    found = [(m["step"], m[key]) for m in metrics if m.get(key) is not None]
    values = [value for _, value in found]
    if smooth and len(values) >= SMOOTHED:
        values = [float(np.mean(values[max(0, at - SMOOTHED + 1) : at + 1])) for at in range(len(values))]
    return {
        "type": "scatter",
        "mode": mode,
        "name": name,
        "x": [step for step, _ in found],
        "y": values,
        "role": role,
    }
