"""A run as its page shows it, read from the files that its commands write while they work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coaching.analysis.plots import Figure, figure
from trainer.errors import BadInput
from trainer.flywheel import store
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.runner import finite, log_tail, stages_of
from trainer.runs import read_metrics

WATCHED = {"sft": ("loss", "Loss"), "grpo": ("efficiency", "Share of the zone")}
"""The one curve that is drawn while a command works."""
ROLES = {"brass": "own", "them": "theirs", "sage": "agreed", "scarlet": "tension", "faint": "reference"}
"""The names that reports have for colours, as the pages' figures call them."""
WIDTH, HEIGHT = 480, 96


@dataclass(frozen=True, slots=True)
class StageNow:
    """How far one command is. ``points`` is a line through the watched values, for an SVG of ``WIDTH`` x ``HEIGHT``."""

    command: str
    step: int
    total: int
    label: str
    latest: float | None
    points: str
    facts: list[tuple[str, str]]

    @property
    def share(self) -> int:
        """How far it is, in per cent."""
        return round(100 * self.step / self.total) if self.total else 0


def stages_now(run: TrainingRun) -> list[StageNow]:
    """Every command of the run's recipe."""
    totals = {"sft": run.sft_steps, "grpo": run.grpo_steps}
    return [
        _now(stage.command, stage.folder, totals[stage.command])
        for stage in stages_of(run, store.path_of(run.folder))
    ]


def _now(command: str, folder: Path, total: int) -> StageNow:
    key, label = WATCHED[command]
    lines = [line for line in _metrics(folder) if line.get("kind") == command]
    values = [float(line[key]) for line in lines if line.get(key) is not None]
    step = int(lines[-1]["step"]) + 1 if lines else 0
    return StageNow(
        command, step, total, label, values[-1] if values else None, _points(values), _facts(lines)
    )


def _metrics(folder: Path) -> list[dict[str, Any]]:
    try:
        return [finite(line) for line in read_metrics(folder)]
    except BadInput:
        return []


def _facts(lines: list[dict[str, Any]]) -> list[tuple[str, str]]:
    last = lines[-1] if lines else {}
    told = (
        ("validation_loss", "Validation loss", "{:.3f}"),
        ("reward", "Reward", "{:.1f}"),
        ("deal", "Deals closed", "{:.0%}"),
        ("validity", "Well formed", "{:.0%}"),
        ("kl", "KL", "{:.4f}"),
        ("tokens_per_second", "Tokens a second", "{:,.0f}"),
        ("memory_mb", "Memory, MB", "{:,.0f}"),
    )
    return [(label, form.format(last[key])) for key, label, form in told if last.get(key) is not None]


def _points(values: list[float]) -> str:
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    across, up = WIDTH / (len(values) - 1), (HEIGHT - 8) / ((high - low) or 1)
    return " ".join(
        f"{at * across:.1f},{HEIGHT - 4 - (value - low) * up:.1f}" for at, value in enumerate(values)
    )


def log_of(run: TrainingRun) -> list[str]:
    """The last lines that the commands wrote."""
    return log_tail(store.path_of(run.folder))


def figures_of(run: TrainingRun) -> list[Figure]:
    """Every curve of the run, as its report draws them."""
    # Plotly is loaded with the first figure, not with the site.
    from trainer.reports.curves import of_run

    lines = [line for stage in stages_of(run, store.path_of(run.folder)) for line in _metrics(stage.folder)]
    return [drawn for number, plot in enumerate(of_run(lines)) if (drawn := _figure(number, plot))]


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
