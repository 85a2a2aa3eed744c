"""How much of the product's code the tests run, and the files of which they run least.

Every process that a test starts is measured too: workers of pytest, Daphne, Celery, management commands. Those that a
test kills can't say what they ran.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import _environment as setup

FOLDER = setup.ROOT / "var" / "coverage"
LEAST = 20
LEARNT_ELSEWHERE = "trainer/learning/*"
"""Runs in the learning environment alone, which the quick set leaves out."""


def begin() -> None:
    """Forget what was measured before."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)


def pytest(python: Path) -> list[str]:
    """How to start pytest so that it is measured; every suite adds to what the others have run."""
    return [str(python), "-m", "coverage", "run", "-m", "pytest"]


def told(everything: bool) -> str:
    """The share of all lines, and the files with the smallest shares of their own."""
    _coverage("combine", "--quiet")
    omitted = [] if everything else [f"--omit={LEARNT_ELSEWHERE}"]
    _coverage("json", "--quiet", "-o", str(FOLDER / "coverage.json"), *omitted)
    found = json.loads((FOLDER / "coverage.json").read_text())
    files = [(name, each["summary"]) for name, each in found["files"].items()]
    files.sort(key=lambda row: (row[1]["percent_covered"], -row[1]["num_statements"]))
    rows = [
        f"{each['percent_covered']:5.1f}%  {each['missing_lines']:4} of {each['num_statements']:4} lines not run  {name}"
        for name, each in files[:LEAST]
    ]
    total = found["totals"]
    head = f"{total['percent_covered']:.1f}% of {total['num_statements']} lines of {len(files)} files were run; least:"
    return "\n".join([head, *rows])


def _coverage(*arguments: str) -> None:
    """A command of coverage.py.

    Raises:
        SetupError: nothing was measured, or it can't be read.
    """
    command = [str(setup.PYTHON), "-m", "coverage", *arguments]
    done = subprocess.run(command, cwd=setup.ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise setup.SetupError(f"coverage {arguments[0]}: {(done.stdout + done.stderr).strip()[-500:]}")
