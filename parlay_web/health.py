"""What a container asks itself: does the web process answer, does the worker's heart beat; and, where it has been silent
for too long, an end to it.

    python -m parlay_web.health web --heartbeat FILE [--url URL] [--kill-after SECONDS]
    python -m parlay_web.health worker --heartbeat FILE [--kill-after SECONDS]

Compose marks a container as unhealthy and leaves it at that. So what hangs is killed from within, by ``--kill-after``: it
is a child of process 1, which then ends too, and the restart policy starts the service anew. Process 1 itself can't be
killed from inside, hence Compose's ``init: true``. Nothing is killed that was never seen alive: it may still be starting.
Standard library only, so that asking costs a few hundredths of a second.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

BETWEEN_BEATS = 30.0
"""Seconds without a worker's beat that count as silence; there is one every five."""
ANSWER = 3.0


def answers(url: str) -> bool:
    """Whether the web process says that it is well, in time."""
    try:
        with urllib.request.urlopen(url, timeout=ANSWER) as answer:  # noqa: S310  # our own address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def silence(heartbeat: Path) -> float | None:
    """Seconds since the last sign of life; None before the first one."""
    try:
        return max(time.time() - heartbeat.stat().st_mtime, 0.0)
    except FileNotFoundError:
        return None


def children(parent: int) -> Iterator[int]:
    """The processes that ``parent`` started, as /proc has them."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                told = (entry / "stat").read_text()
            except OSError:
                continue
            # The name stands in brackets and may hold anything; state and parent follow it.
            if int(told.rpartition(")")[2].split()[1]) == parent:
                yield int(entry.name)


def main(arguments: list[str] | None = None) -> int:
    """0 when it is well, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m parlay_web.health", description="Is it alive?")
    parser.add_argument("who", choices=("web", "worker"))
    parser.add_argument("--heartbeat", type=Path, required=True, help="the file that is touched at each sign")
    parser.add_argument("--url", default="http://127.0.0.1:8000/healthz")
    parser.add_argument("--kill-after", type=float, help="seconds of silence; without it, only tells")
    parser.add_argument("--parent", type=int, default=1, help="whose children are killed (%(default)s)")
    chosen = parser.parse_args(arguments)
    if chosen.who == "web" and answers(chosen.url):
        chosen.heartbeat.touch()
        return 0
    silent = silence(chosen.heartbeat)
    if chosen.who == "worker" and silent is not None and silent < BETWEEN_BEATS:
        return 0
    sys.stdout.write("not started yet\n" if silent is None else f"silent for {silent:.0f} seconds\n")
    if silent is not None and chosen.kill_after is not None and silent >= chosen.kill_after:
        for each in children(chosen.parent):
            os.kill(each, signal.SIGKILL)
    return 1


if __name__ == "__main__":
    sys.exit(main())
