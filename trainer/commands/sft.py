"""``sft``: teach a model the moves of a dataset. The result, merged, is a base for ``grpo`` and for the server."""

from __future__ import annotations

from pathlib import Path

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.errors import BadInput
from trainer.learning import recipes
from trainer.learning.policy import load
from trainer.runs import Run


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("sft", __doc__ or "", "var/runs/sft")
    arguments.add_argument("--data", type=Path, required=True, help="the folder that generate wrote")
    arguments.add_argument(
        "--base", type=Path, help="a model to put an adapter on; without, a new apprentice"
    )
    arguments.add_argument("--adapter", type=Path, help="an adapter of the base to go on from")
    arguments.add_argument("--steps", type=int, help="instead of the settings'")
    given = arguments.parse_args(argv)
    recipes.fix_threads()
    changes = {} if given.steps is None else {"sft.steps": given.steps}
    wanted = settings.load(recipes.TeachSettings, given.config, changes)
    if given.adapter is not None and given.base is None:
        raise BadInput("--adapter needs --base")
    made = Run(given.output, "sft", wanted, given.seed, resume=given.resume)
    if given.base is None:
        policy = recipes.apprentice(wanted, given.data, made.folder / "untrained", given.seed)
    else:
        policy = load(given.base, given.adapter, lora=wanted.lora, train=True, seed=given.seed)
    if wanted.recompute:
        policy.recompute(wanted.sft.precision)
    results = recipes.teach(
        policy, wanted.sft, given.data, given.seed, made, resume=given.resume, rehearsal=wanted.rehearsal
    )
    if given.base is not None:
        recipes.keep_adapter(policy, made.folder / "adapter", given.seed, wanted.style)
    recipes.keep_as_base(policy, made.folder / "base")
    made.finish(**results)
    show({"base": str(made.folder / "base"), **results}, as_json=given.json)
    return 0
