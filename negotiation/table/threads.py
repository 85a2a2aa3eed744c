"""The threads on which tables talk to the database.

Sockets share a few threads of their own, with connections that stay open, instead of Channels' single
thread that opens and closes one per call. Only millisecond work belongs here: rows, and the engine's own
arithmetic; a model is asked over async HTTP and never from these threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")

_pool: ThreadPoolExecutor | None = None


def _call(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return function(*args, **kwargs)
    finally:
        for connection in connections.all(initialized_only=True):
            if connection.errors_occurred:
                # A broken connection is thrown away; the next call opens a fresh one.
                connection.close()


async def in_database_surely(
    then: Callable[[R], object], function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """As ``in_database``; where nobody waits for the result any more, ``then`` hears it on the event loop."""
    job = asyncio.ensure_future(in_database(function, *args, **kwargs))
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        job.add_done_callback(
            lambda done: None if done.cancelled() or done.exception() else then(done.result())
        )
        raise


async def in_database(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run ``function`` on a table thread and wait for it without blocking the event loop."""
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(settings.TABLE_THREADS, thread_name_prefix="table")
    # With what goes on here: spans and the ids on log lines.
    here = copy_context()
    return await asyncio.get_running_loop().run_in_executor(
        _pool, partial(here.run, partial(_call, function, *args, **kwargs))
    )


def close_threads() -> None:
    """Stop the threads and close their connections: at the end of a test, where the database goes away."""
    global _pool
    if _pool is not None:
        for closing in [_pool.submit(connections.close_all) for _ in range(settings.TABLE_THREADS)]:
            closing.result()
        _pool.shutdown()
        _pool = None
