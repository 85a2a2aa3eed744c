"""A worker's heartbeat: a file touched while it turns, for whoever keeps it running.

A worker that works alone (``--pool=solo``) turns between tasks only, so their starts and ends count as beats.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

from celery import Celery, bootsteps
from celery.beat import EmbeddedService
from celery.signals import task_postrun, task_prerun

BEAT_EVERY = 5.0


def start_clock(app: Celery) -> Thread:
    """Send what is due on the schedule, in a thread of this process."""
    clock: Thread = EmbeddedService(app, thread=True)
    clock.start()
    return clock


def beat_into(app: Celery, path: Path, *, well: Callable[[], bool]) -> None:
    """Have the worker that ``app`` becomes touch ``path`` while it takes tasks and all is ``well``."""

    def beat(**_: Any) -> None:
        if well():
            path.touch()

    task_prerun.connect(beat, weak=False, dispatch_uid="heartbeat")
    task_postrun.connect(beat, weak=False, dispatch_uid="heartbeat")

    class Heartbeat(bootsteps.StartStopStep):
        """Starts once the worker is connected and listens."""

        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            beat()
            self.entry = parent.timer.call_repeatedly(BEAT_EVERY, beat)

        def stop(self, parent: Any) -> None:
            self.entry.cancel()

    app.steps["consumer"].add(Heartbeat)
