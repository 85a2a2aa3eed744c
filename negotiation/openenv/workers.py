"""Several processes on one port: a table is pure computation, so one process would leave all cores but one idle.

The kernel spreads connections over sockets that share a port (``SO_REUSEPORT``), and a session stays where it landed.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType

CAN_SHARE_A_PORT = sys.platform == "linux"
MOST_BY_DEFAULT = 8


def default_workers() -> int:
    """One for each core that is ours, within reason."""
    return min(MOST_BY_DEFAULT, len(os.sched_getaffinity(0))) if CAN_SHARE_A_PORT else 1


def listen(host: str, port: int, workers: int) -> list[socket.socket]:
    """A socket for each worker, all on one port; port 0 takes a free one.

    Raises:
        OSError: when the address cannot be had.
    """
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind) as alone:
        # Sharing must not let a second server slip in beside the first; alone it is told that the port is taken.
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        alone.bind(address)
        address = alone.getsockname()
    listening = []
    for _ in range(workers):
        each = socket.socket(family, kind)
        each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if workers > 1:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        each.bind(address)
        listening.append(each)
    return listening


def run(serve: Callable[[socket.socket], None], listening: Sequence[socket.socket]) -> int:
    """Serve on each socket in a process of its own, until told to stop or until one of them ends.

    Returns:
        The exit status: 0 when told to stop, 1 when a worker died.
    """
    if len(listening) == 1:
        serve(listening[0])
        return 0
    lifeline, held = os.pipe()
    workers = [_fork(serve, each, lifeline, held) for each in listening]
    stopping = False

    def stop(*_: int | FrameType | None) -> None:
        nonlocal stopping
        stopping = True
        for worker in workers:
            os.kill(worker, signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    status = 0
    while workers:
        ended, _ = os.wait()
        workers.remove(ended)
        if not stopping:
            status = 1
            stop()
    return status


def _fork(serve: Callable[[socket.socket], None], listening: socket.socket, lifeline: int, held: int) -> int:
    worker = os.fork()
    if worker:
        return worker
    os.close(held)
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    try:
        serve(listening)
    finally:
        os._exit(0)  # never back into the parent's code


def _end_with_parent(lifeline: int) -> None:
    """Nothing is ever written to the lifeline; it ends when the parent does, however that comes about."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
