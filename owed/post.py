"""Messages to the workers, on their way to the broker.

In a process that serves tables they go out from a thread of their own: a broker that is away, or hangs, keeps whoever brings
a message waiting for seconds, and on a table's thread that would be everybody who plays. What is lost with the process or
the broker, a sweep finds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

_beside: ThreadPoolExecutor | None = None


def send_beside() -> None:
    """From here on nobody in this process waits for the broker."""
    global _beside
    _beside = _beside or ThreadPoolExecutor(1, thread_name_prefix="post")


def post(message: Callable[[], object]) -> None:
    """Have a message sent, in the order they come."""
    if _beside is None:
        message()
    else:
        # With what goes on here: spans and the ids on log lines.
        _beside.submit(copy_context().run, message)
