"""What the benches of SEPO's terms have in common: arms by seeds, kept as they are done, and their figures."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from negotiation.engine.deal.selfplay import mean_interval

Figures = dict[str, Any]


def interval(values: list[float]) -> Figures:
    """A mean and its 95% bootstrap interval over games."""
    mean, ends = mean_interval(np.array(values), np.random.default_rng(0))
    return {"mean": round(mean, 4), "ci95": [round(end, 4) for end in ends]}


def run(
    about: str | None,
    output: str,
    arms: Iterable[str],
    beginner: Callable[[Path], Figures],
    course: Callable[[str, int, Path], Figures],
) -> None:
    """Measure the beginner, then every arm with every seed; what the output holds already is not done again."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--scratch", type=Path, help="where models are kept; a temporary folder unless given")
    parser.add_argument("--output", type=Path, default=Path(output))
    asked = parser.parse_args()
    torch.set_num_threads(1)
    scratch = asked.scratch or Path(tempfile.mkdtemp(prefix="sepo-arms-"))
    report: Figures = json.loads(asked.output.read_text()) if asked.output.exists() else {"arms": {}}

    def keep() -> None:
        asked.output.write_text(json.dumps(report, indent=1) + "\n")

    found = beginner(scratch) if "beginner" not in report else report["beginner"]
    report["beginner"] = found
    keep()
    for seed in range(asked.seeds):
        for arm in arms:
            runs = report["arms"].setdefault(arm, {})
            if str(seed) not in runs:
                runs[str(seed)] = course(arm, seed, scratch)
                keep()
    report["summary"] = {arm: over_seeds(list(runs.values())) for arm, runs in report["arms"].items()}
    keep()
    for name, figures in {"beginner": found, **report["summary"]}.items():
        print(name, json.dumps(figures))


def over_seeds(runs: list[Figures]) -> Figures:
    """Each figure's mean over seeds and its least and greatest: few seeds have no interval worth the name."""
    names = [name for name, figure in runs[0].items() if isinstance(figure, dict) and "mean" in figure]
    means = {name: [run[name]["mean"] for run in runs] for name in names}
    return {name: {"mean": round(float(np.mean(each)), 4), "seeds": each} for name, each in means.items()}
