"""A run's folder: what was asked, what happened, how far it is.

``config.toml`` holds the settings as resolved, ``run.json`` where they came from (revision, seed, machine, time,
memory), ``metrics.jsonl`` one line per step. Progress goes to stderr, so that stdout is the result's alone.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from trainer.errors import BadInput
from trainer.settings import dump, load


class Run:
    """One run's folder.

    Args:
        folder: made if it is not there.
        settings: written as ``config.toml``.
        resume: goes on with a run; otherwise a folder that holds one is refused.

    Of several processes that learn as one, the first alone writes (``writes``).
    """

    def __init__(self, folder: Path, command: str, settings: Any, seed: int, *, resume: bool = False) -> None:
        self.folder = folder
        self.writes = int(os.environ.get("RANK", "0")) == 0
        self._started = time.monotonic()
        self._before = 0.0
        self._info: dict[str, Any] = {
            "command": command,
            "seed": seed,
            "revision": revision(),
            "python": platform.python_version(),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        text = dump(settings)
        if not self.writes:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / "metrics.jsonl").exists() and not resume:
                raise BadInput(f"{folder} holds a run already; go on with --resume, or give another --output")
            if resume and (folder / "config.toml").exists():
                _same_settings(folder, type(settings), text)
            if resume and (folder / "run.json").exists():
                self._before = float(json.loads((folder / "run.json").read_text()).get("seconds", 0.0))
            (folder / "config.toml").write_text(text, encoding="utf-8")
            self._write_info()
        except OSError as problem:
            raise BadInput(f"{folder}: {problem.strerror}") from problem

    def log(self, **values: Any) -> None:
        """Append one line to ``metrics.jsonl``."""
        if not self.writes:
            return
        try:
            with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(values, default=float) + "\n")
        except OSError as problem:
            raise BadInput(f"{self.folder}/metrics.jsonl: {problem.strerror}") from problem

    def cut(self, kind: str, before: int) -> None:
        """Forget lines of ``kind`` from step ``before`` on: a resumed run writes them again."""
        path = self.folder / "metrics.jsonl"
        if not self.writes or not path.exists():
            return
        kept = [m for m in read_metrics(self.folder) if m.get("kind") != kind or m["step"] < before]
        path.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")

    def finish(self, **results: Any) -> None:
        """Write down what came of it, how long it took, and the most memory it held."""
        self._info["results"] = results
        if self.writes:
            self._write_info()

    def _write_info(self) -> None:
        self._info["seconds"] = round(self._before + time.monotonic() - self._started, 2)
        self._info["peak_memory_mb"] = peak_memory_mb()
        (self.folder / "run.json").write_text(json.dumps(self._info, indent=1, default=float) + "\n")


class Progress:
    """A line on stderr now and then, with the time that is left."""

    def __init__(self, what: str, total: int, done: int = 0) -> None:
        self._what, self._total, self._first = what, total, done
        self._started = self._shown = time.monotonic()

    def show(self, done: int, note: str = "") -> None:
        """``done`` of all; quiet if the last line is fresh, unless this one is the last."""
        now = time.monotonic()
        if now - self._shown < 2 and done < self._total:
            return
        self._shown = now
        made = max(1, done - self._first)
        left = (self._total - done) * (now - self._started) / made
        say(f"{self._what} {done}/{self._total}, {left:.0f} s left{', ' + note if note else ''}")


def say(message: str) -> None:
    """A line of progress."""
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """The lines of ``metrics.jsonl``; a last line that a crash cut short is left out.

    Raises:
        BadInput: when there is none, or another line is malformed, by its number.
    """
    path = folder / "metrics.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except ValueError as problem:
            if number < len(lines):
                raise BadInput(f"{path}, line {number}: not JSON") from problem
    return found


def revision() -> str:
    """The git revision of the code, with ``+`` where files differ from it; ``unknown`` outside a checkout."""
    root = Path(__file__).resolve().parent.parent
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+"],  # noqa: S607
            cwd=root,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return found.stdout.strip() or "unknown"


def peak_memory_mb() -> int:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _same_settings(folder: Path, kind: type[Any], text: str) -> None:
    """Compared as they are read, so that a run of an older version goes on under the names that settings have now."""
    path = folder / "config.toml"
    before = path.read_text(encoding="utf-8")
    if before == text:
        return
    before = dump(load(kind, path))
    if before != text:
        changed = next(
            (new for old, new in zip(before.splitlines(), text.splitlines(), strict=False) if old != new),
            "its length",
        )
        raise BadInput(f"{folder} was made with other settings ({changed}); resume it with its config.toml")
