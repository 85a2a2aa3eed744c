"""``oracle``: train a player on numbers alone, against the personas, in NumPy; write its weights."""

from __future__ import annotations

import time

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.domains.deal.oracle.learning import Learner, OracleSettings
from trainer.domains.deal.oracle.measuring import CHOOSING_SEEDS, greedy
from trainer.runs import Progress, Run

WEIGHTS, STATE = "weights.npz", "state.npz"


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("oracle", __doc__ or "", "var/runs/oracle")
    given = arguments.parse_args(argv)
    wanted = settings.load(OracleSettings, given.config)
    made = Run(given.output, "oracle", wanted, given.seed, resume=given.resume)
    learner = Learner(wanted, given.seed)
    state = made.folder / STATE
    first = learner.restore(state) if given.resume and state.exists() else 0
    made.cut("oracle", first)
    progress = Progress("oracle", wanted.iterations, first)
    found: dict[str, float] = {}
    began = time.process_time()
    for step in range(first, wanted.iterations):
        logged = learner.learn(step)
        is_last = step + 1 == wanted.iterations
        if is_last or (step + 1) % wanted.save_every == 0:
            found = greedy(learner.policy.network(), wanted, CHOOSING_SEEDS)
            learner.save(state, step + 1)
            learner.policy.network().write(made.folder / WEIGHTS)
        seconds = round(time.process_time() - began, 1)
        made.log(kind="oracle", step=step, processor_seconds=seconds, **logged, **found)
        progress.show(step + 1, f"share {logged['share']:.3f}, deals {logged['deals']:.3f}")
    result = {
        "weights": str(made.folder / WEIGHTS),
        "processor_seconds": round(time.process_time() - began, 1),
        **found,
    }
    made.finish(**result)
    show(result, as_json=given.json)
    return 0
