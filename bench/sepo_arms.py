"""What the benches of SEPO's terms have in common: arms by seeds, kept as they are done, and their figures."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.figures import bootstrap

Size = TypeVar("Size")
"""How much of everything a bench does, in a form of its own."""


def interval(values: list[float]) -> Figures:
    """A mean and its 95% bootstrap interval over games."""
    return dict(bootstrap(values).as_json(4))


def arms_experiment(
    output: str,
    arms: Iterable[str],
    sizes: tuple[Size, Size],
    beginner: Callable[[Size, Path], Figures],
    course: Callable[[Size, str, int, Path], Figures],
) -> Callable[[], None]:
    """A command that measures the beginner, then every arm with every seed.

    Args:
        arms: by name; a rehearsal takes the last alone.
        sizes: of the real thing, and of a rehearsal.
    """

    def main(asked: Given) -> None:
        torch.set_num_threads(1)
        scratch = asked.scratch or Path(tempfile.mkdtemp(prefix="sepo-arms-"))
        size = sizes[1] if asked.rehearse else sizes[0]
        report = asked.kept({"arms": {}})
        asked.cells(report, [("beginner",)], lambda _: beginner(size, scratch))
        named = list(arms)[-1:] if asked.rehearse else list(arms)
        cells = [("arms", arm, str(seed)) for seed in range(asked.seeds) for arm in named]
        asked.cells(report, cells, lambda cell: course(size, cell[1], int(cell[2]), scratch), summed)
        for name, figures in {"beginner": report["beginner"], **report["summary"]}.items():
            print(name, json.dumps(figures))

    main.__module__ = beginner.__module__  # whose docstring is the help
    return experiment(
        output,
        option("--seeds", type=int, default=2),
        option("--scratch", type=Path, help="where models are kept; a temporary folder unless given"),
        rehearsal=True,
    )(main)


def summed(report: Figures) -> Figures:
    """Every arm over its seeds."""
    return {name: over_seeds(list(done.values())) for name, done in report["arms"].items()}


def over_seeds(runs: list[Figures]) -> Figures:
    """Each figure's mean over seeds and its least and greatest: few seeds have no interval worth the name."""
    names = [name for name, figure in runs[0].items() if isinstance(figure, dict) and "mean" in figure]
    means = {name: [run[name]["mean"] for run in runs] for name in names}
    return {name: {"mean": round(float(np.mean(each)), 4), "seeds": each} for name, each in means.items()}
