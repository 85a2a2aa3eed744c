"""The workers of ``bin/play``: reviews and other work that nobody waits for at a table, at low priority.

``_worker.py training`` is the one that trains models, in a queue of its own, one run at a time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

NICENESS = 10

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    from parlay_web.celery import app

    part = ["-Q", "training", "-n", "training@%h"] if sys.argv[1:] == ["training"] else ["--beat"]
    app.worker_main(["worker", *part, "--pool=solo", "-l", "WARNING"])
