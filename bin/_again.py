"""What failed is asked once more, alone: a test that passes then is unsteady, which is told, and no fault of the change.

Among five thousand tests on a busy machine some hang on a moment, and one of them must not hide what the rest say. What is
really broken fails again. More than a few failures are no unsteadiness, and stand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

AT_MOST = 5
"""Failures of one suite that are asked again."""
NOTES = Path(".pytest_cache", "suites")
"""Where each suite has a folder of its own for what pytest writes down, below the root: suites run side by side."""
ALONE = ("-p", "no:cacheprovider")
"""Pytest's arguments for a test that is asked again."""


def noting(root: Path, suite: str) -> list[str]:
    """Pytest's arguments for a run that writes down what fails. What an earlier run of the suite left is forgotten."""
    folder = NOTES / suite.replace(" ", "_")
    _failed(root, suite).unlink(missing_ok=True)
    return ["-o", f"cache_dir={folder}"]


def failures(root: Path, suite: str) -> list[str]:
    """The tests that failed in the suite's last run."""
    noted = _failed(root, suite)
    return sorted(json.loads(noted.read_text())) if noted.exists() else []


def still_failing(failed: Sequence[str], ask: Callable[[str], int]) -> tuple[list[str], list[str]]:
    """Have each test that failed asked again. Returns those that fail again and those that pass now; more than
    ``AT_MOST`` are not asked.

    Args:
        ask: runs a test by itself and returns pytest's exit status.
    """
    if len(failed) > AT_MOST:
        return list(failed), []
    again: list[str] = []
    unsteady: list[str] = []
    for test in failed:
        (again if ask(test) else unsteady).append(test)
    return again, unsteady


def _failed(root: Path, suite: str) -> Path:
    return root / NOTES / suite.replace(" ", "_") / "v" / "cache" / "lastfailed"
