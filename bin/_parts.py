"""The parts of a house on one machine: how each is started, and how one can tell that it is well."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Mapping
from pathlib import Path

import _environment as setup
from _supervisor import Part

sys.path.insert(0, str(setup.ROOT))
from parlay_web import redis_server

PROBE_SECONDS = 5.0
WORKER = str(setup.ROOT / "bin" / "_worker.py")
LONGEST_SOCKET = 100
"""Bytes of a socket file's path, a few less than the systems take."""
FRESH = 5.0
"""Seconds that a server's last beat may be old to call it well."""
BEAT_SECONDS = 300.0
"""A worker beats between tasks; the longest may take two minutes."""


def redis(var: Path, port: int, password: str) -> Part:
    """The embedded Redis. What it holds survives its death."""
    directory = var / "redis"
    return Part(
        "redis",
        redis_server.command(),
        healthy=lambda: redis_server.answers(port, password),
        patience=redis_server.PATIENCE,
        probe_every=0.5,
        hangs_after=3.0,
        given=redis_server.settings(port=port, directory=directory, password=password),
        without="tables wait for it",
    )


WEB = ("web", "spare")
"""Two of a kind: one serves, the other takes over when it ends (``parlay_web.standby``)."""


def web(name: str, var: Path, listening: int, url: str, environment: Mapping[str, str]) -> Part:
    """Pages and sockets, at a socket that listens. It is well when its heart beats and, if it is its turn, it answers; that
    its neighbours do is theirs to say."""
    beat, turn = _beat_of(var, name), var / "web.turn"

    def healthy() -> bool:
        return age(beat) < FRESH and (not _says(turn, beat) or answers(f"{url}/healthz"))

    return Part(
        name,
        (
            *(str(setup.PYTHON), "-m", "daphne", "-v", "0", "--no-server-name"),
            *("--fd", str(listening), "parlay_web.standby:application"),
        ),
        healthy=healthy,
        beat=beat,
        needed=name == "web",
        without="the other of the two takes its place",
        environment={**environment, "PARLAY_HEARTBEAT": str(beat)},
        inherits=(listening,),
    )


def _says(turn: Path, beat: Path) -> bool:
    """Whether it is the turn of the process with that heartbeat."""
    try:
        return turn.read_text().endswith(f" {beat}")
    except OSError:
        return False


def pages(var: Path, environment: Mapping[str, str]) -> Part:
    """What people look at, made beside the tables and behind them: the web process passes it on."""
    file, beat = pages_file(var), _beat_of(var, "pages")
    file.unlink(missing_ok=True)
    return Part(
        "pages",
        (
            *("nice", "-n", "10", str(setup.PYTHON), "-m", "daphne", "-v", "0", "--no-server-name"),
            *("-u", str(file), "parlay_web.asgi:application"),
        ),
        healthy=lambda: answers_at(file),
        beat=beat,
        needed=False,
        without="the web process makes pages too",
        environment={
            **environment,
            "PAGES_AT": "",
            "TRUSTED_PROXIES": "unix",
            "PARLAY_HEARTBEAT": str(beat),
        },
    )


def pages_file(var: Path) -> Path:
    """The socket file between the two; a path that no socket can have gives way to one in a folder of its own."""
    file = var / "pages.sock"
    if len(os.fsencode(file)) < LONGEST_SOCKET:
        return file
    folder = Path(tempfile.gettempdir()) / f"parlay-{os.getuid()}-{zlib.crc32(os.fsencode(var)):08x}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise setup.SetupError(f"{folder} belongs to somebody else; start with a shorter PARLAY_VAR")
    return folder / file.name


WITHOUT = {
    "urgent": "tables go on, deadlines wait for it",
    "worker": "tables go on, reviews wait for it",
    "training": "runs wait for it",
}
"""What is missing while a worker of this name is away."""


def worker(var: Path, name: str) -> Part:
    """Deadlines and the clock; or reviews and the rest; or what trains models: a process and queues each."""
    training = name == "training"
    beat = _beat_of(var, name)
    return Part(
        name,
        (str(setup.PYTHON), WORKER, name, "--beat-file", str(beat)),
        # A run of hours is a task of hours: only its end can be told from outside.
        healthy=beat.exists if training else lambda: age(beat) < BEAT_SECONDS,
        needed=not training,
        without=WITHOUT[name],
    )


def _beat_of(var: Path, name: str) -> Path:
    """The file of a part's heartbeat, without what an earlier one left."""
    beat = var / f"{name}.beat"
    beat.unlink(missing_ok=True)
    return beat


def answers(url: str) -> bool:
    """Whether a server says yes there."""
    try:
        with urllib.request.urlopen(url, timeout=PROBE_SECONDS):  # noqa: S310
            return True
    except (urllib.error.URLError, OSError):
        return False


def answers_at(file: Path) -> bool:
    """Whether a server behind a socket file says yes."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PROBE_SECONDS)
            line.connect(str(file))
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return line.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def age(path: Path) -> float:
    """Seconds since ``path`` was touched; for ever where it was not."""
    try:
        return time.time() - os.stat(path).st_mtime  # noqa: PTH116
    except OSError:
        return float("inf")
