"""What are hints worth to who obeys them to the letter, beside nobody's help and beside asking alone?

    python -m bench.hints [--deals 96] [--output bench/results/hints.json]

Three kinds of rep (linear, tit for tat, a simulated rep of middling skills) play the same deals, at tables with a case,
three times: without a word; asking one question of the trade a turn, in their usual order; doing what the most pressing
hint says, read as it stands (``bench/hints_obeyed.py``). Shares are of the zone, a deal that fails counts 0; ``deals`` are
of each rep with each persona. Intervals are 95% bootstraps over the pairs of deals.
"""

from __future__ import annotations

import os
from itertools import product
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.test")

import django
import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from negotiation.engine.deal import personas
from negotiation.engine.figures import bootstrap

REPS: Final = ("linear", "tit_for_tat", "rep")
ARMS: Final = ("silent", "asks", "obeys")
Shares = dict[str, float]


def gain(rows: list[Shares], against: str) -> dict[str, Any]:
    """What obeying brings over another arm."""
    return bootstrap([row["obeys"] - row[against] for row in rows]).as_json(3)


def figures_of(rows: list[Shares]) -> dict[str, Any]:
    """The arms' means, and what obeying brings over each of the others."""
    means = {arm: round(float(np.mean([row[arm] for row in rows])), 4) for arm in ARMS}
    return {
        "pairs": len(rows),
        **means,
        "over_silent": gain(rows, "silent"),
        "over_asking": gain(rows, "asks"),
    }


@experiment(
    "hints.json",
    option("--deals", type=int, default=96, help="of each rep with each persona"),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(given: Given) -> Figures:
    django.setup()
    from bench.hints_obeyed import played  # imports models

    jobs = list(product(REPS, personas(), range(given.deals)))
    rows = processes(given.workers, played, jobs, 4)
    done = list(zip(jobs, rows, strict=True))
    return {
        "all": figures_of(rows),
        "by_persona": {
            persona: figures_of([row for job, row in done if job[1] == persona]) for persona in personas()
        },
        "by_rep": {rep: figures_of([row for job, row in done if job[0] == rep]) for rep in REPS},
    }


if __name__ == "__main__":
    main()
