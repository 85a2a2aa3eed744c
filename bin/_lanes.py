"""Runs the suites: those of a lane one after another, the lanes side by side.

The first lane prints as it goes. What a suite of another lane prints is kept and told in one piece when it has ended.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO

import _again
import _coverage
import _environment as setup
from _suites import Suite

SOME_FAILED, NOTHING_CHOSEN = 1, 5


@dataclass(frozen=True)
class Way:
    """How tests are run."""

    environment: Mapping[str, str]
    measured: bool
    """Which lines they run is written down."""
    may_be_empty: bool
    """A suite that chose no test has not failed."""
    one_by_one: bool
    """Tests were asked for by name: no two lanes at once, and what fails is not asked again."""


@dataclass
class Run:
    """A lane's suites that failed, and its tests that passed only when asked again."""

    failed: list[str] = field(default_factory=list)
    unsteady: list[str] = field(default_factory=list)


def run(lanes: Sequence[Iterable[Suite]], way: Way) -> list[Run]:
    """What came of each lane.

    Raises:
        SetupError: the environment of a suite can't be made; told when the other lanes have ended.
    """
    if way.one_by_one:
        return [_lane(lane, way) for lane in lanes]
    with ThreadPoolExecutor(len(lanes)) as pool:
        beside = [pool.submit(_lane, lane, way, aside=True) for lane in lanes[1:]]
        return [_lane(lanes[0], way), *(each.result() for each in beside)]


def _lane(suites: Iterable[Suite], way: Way, *, aside: bool = False) -> Run:
    found = Run()
    for suite in suites:
        title = suite[0]
        if not aside:
            setup.say(f"== {title}")
            _suite(suite, way, found, None)
            continue
        setup.say(f"== {title}, beside the rest; told when it has ended")
        with tempfile.TemporaryFile("w+") as out:
            _suite(suite, way, found, out)
            out.seek(0)
            setup.say(f"\n== {title}, ended\n{out.read().rstrip()}")
    return found


def _suite(suite: Suite, way: Way, found: Run, out: IO[str] | None) -> None:
    title, python, chosen = suite
    pytest = _coverage.pytest(python) if way.measured else [str(python), "-m", "pytest"]
    done = _pytest([*pytest, *_again.noting(setup.ROOT, title), *chosen], way, out)
    if done == SOME_FAILED and not way.one_by_one:
        still, passed = _again.still_failing(
            _again.failures(setup.ROOT, title), lambda test: _pytest([*pytest, *_again.ALONE, test], way, out)
        )
        found.unsteady += passed
        if not still and passed:
            return
    if done and not (way.may_be_empty and done == NOTHING_CHOSEN):
        found.failed.append(title)


def _pytest(command: list[str], way: Way, out: IO[str] | None) -> int:
    return subprocess.run(
        command, cwd=setup.ROOT, env=way.environment, check=False, stdout=out, stderr=out
    ).returncode
