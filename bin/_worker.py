"""The worker of ``bin/play``: reviews and other work that nobody waits for at a table, at low priority."""

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

    app.worker_main(["worker", "--beat", "--pool=solo", "-l", "WARNING"])
