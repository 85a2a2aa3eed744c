"""A run as its page shows it, read from the files that its commands write while they work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from coaching.analysis.plots import Figure, figure
from trainer.errors import BadInput
from trainer.evaluation.gate import PARTS as GATE_PARTS
from trainer.flywheel import store
from trainer.flywheel.runs import bundles, resources
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.runner import finite, last_line, log_tail, stages_of
from trainer.runs import read_metrics

log = structlog.get_logger(__name__)

CURVES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "sft": (
        ("loss", "Loss", "{:.3f}"),
        ("validation_loss", "Validation loss", "{:.3f}"),
        ("tokens_per_second", "Tokens a second", "{:,.0f}"),
    ),
    "grpo": (
        ("reward", "Reward", "{:.1f}"),
        ("efficiency", "Share of the zone", "{:.1%}"),
        ("deal", "Deals closed", "{:.0%}"),
        ("kl", "KL", "{:.4f}"),
        ("loss", "Loss", "{:.4f}"),
        ("validity", "Well formed", "{:.1%}"),
        ("entropy", "Entropy", "{:.3f}"),
        ("pool", "Deals with the exploit pool", "{:.0%}"),
    ),
    "gate": (),
}
"""What is drawn while a command works: where its metrics have it, what it is called, how it is written."""
TERM = "term_"
"""How metrics name what was paid for each part of the reward."""
LEFT = re.compile(r"^\w+ \d+/\d+, (\d+) s left")
ROLES = {"brass": "own", "them": "theirs", "sage": "agreed", "scarlet": "tension", "faint": "reference"}
"""The names that reports have for colours, as the pages' figures call them."""
WIDTH, HEIGHT = 240, 56


@dataclass(frozen=True, slots=True)
class MetricCurve:
    """One value over the steps so far. ``points`` is a line for an SVG of ``WIDTH`` x ``HEIGHT``."""

    label: str
    latest: str
    points: str


@dataclass(frozen=True, slots=True)
class StageNow:
    """How far one command is, and what it measured on the way."""

    command: str
    step: int
    total: int
    curves: list[MetricCurve]
    components: list[MetricCurve]
    """What it was paid for: the terms of the reward."""

    @property
    def share(self) -> int:
        """How far it is, in per cent."""
        return round(100 * self.step / self.total) if self.total else 0


def told_fetch(run: TrainingRun) -> None:
    """Have what the page of a run tells at hand, as another machine sent it last; if it can't be had, what was there."""
    try:
        bundles.fetch(run, bundles.is_told)
    except store.Damaged:
        log.warning("run_not_fetched", run=str(run.pk), exc_info=True)


def stages_now(run: TrainingRun) -> list[StageNow]:
    """Every command of the run's recipe."""
    totals = {"sft": run.sft_steps, "grpo": run.grpo_steps, "gate": GATE_PARTS}
    return [
        _now(stage.command, stage.folder, totals[stage.command])
        for stage in stages_of(run, store.path_of(run.folder))
    ]


def _now(command: str, folder: Path, total: int) -> StageNow:
    lines = [line for line in _metrics(folder) if line.get("kind") == command]
    step = int(lines[-1]["step"]) + 1 if lines else 0
    terms = sorted({key for line in lines for key in line if key.startswith(TERM)})
    return StageNow(
        command,
        step,
        total,
        [curve for key, label, form in CURVES[command] if (curve := _curve(lines, key, label, form))],
        [
            curve
            for key in terms
            if (curve := _curve(lines, key, key.removeprefix(TERM).replace("_", " "), "{:.2f}"))
        ],
    )


def _curve(lines: list[dict[str, Any]], key: str, label: str, form: str) -> MetricCurve | None:
    values = [float(line[key]) for line in lines if line.get(key) is not None]
    return MetricCurve(label, form.format(values[-1]), _points(values)) if values else None


def _metrics(folder: Path) -> list[dict[str, Any]]:
    try:
        return [finite(line) for line in read_metrics(folder)]
    except BadInput:
        return []


def metrics_of(run: TrainingRun) -> list[dict[str, Any]]:
    """Every line that the run's commands measured, in order."""
    return [line for stage in stages_of(run, store.path_of(run.folder)) for line in _metrics(stage.folder)]


def _points(values: list[float]) -> str:
    if len(values) < 2:
        return ""
    # No more points than the drawing is wide.
    every = -(-len(values) // WIDTH)
    values = [*values[: len(values) - 1 : every], values[-1]]
    low, high = min(values), max(values)
    across, up = WIDTH / (len(values) - 1), (HEIGHT - 8) / ((high - low) or 1)
    return " ".join(
        f"{at * across:.1f},{HEIGHT - 4 - (value - low) * up:.1f}" for at, value in enumerate(values)
    )


def time_left(run: TrainingRun) -> timedelta | None:
    """How long the command that works now will take yet, by its own account."""
    if run.state != TrainingRun.State.RUNNING:
        return None
    found = LEFT.match(last_line(store.path_of(run.folder)))
    return timedelta(seconds=int(found[1])) if found else None


def resources_of(run: TrainingRun) -> list[tuple[str, str]]:
    """What the run took of the machine when last looked at, in words."""
    seen = resources.latest(store.path_of(run.folder))
    shown = (
        ("cpu", "Processor", "{:.0f}% of a core"),
        ("memory_mb", "Memory", "{:,.0f} MB"),
        ("gpu", "GPU", "{:.0f}%"),
        ("gpu_memory_mb", "GPU memory", "{:,.0f} MB"),
    )
    found = [(label, form.format(seen[key])) for key, label, form in shown if seen.get(key) is not None]
    if found and "gpu" not in seen:
        found.append(("GPU", "none here"))
    return found


def log_of(run: TrainingRun) -> list[str]:
    """The last lines that the commands wrote."""
    return log_tail(store.path_of(run.folder))


def figures_of(run: TrainingRun) -> list[Figure]:
    """Every curve of the run, as its report draws them."""
    # Plotly is loaded with the first figure, not with the site.
    from trainer.reports.curves import of_run

    return [drawn for number, plot in enumerate(of_run(metrics_of(run))) if (drawn := _figure(number, plot))]


def _figure(number: int, plot: Any) -> Figure | None:
    """A plot of the run's report as the pages draw figures; ``None`` where nothing of it was measured."""
    traces = [trace for trace in plot.traces if trace["x"]]
    if not traces:
        return None
    return figure(
        f"curve-{number}",
        plot.title,
        plot.summary,
        [{**trace, "meta": {"role": ROLES.get(trace["role"], "")}} for trace in traces],
        {"xaxis": {"title": {"text": plot.x}}, "yaxis": {"title": {"text": plot.y}}},
        [plot.x, *(str(trace["name"]) for trace in traces)],
        _rows(traces),
    )


def _rows(traces: Any) -> list[list[Any]]:
    """The numbers behind a figure: at most forty steps, evenly spread, the last one among them."""
    by_step: dict[int, list[Any]] = {}
    for place, trace in enumerate(traces):
        for step, value in zip(trace["x"], trace["y"], strict=True):
            by_step.setdefault(step, [""] * len(traces))[place] = f"{value:.4g}"
    steps = sorted(by_step)
    every = -(-len(steps) // 40) or 1
    return [[step, *by_step[step]] for step in sorted({*steps[::every], *steps[-1:]})]
