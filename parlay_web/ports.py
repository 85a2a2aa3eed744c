"""Free TCP ports, for servers that we start ourselves."""

from __future__ import annotations

import os
import socket
from typing import Final

_FIRST_KEPT: Final = 20_000
_KEPT_PORTS: Final = 10_000
_STRIDE: Final = 37
"""Neighbouring processes look for theirs so far apart."""


def free_port() -> int:
    """A port on this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def kept_port() -> int:
    """A port that nobody listens on now and that the system hands to nobody: for a server that is started later.

    It lies below the ports that are handed out to who asks for any (from 32768 on Linux, 49152 elsewhere).
    """
    for step in range(_KEPT_PORTS):
        port = _FIRST_KEPT + (os.getpid() * _STRIDE + step) % _KEPT_PORTS
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise RuntimeError("no free port")
