"""What a training process takes of the machine, read from the kernel while it works."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "resources.jsonl"
MOST_LINES = 5000
TICKS = os.sysconf("SC_CLK_TCK")
GPU_SECONDS = 2.0


@dataclass(slots=True)
class Meter:
    """Looks at one process now and then, and writes a line for each look into the run's folder.

    Linux only, as the rest of the runner: elsewhere the lines say nothing of memory and processor.
    """

    pid: int
    folder: Path
    _ticks: int = 0
    _at: float = 0.0
    _lines: int = 0

    def look(self) -> None:
        """One line more: processor time in percent of one core, memory in MB, and the GPU's where there is one."""
        now, ticks = time.monotonic(), _ticks_of(self.pid)
        since = now - self._at
        seen: dict[str, Any] = {"at": round(time.time(), 1), "memory_mb": _memory_mb(self.pid)}
        if self._at and ticks is not None and since > 0:
            seen["cpu"] = round(100 * (ticks - self._ticks) / TICKS / since)
        self._ticks, self._at = ticks or 0, now
        seen |= gpu()
        self._lines += 1
        if self._lines <= MOST_LINES:
            with (self.folder / FILE).open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(seen) + "\n")


def _ticks_of(pid: int) -> int | None:
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return int(after_name[11]) + int(after_name[12])


def _memory_mb(pid: int) -> int | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = next((line for line in status.splitlines() if line.startswith("VmRSS:")), "")
    return int(found.split()[1]) // 1024 if found else None


def gpu() -> dict[str, int]:
    """Use in percent and memory in MB of the first NVIDIA GPU; empty where there is none."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return {}
    asked = ("--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader,nounits")
    try:
        told = subprocess.run(  # noqa: S603  # a program of the driver's, with fixed arguments
            [program, *asked], capture_output=True, text=True, timeout=GPU_SECONDS, check=True
        ).stdout.splitlines()[0]
        used, memory = (int(part) for part in told.split(","))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return {}
    return {"gpu": used, "gpu_memory_mb": memory}


def latest(folder: Path) -> dict[str, Any]:
    """The last line; empty before the first."""
    try:
        with (folder / FILE).open("rb") as lines:
            lines.seek(0, 2)
            lines.seek(max(0, lines.tell() - 400))
            last = lines.read().decode(errors="replace").strip().splitlines()[-1]
        found: dict[str, Any] = json.loads(last)
    except (OSError, ValueError, IndexError):
        return {}
    return found
