"""The commands of the trainer, each in a module of its own with ``run(argv) -> int``.

To add one, name it in :data:`COMMANDS`. A module whose imports ask for a library that is not installed ends in
one line that says where it is.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence

from trainer.errors import BadInput

COMMANDS: dict[str, tuple[str, str]] = {
    "generate": ("trainer.commands.generate", "write a dataset of self-play, or import human transcripts"),
    "sft": ("trainer.commands.sft", "teach a model the moves of a dataset"),
    "grpo": ("trainer.commands.grpo", "train an adapter on whole episodes of the game"),
    "oracle": ("trainer.commands.oracle", "train a player on numbers alone, in NumPy, and write its weights"),
    "evaluate": ("trainer.commands.evaluate", "measure players on held-out seeds, with intervals"),
    "gate": ("trainer.commands.gate", "judge a model against the champion on held-out deals"),
    "ablate": ("trainer.commands.ablate", "train with a term left out, and compare"),
    "plot": ("trainer.commands.plot", "draw the metrics of a run"),
    "demo": ("trainer.commands.demo", "from nothing to a trained apprentice, with a report"),
    "drills": ("trainer.domains.drills.command", "strategic drills: evaluate oracles and models"),
    "diplomacy": ("trainer.domains.diplomacy.command", "the seven-power board: adjudicate, arenas"),
}
"""Name -> (module, what it does)."""

LEARNING_STACK = frozenset({"torch", "transformers", "peft", "tokenizers", "safetensors", "accelerate"})


def main(argv: Sequence[str]) -> int:
    """Run one command.

    Returns:
        The exit status: 0 on success, 2 on bad input, with one line on stderr that names it.
    """
    if not argv or argv[0] in ("-h", "--help"):
        sys.stderr.write(_usage())
        return 0 if argv else 2
    name, rest = argv[0], list(argv[1:])
    if name not in COMMANDS:
        sys.stderr.write(f"trainer: there is no command {name!r}; there are {', '.join(COMMANDS)}\n")
        return 2
    try:
        return _runner(name)(rest)
    except BadInput as problem:
        sys.stderr.write(f"trainer {name}: {problem}\n")
        return 2


def _runner(name: str) -> Callable[[list[str]], int]:
    try:
        run: Callable[[list[str]], int] = importlib.import_module(COMMANDS[name][0]).run
    except ModuleNotFoundError as missing:
        if missing.name is None:
            raise
        library = missing.name.split(".")[0]
        if library in LEARNING_STACK:
            raise BadInput(
                f"needs {library}, which is not in this environment; run it with .venv-train/bin/python"
                " (bin/play --with-trainer makes it)"
            ) from missing
        if COMMANDS[name][0].startswith(missing.name):
            raise BadInput("is not part of this installation") from missing
        raise
    return run


def _usage() -> str:
    lines = (f"  {name:<11} {summary}\n" for name, (_, summary) in COMMANDS.items())
    return "usage: python -m trainer COMMAND [--help]\n\n" + "".join(lines)
