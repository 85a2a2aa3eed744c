"""Whether a process hangs, told from one that only waits for a processor. Standard library only.

A process gives signs of life: a file that its event loop touches, an answer. On a busy machine they are late, and whoever
went by the clock alone would end what is merely slow. So silence is counted in the process's own time: the kernel tells for
how long its threads stood in line for a processor (``/proc/PID/task/*/schedstat``), and that is not held against it, nor is
waiting for a disk. What remains is a loop that spins or waits for what never comes. A process that was stopped (state T) is
never slow. One look counts for a moment at most, since who looks may have been kept waiting too.
"""

from __future__ import annotations

import time
from pathlib import Path

LOOK = 0.3
"""Seconds that one look may count for."""
NANOSECONDS = 1e-9


class Silence:
    """How long the process ``pid`` has given no sign of life, in seconds of its own.

    Args:
        quiet: seconds without a sign in which nobody looks closer.
    """

    def __init__(self, pid: int, *, quiet: float = 0.5) -> None:
        self.pid, self.quiet = pid, quiet
        self._sign: float | None = None
        self._at = time.monotonic()
        self._heard_at = self._at
        self._so_far: tuple[float, float] | None = None
        self._own = 0.0

    def seconds(self, sign: float | None) -> float:
        """Look once more; ``sign`` is when the latest sign was given, by whatever clock."""
        now = time.monotonic()
        since, self._at = min(now - self._at, LOOK), now
        if sign != self._sign:
            self._sign, self._heard_at, self._so_far, self._own = sign, now, None, 0.0
            return 0.0
        if now - self._heard_at < self.quiet:
            self._own += since
            return self._own
        so_far = processor_time(self.pid)
        ran, waited = (so_far[at] - (self._so_far or so_far)[at] for at in (0, 1))
        self._so_far = so_far
        now_is = state(self.pid)
        # Who waits in line right now is told of only once the wait is over: runnable without having run, it is not counted.
        if now_is == "D" or (now_is == "R" and not ran):
            since = 0.0
        self._own = max(self._own + since - waited, 0.0)
        return self._own


class Stopped:
    """For how long the process ``pid`` has been found stopped, in seconds."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._since: float | None = None

    def seconds(self) -> float:
        """Look once more."""
        if state(self.pid) != "T":
            self._since = None
            return 0.0
        now = time.monotonic()
        self._since = self._since or now
        return now - self._since


def state(pid: int) -> str:
    """The state of a process as ``/proc`` has it: R, S, D, T, Z; nothing where it is gone or nobody tells."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    # The name stands in brackets and may hold anything.
    return told.rpartition(")")[2].split()[0]


def processor_time(pid: int) -> tuple[float, float]:
    """Seconds that all threads of a process have run so far, and that they have waited for a processor."""
    ran = waited = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            its = thread.read_text().split()
        except OSError:
            continue  # ended meanwhile
        ran, waited = ran + int(its[0]), waited + int(its[1])
    return ran * NANOSECONDS, waited * NANOSECONDS


def in_line(pid: int) -> float:
    """Seconds that all threads of a process have waited for a processor so far."""
    return processor_time(pid)[1]


def beaten(file: Path) -> float | None:
    """When a heartbeat's file was touched last."""
    try:
        return file.stat().st_mtime
    except OSError:
        return None


def told() -> bool:
    """Whether this machine tells who waits for a processor."""
    try:
        return Path("/proc/self/schedstat").read_text().split()[:2] != ["0", "0"]
    except OSError:
        return False
