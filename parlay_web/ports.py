"""Free TCP ports, for servers that we start ourselves."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port on this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
