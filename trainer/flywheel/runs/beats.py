"""A heart that beats while something else takes its time: files that come and go beside the work."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import connection

from owed import services as owed
from trainer.flywheel.runs.bundles import Sender
from trainer.flywheel.runs.models import TrainingRun

log = structlog.get_logger(__name__)

BEAT_SECONDS = 2.0
SHARE = 20
"""Sending has at most one part in so many of the time."""
T = TypeVar("T")


def beside(run: TrainingRun, work: Callable[[], T]) -> T:
    """Do what may take longer than a worker may be silent, and report progress meanwhile.

    Raises:
        LeaseLost: when another worker has the run by now.
        WorkCancelled: when it is not wanted any more.
    """
    if not settings.ARTEFACTS_ELSEWHERE:
        return work()
    with ThreadPoolExecutor(1) as pool:
        doing = pool.submit(_alone_with_database, work)
        while not wait([doing], BEAT_SECONDS).done:
            owed.progress(run)
    return doing.result()


def _alone_with_database(work: Callable[[], T]) -> T:
    try:
        return work()
    finally:
        connection.close()


class Courier:
    """Sends a run's files while it works: never two at once, and with rests that grow with what a round takes."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._pool = ThreadPoolExecutor(1)
        self._sending: Future[None] | None = None
        self._rests_until = 0.0

    def look(self) -> None:
        """Begin a round if it is time for one.

        Raises:
            LeaseLost: when the round before found that another worker has the run.
        """
        if not settings.ARTEFACTS_ELSEWHERE:
            return
        if self._sending is not None:
            if not self._sending.done():
                return
            self._sending.result()
        if time.monotonic() >= self._rests_until:
            self._sending = self._pool.submit(_alone_with_database, self._round)

    def _round(self) -> None:
        began = time.monotonic()
        try:
            self._sender.send()
        except OSError:
            log.warning("run_not_sent", exc_info=True)  # the next round sends what this one did not
        now = time.monotonic()
        self._rests_until = now + SHARE * (now - began)

    def end(self) -> None:
        """Wait for the round that is under way."""
        self._pool.shutdown()
