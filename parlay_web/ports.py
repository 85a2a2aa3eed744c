"""Free TCP ports, for servers that we start ourselves."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from pathlib import Path
from typing import Final

_FIRST_KEPT: Final = 20_000
_KEPT_PORTS: Final = 10_000
_STRIDE: Final = 37
"""Neighbouring processes look for theirs so far apart."""
_held: Final[list[int]] = []
"""Locks of the ports that this process keeps, open as long as it lives."""


def free_port() -> int:
    """A port on this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def kept_port() -> int:
    """A port that nobody listens on now and that nobody else is given while this process lives: for a server that is
    started later.

    It lies below the ports that the system hands out to who asks for any (from 32768 on Linux, 49152 elsewhere).
    """
    for step in range(_KEPT_PORTS):
        port = _FIRST_KEPT + (os.getpid() * _STRIDE + step) % _KEPT_PORTS
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) and _keep(port):
                return port
    raise RuntimeError("no free port")


def _keep(port: int) -> bool:
    """Whether no other process of this person keeps the port; from now on this one does."""
    lock = os.open(
        Path(tempfile.gettempdir()) / f"parlay-port-{os.getuid()}-{port}", os.O_CREAT | os.O_RDWR, 0o600
    )
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return False
    _held.append(lock)
    return True
