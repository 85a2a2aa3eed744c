"""The workers of ``bin/play``: reviews and other work that nobody waits for at a table, at low priority.

``_worker.py training`` is the one that trains models, in a queue of its own, one run at a time. ``--beat-file`` names a
file that is touched while the worker turns.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

NICENESS = 10


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("queue", nargs="?", choices=["training"])
    parser.add_argument("--beat-file", type=Path)
    chosen = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    from parlay_web.celery import app
    from parlay_web.heartbeat import beat_into, start_clock

    training = chosen.queue == "training"
    # A thread, not a process: it can neither outlive its worker nor die without it.
    clock = None if training else start_clock(app)
    if chosen.beat_file is not None:
        beat_into(app, chosen.beat_file, well=lambda: clock is None or clock.is_alive())
    part = ["-Q", "training", "-n", "training@%h"] if training else []
    app.worker_main(["worker", *part, "--pool=solo", "-l", "WARNING"])


if __name__ == "__main__":
    main()
