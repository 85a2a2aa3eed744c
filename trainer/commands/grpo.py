"""``grpo``: train an adapter by playing whole deals. Several GPUs: ``accelerate launch -m trainer grpo ...``."""

from __future__ import annotations

from pathlib import Path

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.learning import recipes
from trainer.runs import Run


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("grpo", __doc__ or "", "var/runs/grpo")
    arguments.add_argument("--base", type=Path, required=True, help="the model: a folder")
    arguments.add_argument("--adapter", type=Path, help="an adapter of the base to go on from")
    arguments.add_argument("--steps", type=int, help="instead of the settings'")
    given = arguments.parse_args(argv)
    recipes.fix_threads()
    changes = {} if given.steps is None else {"grpo.steps": given.steps}
    wanted = settings.load(recipes.TrainSettings, given.config, changes)
    made = Run(given.output, "grpo", wanted, given.seed, resume=given.resume)
    _, results = recipes.train(
        given.base, wanted, given.seed, made, resume=given.resume, adapter=given.adapter
    )
    made.finish(**results)
    show({"adapter": str(made.folder / "adapter"), **results}, as_json=given.json)
    return 0
