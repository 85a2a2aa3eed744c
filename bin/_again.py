"""What failed is asked once more, alone: a test that passes then is unsteady, which is told, and no fault of the change.

Among five thousand tests on a busy machine some hang on a moment, and one of them must not hide what the rest say. What is
really broken fails again. More than a few failures are no unsteadiness, and stand.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

AT_MOST = 5
"""Failures of one suite that are asked again."""
KEPT = Path(".pytest_cache", "v", "cache", "lastfailed")
"""Where pytest writes down what failed, below its root."""


def forget(root: Path) -> None:
    """What an earlier run left behind."""
    (root / KEPT).unlink(missing_ok=True)


def still_failing(
    pytest: Sequence[str], root: Path, environment: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Run each test that failed by itself. Returns those that fail again and those that pass now; more than ``AT_MOST``
    are not asked."""
    failed: list[str] = sorted(json.loads((root / KEPT).read_text())) if (root / KEPT).exists() else []
    if len(failed) > AT_MOST:
        return failed, []
    again: list[str] = []
    unsteady: list[str] = []
    for test in failed:
        asked = [*pytest, "-p", "no:cacheprovider", test]
        done = subprocess.run(asked, cwd=root, env=environment, check=False)
        (again if done.returncode else unsteady).append(test)
    return again, unsteady
