"""Which of thirty small faults the tests find: each is put in by itself, and the tests run until the first that fails.

``python -m bench.faults``. The faults stand in ``bench/faults.toml``. The tests that lie near are tried first, then all
others; whatever they find is told with the time it took. ``--revision`` judges the tests of another commit, which need an
environment of their own: ``--python`` names its interpreter. A fault that nothing finds is told as such.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option, tell

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_name("faults.toml")
QUICK = "not slow and not thorough and not faults and not vllm"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
TAIL = 400
CHANGE = ("file", "old", "new")


@dataclass(frozen=True)
class Fault:
    """One line gone wrong."""

    what: str
    area: str
    file: str
    old: str
    new: str
    near: list[str]
    was: dict[str, str] = field(default_factory=dict)
    """``file``, ``old`` and ``new`` of an earlier commit."""

    def put_into(self, tree: Path) -> None:
        """Change the line. Raises ``ValueError`` where it does not stand there exactly once."""
        places = (
            (self.file, self.old, self.new),
            *([tuple(self.was[key] for key in CHANGE)] if self.was else []),
        )
        for file, old, new in places:
            path = tree / file
            text = path.read_text() if path.exists() else ""
            if text.count(old) == 1:
                path.write_text(text.replace(old, new))
                return
        raise ValueError(f"{self.file} has not one {self.old!r}")


def faults() -> list[Fault]:
    """All of the list."""
    return [Fault(**row) for row in tomllib.loads(LIST.read_text())["fault"]]


def tree_of(revision: str, folder: Path) -> Path:
    """A checkout with everything that is built, as tests need it."""
    tree = folder / "tree"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(tree)], check=True)
    subprocess.run(["git", "checkout", "-q", revision], cwd=tree, check=True)
    (tree / "node_modules").symlink_to(ROOT / "node_modules")
    return tree


def found(fault: Fault, tree: Path, python: str, marks: str, seconds: float) -> dict[str, Any]:
    """The first test that fails with the fault in, and after how many seconds; none where all pass."""
    subprocess.run(["git", "checkout", "-q", "."], cwd=tree, check=True)
    fault.put_into(tree)
    if fault.file.startswith("static/js"):
        subprocess.run(["npm", "run", "--silent", "build"], cwd=tree, check=True)
    began = time.monotonic()
    if fault.file.startswith("static/js") and (tree / "tests" / "js").exists():
        scripts = subprocess.run(["npm", "test", "--silent"], cwd=tree, capture_output=True, check=False)
        if scripts.returncode:
            return {"found": "tests/js", "near": True, "seconds": round(time.monotonic() - began, 1)}
    near = [place for place in fault.near if (tree / place).exists()]
    for number, places in enumerate((near, ["tests", *(f"--ignore={place}" for place in near)])):
        left = max(1.0, seconds - (time.monotonic() - began))
        try:
            done = _asked(python, tree, marks, places, left)
        except subprocess.TimeoutExpired:
            return {"found": None, "ran_out": True, "seconds": round(time.monotonic() - began, 1)}
        test = FAILED.search(done.stdout)
        # Workers that are stopped at the first failure end as interrupted, which is 2.
        if done.returncode == 1 or (done.returncode == 2 and test):
            return {
                "found": test[1] if test else done.stdout[-TAIL:],
                "near": number == 0,
                "seconds": round(time.monotonic() - began, 1),
            }
        if done.returncode not in (0, 5):
            raise RuntimeError(done.stdout[-TAIL:] + done.stderr[-TAIL:])
    return {"found": None, "seconds": round(time.monotonic() - began, 1)}


def _asked(
    python: str, tree: Path, marks: str, places: list[str], seconds: float
) -> subprocess.CompletedProcess[str]:
    """The tests of these places up to the first that fails, by two workers; by one where the two fell over each other.

    pytest-xdist can trip over a worker that it has stopped itself at the first failure, and then tells of no test at all.

    Raises:
        subprocess.TimeoutExpired: when they take longer.
    """
    until = time.monotonic() + seconds
    for workers in ("2", "0"):
        command = [
            *(python, "-m", "pytest", "-q", "-x", "-n", workers, "-p", "no:cacheprovider", "-m", marks),
            *places,
        ]
        left = max(1.0, until - time.monotonic())
        done = subprocess.run(
            command, cwd=tree, env=_environment(), capture_output=True, text=True, check=False, timeout=left
        )
        if "INTERNALERROR" not in done.stdout:
            break
    return done


def _environment() -> dict[str, str]:
    return {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("DJANGO_", "PARLAY_V", "REDIS_"))
    }


@experiment(
    "faults.json",
    option("--revision", default="HEAD"),
    option("--python", default=sys.executable),
    option("--marks", default=QUICK),
    option("--seconds", type=float, default=1500, help="the most that one fault may take"),
    option("--only", type=int, nargs="*", help="numbers of faults, from 0"),
)
def main(chosen: Given) -> Figures:
    report = chosen.kept({"revision": chosen.revision, "faults": {}})
    folder = Path(tempfile.mkdtemp(prefix="parlay-faults-"))
    try:
        tree = tree_of(chosen.revision, folder)
        for number, fault in enumerate(faults()):
            if fault.what in report["faults"] or (chosen.only is not None and number not in chosen.only):
                continue
            said = found(fault, tree, chosen.python, chosen.marks, chosen.seconds)
            report["faults"][fault.what] = {"area": fault.area, "file": fault.file, **said}
            tell(report, chosen.output)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return report


if __name__ == "__main__":
    main()
