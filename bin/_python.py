"""Which Python makes the environments: the one that was asked for, else the fastest on the machine.

How a CPython was built decides how fast everything here is: one with a shared library and without profile-guided
optimisation takes about twice the time of a distribution's. Its flags don't tell, so a short loop does.
Standard library only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))
FASTER = 1.25
"""From so much faster on another one is taken: less is within what a busy machine makes of equal ones."""
ROUNDS = 5
LOOP = """
import json, sys, time
class Cell:
    def __init__(self, at): self.at = at
    def moved(self): return self.at + 1
def work():
    seen = {}
    for at in range(30_000):
        seen[str(at % 100)] = seen.get(str(at % 100), 0) + Cell(at).moved()
def seconds():
    start = time.process_time(); work(); return time.process_time() - start
import ensurepip, venv
rounds = [seconds() for _ in range(int(sys.argv[1]))]
print(json.dumps([sys.executable, list(sys.version_info[:3]), sys.prefix == sys.base_prefix, min(rounds)]))
"""


def usable(version: Sequence[int | str]) -> bool:
    """Whether the product runs on this version, as ``sys.version_info`` has it."""
    return tuple(version[:2]) in SUPPORTED


def chosen(environment: Path) -> str:
    """The Python to go on with: the one that made the environment, or is to make it. Ours where nothing is better."""
    if (made_by := maker_of(environment)) is not None:
        return made_by
    if usable(sys.version_info) and not _is_default():
        return sys.executable  # somebody named it
    return fastest([sys.executable, *on_path()]) or sys.executable


def maker_of(environment: Path) -> str | None:
    """The Python outside that an environment was made by, where both still stand and we support it."""
    settings = environment / "pyvenv.cfg"
    if not settings.exists():
        return None
    version = re.search(r"^version\w* = (\d+)\.(\d+)", settings.read_text(), re.MULTILINE)
    python = (environment / "bin" / "python").resolve()
    stands = python.exists() and not python.is_relative_to(environment.resolve())
    return str(python) if stands and version and usable([int(part) for part in version.groups()]) else None


def fastest(pythons: Iterable[str]) -> str | None:
    """Of those that we support and that make environments the fastest; the first, unless another is much faster."""
    timed = [found for python in pythons if (found := timed_of(python)) is not None]
    return faster_of(timed).python if timed else None


@dataclass(frozen=True)
class Timed:
    """A Python by its own name for itself, and what the loop takes there."""

    python: str
    seconds: float


def faster_of(timed: Sequence[Timed]) -> Timed:
    """The fastest where that is worth a change, else the first."""
    best = min(timed, key=lambda each: each.seconds)
    return best if timed[0].seconds > FASTER * best.seconds else timed[0]


def timed_of(python: str) -> Timed | None:
    """``None`` for a Python that can't be used, or that is itself in an environment."""
    command = [python, "-I", "-c", LOOP, str(ROUNDS)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if ran.returncode:
        return None
    itself, version, outside, seconds = json.loads(ran.stdout)
    return Timed(itself, seconds) if usable(version) and outside else None


def on_path() -> Iterator[str]:
    """Pythons on this machine that we may support, each once, the newest first."""
    seen = {os.path.realpath(sys.executable)}
    uv = shutil.which("uv")
    for major, minor in reversed(SUPPORTED):
        name = f"python{major}.{minor}"
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        found = [python for folder in folders if (python := shutil.which(name, path=folder))]
        if not found and uv is not None:
            asked = [uv, "python", "find", "--no-python-downloads", "--system", f"{major}.{minor}"]
            answer = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
            found = [answer] if answer else []
        for python in found:
            if (real := os.path.realpath(python)) not in seen:
                seen.add(real)
                yield python


def _is_default() -> bool:
    """Whether we run under the Python that a bare ``python3`` means: nobody chose it."""
    default = shutil.which("python3")
    if default is None:
        return False
    asked = subprocess.run(
        [default, "-I", "-c", "import sys; print(sys.executable)"],
        capture_output=True,
        text=True,
        check=False,
    )
    return os.path.realpath(asked.stdout.strip()) == os.path.realpath(sys.executable)
