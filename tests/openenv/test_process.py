"""``python -m negotiation.openenv``: the process, its workers, and what it says when it cannot start."""

from __future__ import annotations

import importlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("openenv", reason="openenv is installed in .venv-train only")

import psutil
import requests
import yaml
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser

from negotiation.openenv.client import RemoteTables
from negotiation.openenv.environment import NAME
from negotiation.openenv.tables import Setup

COMMAND = (sys.executable, "-m", "negotiation.openenv")


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server, once it answers, and its address."""
    started = subprocess.Popen([*COMMAND, "--port", "0", *arguments], stderr=subprocess.PIPE, text=True)
    try:
        assert started.stderr is not None
        found = re.search(r"http://\S+", started.stderr.readline())
        assert found
        while True:
            try:
                requests.get(f"{found[0]}/health", timeout=10).raise_for_status()
            except requests.ConnectionError:
                time.sleep(0.05)
            else:
                break
        yield started, found[0]
    finally:
        started.terminate()
        started.wait(20)


def gone(pids: list[int]) -> bool:
    """Whether all of these processes have ended, within ten seconds."""
    for _ in range(100):
        if not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "70000"], "--port 70000"),
        (["--port", "ten"], "invalid int value: 'ten'"),
        (["--host", "nowhere.invalid"], "nowhere.invalid"),
        (["--sessions", "0"], "--sessions must be above zero"),
        (["--idle", "nan"], "--idle must be above zero"),
        (["--workers", "0"], "--workers 0"),
        (["--root-path", "openenv/"], "--root-path openenv/"),
        (["--colour", "blue"], "--colour"),
    ],
)
def test_bad_options_end_with_status_2_and_one_line_that_names_them(arguments: list[str], said: str) -> None:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_short_token_is_refused_without_saying_it() -> None:
    environment = {**os.environ, "PARLAY_AGENT_TOKENS": "hunter2"}
    done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert done.returncode == 2
    assert "at least 16 characters" in done.stderr
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("workers", ["1", "3"])
def test_a_port_that_is_taken_is_said_so(workers: str) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = str(other.getsockname()[1])
        done = subprocess.run(
            [*COMMAND, "--port", taken, "--workers", workers],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert taken in done.stderr


def test_workers_share_a_port_and_count_sessions_together_and_all_stop_when_told() -> None:
    with process("--workers", "3", "--sessions", "8") as (started, url):
        children = [child.pid for child in psutil.Process(started.pid).children()]
        assert len(children) == 3
        with RemoteTables(url) as tables:
            assert len(tables.reset([Setup(n) for n in range(8)])) == 8
            with RemoteTables(url) as more, pytest.raises(ConnectionError, match="sessions are taken"):
                more.reset([Setup(1)])
        started.send_signal(signal.SIGTERM)
        assert started.wait(20) == 0
        assert gone(children)


def test_when_a_worker_dies_the_rest_stop_and_the_status_says_so() -> None:
    with process("--workers", "2") as (started, _):
        children = [child.pid for child in psutil.Process(started.pid).children()]
        os.kill(children[0], signal.SIGKILL)
        assert started.wait(20) == 1
        assert gone(children)


def test_workers_do_not_outlive_a_parent_that_is_killed() -> None:
    with process("--workers", "2") as (started, _):
        children = [child.pid for child in psutil.Process(started.pid).children()]
        started.kill()
        assert gone(children)


def test_the_manifest_is_one_that_the_library_reads_and_names_an_application_that_is_there() -> None:
    root = Path(__file__).parents[2]
    manifest = OpenEnvYamlParser().parse(root)
    module, _, name = yaml.safe_load((root / "openenv.yaml").read_text())["app"].partition(":")
    assert manifest.name == NAME
    assert callable(getattr(importlib.import_module(module), name))
