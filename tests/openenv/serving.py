"""A real server on a real port, in a thread of the test's process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn

from negotiation.openenv.app import make_app
from negotiation.openenv.limits import Limits
from negotiation.openenv.workers import listen


@contextmanager
def serving(limits: Limits | None = None, tokens: Sequence[str] = (), root_path: str = "") -> Iterator[str]:
    """Serve; the address without a path."""
    limits = limits or Limits()
    (listening,) = listen("127.0.0.1", 0, 1)
    config = uvicorn.Config(
        make_app(limits, tokens, root_path), log_level="error", access_log=False, ws_max_size=limits.frame
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
