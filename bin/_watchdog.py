"""Ends the process groups that it is told of once its standard input closes: when ``bin/play`` is gone, however it went.

Reads lines: ``+GROUP`` to look after one, ``-GROUP`` when it has ended by itself. Standard library only.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

GRACE = 5.0


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        groups.add(group) if line[0] == "+" else groups.discard(group)
    for group in groups:
        _send(group, signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while any(_send(group, 0) for group in groups) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups:
        _send(group, signal.SIGKILL)


def _send(group: int, number: int) -> bool:
    """False when nobody of it is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


if __name__ == "__main__":
    main()
