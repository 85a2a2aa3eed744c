"""Runs side by side: where their settings differ, and their curves in one drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coaching.analysis.plots import Figure, figure
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.selectors import metrics_of

MOST = 4
CURVES = (
    ("sft", "loss", "Learning the moves", "nats"),
    ("sft", "validation_loss", "Held-out loss", "nats"),
    ("grpo", "reward", "Reward", "points"),
    ("grpo", "efficiency", "Share of the zone", "share"),
    ("grpo", "kl", "Divergence from the base", "nats"),
    ("grpo", "validity", "Well formed at the first attempt", "share"),
)
ROLES = ("own", "theirs", "agreed", "tension")
SHOWN = (
    ("recipe", "Recipe"), ("dataset", "Dataset"), ("base", "Base"), ("start", "Went on from"), ("pool", "Exploit pool"),
    ("sft_steps", "Steps of learning"), ("grpo_steps", "Steps of playing"), ("minutes", "Minutes at most"),
    ("seed", "Seed"), ("style", "Style"),
)  # fmt: skip


def settings_apart(runs: Sequence[TrainingRun]) -> list[tuple[str, list[str], bool]]:
    """Every setting with each run's value, and whether they differ."""
    found = []
    for name, title in SHOWN:
        values = [_value(run, name) for run in runs]
        found.append((title, values, len(set(values)) > 1))
    return found


def _value(run: TrainingRun, name: str) -> str:
    if name == "recipe":
        return str(run.get_recipe_display())
    value = getattr(run, name)
    return "–" if value in (None, "") else str(value)


def results_apart(runs: Sequence[TrainingRun]) -> list[tuple[str, list[str]]]:
    """What came of each, figure by figure."""
    names = sorted({name for run in runs for name, value in run.results.items() if _is_figure(value)})
    return [(name.replace("_", " "), [_text(run.results.get(name)) for run in runs]) for name in names]


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    return f"{value:.4g}" if _is_figure(value) else "–"


def curves_together(runs: Sequence[TrainingRun]) -> list[Figure]:
    """One drawing for each measure that any of them has, one line for each run."""
    lines = {run.pk: metrics_of(run) for run in runs}
    found = []
    for number, (kind, key, title, unit) in enumerate(CURVES):
        traces = []
        for run, role in zip(runs, ROLES, strict=False):
            points = [
                (line["step"], line[key])
                for line in lines[run.pk]
                if line.get("kind") == kind and line.get(key) is not None
            ]
            if points:
                traces.append(
                    {
                        "type": "scatter",
                        "mode": "lines",
                        "name": run.name,
                        "meta": {"role": role},
                        "x": [step for step, _ in points],
                        "y": [value for _, value in points],
                    }
                )
        if traces:
            found.append(_together(number, title, unit, traces))
    return found


def _together(number: int, title: str, unit: str, traces: list[dict[str, Any]]) -> Figure:
    last = [
        [trace["name"], len(trace["x"]), f"{trace['y'][0]:.4g}", f"{trace['y'][-1]:.4g}"] for trace in traces
    ]
    return figure(
        f"together-{number}",
        title,
        "One line for each run, step by step.",
        traces,
        {"xaxis": {"title": {"text": "step"}}, "yaxis": {"title": {"text": unit}}},
        ["Run", "Steps", "First", "Last"],
        last,
    )
