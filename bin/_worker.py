"""The workers of ``bin/play``: what is not done at a table itself, at low priority.

``urgent``, ``worker`` and ``training`` take their queues each (``owed.queues``); without a name, one process takes all
but training. Who takes what is urgent keeps the clock. ``--beat-file`` names a file that is touched while the worker turns.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from owed import queues

NICENESS = 10


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name", nargs="?", choices=queues.BY_WORKER)
    parser.add_argument("--beat-file", type=Path)
    chosen = parser.parse_args()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    from parlay_web.celery import app
    from parlay_web.heartbeat import beat_into, start_clock

    mine = queues.BY_WORKER[chosen.name] if chosen.name else queues.ORDER
    # A thread, not a process: it can neither outlive its worker nor die without it.
    clock = start_clock(app) if queues.URGENT in mine else None
    if chosen.beat_file is not None:
        beat_into(app, chosen.beat_file, well=lambda: clock is None or clock.is_alive())
    name = chosen.name or "all"
    app.worker_main(["worker", "-Q", ",".join(mine), "-n", f"{name}@%h", "--pool=solo", "-l", "WARNING"])


if __name__ == "__main__":
    main()
