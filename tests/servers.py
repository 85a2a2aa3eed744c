"""Real processes for the tests: Redis, migrations, Daphne, each with its data in a folder of its own."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bin"))
import _models
import _parts

from parlay_web import redis_server
from parlay_web.env import QUOTAS
from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent
from tests import database

DAPHNE = ("-m", "daphne", "-v", "0", "-b", "127.0.0.1")
ROOT = Path(__file__).resolve().parent.parent
MAKE_DEMO = "from django.core.management import call_command; call_command('demo')"

ModelServer = _models.ModelServer
"""A real vLLM on this machine: ``start``, ``kill``, ``stop``; its ``url`` is what MODEL_URL takes."""
make_tiny = _models.make_tiny
"""``make_tiny(directory, *adapters)``: a model of random weights and LoRA adapters for it."""


class Stack:
    """One installation of the product, to be started, killed and started again."""

    def __init__(self, directory: Path, **environment: str) -> None:
        self.directory = directory
        self.redis_port = free_port()
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self.log = directory / "web.log"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("DJANGO_", "PARLAY_", "MODEL_"))},
            "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev",
            "PARLAY_VAR": str(directory),
            "PARLAY_DEMO": "1",
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "LOG_LEVEL": "INFO",
            # The same deals on every run: a coincidence of figures must not fail a test once a year.
            "PARLAY_FIRST_SEED": "1",
            # All people of a test sit at one address.
            "PARLAY_QUOTAS": ",".join(f"{name}=1000000" for name in QUOTAS),
            **environment,
        }
        self.environment.pop("DATABASE_URL", None)
        self.redis: subprocess.Popen[bytes] | None = None
        self.web: subprocess.Popen[bytes] | None = None
        self.pages: subprocess.Popen[bytes] | None = None
        self.pages_file: Path | None = None
        self.clerk: subprocess.Popen[str] | None = None

    def start(self, *, planes: bool = False) -> Stack:
        """Everything, ready to play; with ``planes`` the pages are made by a process of their own."""
        self.directory.mkdir(parents=True, exist_ok=True)
        if not (self.directory / "parlay.sqlite3").exists():
            database.copy_to(self.directory / "parlay.sqlite3")
        self.start_redis()
        self.tell(MAKE_DEMO)
        if planes:
            self.start_pages()
        self.start_web()
        return self

    def start_redis(self) -> None:
        self.redis = redis_server.start(
            port=self.redis_port, directory=self.directory / "redis", preexec_fn=die_with_parent
        )

    def stop_redis(self) -> None:
        """Kill it, as a machine would."""
        assert self.redis is not None
        self.redis.kill()
        self.redis.wait()

    def start_web(self) -> None:
        with self.log.open("ab") as log:
            self.web = subprocess.Popen(
                [sys.executable, *DAPHNE, "-p", str(self.port), "parlay_web.asgi:application"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
            )
        self._wait_until_ready()

    def start_pages(self) -> None:
        """A second process that makes the pages, for a web process that is started with ``PAGES_AT`` after this."""
        self.pages_file = _parts.pages_file(self.directory)
        self.environment["PAGES_AT"] = f"unix:{self.pages_file}"
        part = _parts.pages(self.directory, self.environment)
        with self.log.open("ab") as log:
            self.pages = subprocess.Popen(
                part.command,
                cwd=ROOT,
                env=part.environment,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
            )
        deadline = time.monotonic() + 60
        while not part.healthy():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def kill_web(self) -> None:
        """kill -9: no goodbye, no flush."""
        assert self.web is not None
        self.web.send_signal(signal.SIGKILL)
        self.web.wait()

    def manage(self, *command: str) -> str:
        """Run a management command and return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tell(self, code: str) -> str:
        """Have Python run inside this installation and return what it printed.

        As ``manage("shell", "-c", ...)``, by a process that stays: a second and more is saved each time.
        """
        if self.clerk is None:
            with self.log.open("ab") as log:
                self.clerk = subprocess.Popen(
                    [sys.executable, "-m", "tests.clerk"],
                    cwd=ROOT,
                    env=self.environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    preexec_fn=die_with_parent,
                )
        assert self.clerk.stdin is not None
        assert self.clerk.stdout is not None
        print(json.dumps(code), file=self.clerk.stdin, flush=True)
        done = json.loads(self.clerk.stdout.readline())
        assert done["error"] is None, done["error"]
        return str(done["printed"])

    def rows(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Look into the database from outside, while the server runs."""
        with sqlite3.connect(f"file:{self.directory / 'parlay.sqlite3'}?mode=ro", uri=True) as connection:
            return connection.execute(sql, parameters).fetchall()

    def stop(self) -> None:
        running: tuple[subprocess.Popen[Any] | None, ...] = (self.clerk, self.web, self.pages, self.redis)
        for process in running:
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self.web is not None
            assert self.web.poll() is None, self.log.read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2):  # noqa: S310
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise AssertionError(f"the server did not start: {self.log.read_text()}")
