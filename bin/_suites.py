"""The suites of ``bin/test``, each in the environment that it needs: docs/testing.md says what each proves."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import _environment as setup
import _oracles

TRAINER = "tests/trainer"
LEARNING = (TRAINER, "tests/openenv", "tests/bench")
"""Tests that run in the learning environment: all but the first run elsewhere too, without what needs its libraries."""
_CORES = min(8, os.cpu_count() or 1)
SIDE_BY_SIDE = max(1, 3 * _CORES // 2)
"""Three processes for two cores, for while one waits for its browser or its server another goes on, and who is done first
takes over; a fourth costs more to start than it fills (4:39 beside 5:02). What was asked for by name runs in one process."""
BESIDE = max(1, _CORES // 2)
"""What learns or serves a model keeps a core busy by itself, and the product's tests have one a core beside it."""
QUICK = "not slow and not thorough and not faults and not vllm"
Suite = tuple[str, Path, list[str]]
"""Title, Python and pytest's arguments."""


def in_names(arguments: list[str]) -> list[str]:
    """The tests that were asked for by name."""
    return [argument for argument in arguments if (setup.ROOT / argument.split("::")[0]).exists()]


def quick(arguments: list[str]) -> Iterator[Suite]:
    """What runs always."""
    yield "pytest", setup.PYTHON, ["-m", QUICK, *_pace(arguments, SIDE_BY_SIDE), *arguments]


def everything(arguments: list[str]) -> list[Iterator[Suite]]:
    """All there is, in lanes that go side by side: the product's tests, and those that need an environment of their own.

    What learns or serves a model waits for a server or an installation often enough that a lane alone leaves cores idle.
    """
    return [_of_the_product(arguments), _of_other_environments(arguments)]


def _of_the_product(arguments: list[str]) -> Iterator[Suite]:
    # What learns comes whole in the other lane, with the scripts that need no library of that environment.
    aside = [] if in_names(arguments) else [f"--ignore={TRAINER}"]
    yield "pytest", setup.PYTHON, ["-m", "not vllm", *_pace(arguments, _CORES), *aside, *arguments]


def _of_other_environments(arguments: list[str]) -> Iterator[Suite]:
    """A heavy environment is made when its turn comes."""
    named = in_names(arguments)
    others = [argument for argument in arguments if argument not in named]
    serving = sys.platform == "linux"
    learning = [each for each in named or LEARNING if each.startswith(LEARNING)]
    if serving:
        # One of the tests that learn does so from what a server wrote.
        setup.ensure_heavy(setup.SERVE, "requirements/serve.txt")
        # A file's tests share their server, which takes half a minute to start; the order is ours.
        pace = [*_heavy_pace(arguments, "loadfile"), "--no-loadscope-reorder"]
        aside = [] if named else [f"--ignore={TRAINER}"]
        yield "pytest against vLLM", setup.PYTHON, ["-m", "vllm", *pace, *aside, *arguments]
    else:
        setup.say("Left out: the tests against vLLM, whose CPU build is made for Linux only.")
    if learning:
        python = setup.ensure_heavy(setup.TRAIN, "requirements/train.txt")
        yield "pytest of what learns", python, [*learning, *_heavy_pace(arguments, "worksteal"), *others]
    if beside := _oracles.pytest_arguments(named):
        yield "pytest beside the oracles", _oracles.ensure(), [*beside, *others]


def _heavy_pace(arguments: list[str], dist: str) -> list[str]:
    return [] if in_names(arguments) else ["-n", str(BESIDE), "--dist", dist]


def _pace(arguments: list[str], processes: int) -> list[str]:
    return [] if in_names(arguments) else ["-n", str(processes), "--dist", "worksteal"]
