"""The Celery application; tasks live in ``<app>/tasks.py``."""

import os
from pathlib import Path
from threading import Thread

from celery import Celery
from celery.signals import worker_init, worker_process_init, worker_ready
from django.conf import settings

from parlay_web import tracing
from parlay_web.heartbeat import beat_into, start_clock

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.dev")

_clocks: list[Thread] = []
app = Celery("parlay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def show_life(**_: object) -> None:
    """Where a file is named, keep touching it, for ``parlay_web.health`` to look at."""
    if settings.HEARTBEAT:
        beat_into(app, Path(settings.HEARTBEAT), well=lambda: all(clock.is_alive() for clock in _clocks))


@worker_ready.connect
def send_what_is_due(**_: object) -> None:
    """Where this worker keeps the clock: a thread, which neither outlives its process nor leaves it ticking without one.

    Only now, since a process that works for this one must not be forked from under a thread.
    """
    if settings.CLOCK:
        _clocks.append(start_clock(app))


@worker_process_init.connect
def trace_tasks(**_: object) -> None:
    """In the process that works, since a thread that sends does not survive a fork."""
    tracing.start("worker")
