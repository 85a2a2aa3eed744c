"""The house that ``bin/play`` opens on this machine: its parts in the order they need each other, and what is said of it."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import _beside as beside
import _database as database
import _environment as setup
import _parts as parts
from _supervisor import Supervisor

sys.path.insert(0, str(setup.ROOT))
from parlay_web import redis_server
from parlay_web.ports import free_port

EVERYONE = ("0.0.0.0", "::")  # noqa: S104
BACKLOG = 1024
"""Connections that wait to be taken in: all tables of a house come back at once."""


class House:
    """One start of ``bin/play``: ``open`` it, watch its ``supervisor``, ``close`` it."""

    def __init__(
        self, chosen: argparse.Namespace, var: Path, began: float, models: beside.Models | None
    ) -> None:
        self.chosen = chosen
        self.var = var
        self.began = began
        self.demo = not chosen.no_demo
        everyone = chosen.host in EVERYONE
        shown = "127.0.0.1" if everyone else chosen.host
        self.url = f"http://{f'[{shown}]' if ':' in shown else shown}:{chosen.port}"
        hosts = ",".join(["localhost", "127.0.0.1", "[::1]", "*" if everyone else chosen.host])
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE") or "parlay_web.settings.dev",
            "PARLAY_VAR": str(var),
            "PARLAY_DEMO": "1" if self.demo else "0",
            "ALLOWED_HOSTS": os.environ.get("ALLOWED_HOSTS") or hosts,
        }
        self.environment.setdefault("PAGES_AT", f"unix:{parts.pages_file(var)}")
        self.supervisor = Supervisor(var / "log", self.environment)
        self.models = models
        self.environment.update(models.told if models else {})
        self.agents: beside.Agents | None = None
        self.listening: socket.socket | None = None

    def open(self) -> None:
        """Start everything and say so once people can come in."""
        self._start_redis()
        fresh = database.ensure_schema(self.var, self.environment)
        invited = self.var / ".demo"
        inviting = self.demo and (fresh or not invited.exists())
        setup.say("Opening ...")
        self._start_web("web")
        if inviting:
            # Beside the door's opening, and before anybody is told of it: who comes in first may be one of them.
            setup.say("Inviting the demo team ...")
            self._manage("demo")
            invited.touch()
        self.supervisor.wait("web")
        # Nobody waits for them at a door, so they don't take a core from those who do.
        if self.environment["PAGES_AT"].startswith("unix:"):
            self.supervisor.start(parts.pages(self.var, self.environment))
        self._start_web("spare")
        for name in ("urgent", "worker"):
            self.supervisor.start(parts.worker(self.var, name))
        for beside_it in (self._start_training, self._start_agents, self._start_models):
            try:
                beside_it()
            except setup.SetupError as missing:
                setup.say(f"{missing}; going on without it.")
        if self.agents:
            self.supervisor.wait("agents")
        self._open_models()
        self._welcome()
        if inviting:
            self._try("sample_team", "--later")

    def close(self) -> None:
        """Everything that was started is ended, the last first."""
        self.supervisor.stop()
        if self.listening:
            self.listening.close()

    def _start_web(self, name: str) -> None:
        """Whichever of the two serves, what people reach is ours: who comes while nobody serves is taken in afterwards."""
        self.listening = self.listening or _listen(self.chosen.host, self.chosen.port)
        at = self.var, self.listening.fileno(), self.url
        self.supervisor.start(parts.web(name, *at, self.environment))

    def _start_redis(self) -> None:
        """Unless the environment names a Redis, start our own on a free port, with a password for this start."""
        if os.environ.get("REDIS_URL"):
            return
        port, password = free_port(), redis_server.new_password()
        try:
            self.supervisor.start(parts.redis(self.var, port, password))
        except redis_server.RedisNotStartedError as error:
            raise setup.SetupError(str(error)) from None
        self.supervisor.wait("redis")
        self.environment["REDIS_URL"] = redis_server.url_of(port, password)

    def _start_training(self) -> None:
        if self.chosen.with_trainer:
            beside.trainer_python()
            self.supervisor.start(parts.worker(self.var, "training"))

    def _start_agents(self) -> None:
        if self.chosen.with_agents:
            agents = beside.Agents()
            self.supervisor.start(agents.part())
            self.agents = agents

    def _start_models(self) -> None:
        """The last: the tables are open while it is made."""
        models, self.models = self.models, None
        while models and models.being_made():
            self.supervisor.check()
            time.sleep(0.1)
        part = models.part() if models else None
        if part is not None:
            self.supervisor.start(part)
        self.models = models

    def _open_models(self) -> None:
        """Wait for the model server and put the adapters onto it that belong there; one that does not fit stops nobody."""
        if self.models is None:
            return
        if self.models.own:
            setup.say(
                f"Starting the model server with {self.models.what} (half a minute where nothing else runs) ..."
            )
            self.supervisor.wait("models", progress=self.models.progress)
        if self._try("adapters", "restore") and self.models.adapter:
            named = ("--name", "apprentice", "--title", "The apprentice", "--offer")
            self._try("adapters", "load", str(self.models.adapter), *named)

    def _welcome(self) -> None:
        print(f"\n  Parlay is open at {self.url} ({time.monotonic() - self.began:.1f} s)")
        if self.demo:
            print("  Sign in as rep@demo.local, manager@demo.local or admin@demo.local,")
            print("  password parlay-demo, or play a guest deal without signing in.")
        if self.models:
            print(f"  Models: {self.models.what}. Staff see it at {self.url}/models/")
        if self.agents:
            print(f"  Agents: OpenEnv at {self.agents.url}")
        if self.chosen.with_trainer:
            print(f"  Trainer: runs are asked for at {self.url}/trainer/;")
            print("  .venv-train/bin/python -m trainer demo makes and trains an apprentice.")
        print("  Ctrl-C stops it.\n", flush=True)

    def _try(self, *command: str) -> bool:
        """Something that nobody waits for, and without which the house stays open."""
        try:
            self._manage(*command)
        except setup.SetupError as refused:
            setup.say(str(refused))
            return False
        return True

    def _manage(self, *command: str) -> None:
        done = subprocess.run(
            [str(setup.PYTHON), "manage.py", *command],
            cwd=setup.ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise setup.SetupError(f"manage.py {command[0]}: {done.stderr.strip().splitlines()[-1]}")


def _listen(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    try:
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise setup.SetupError(f"can't listen on {host}:{port}: {error.strerror}") from None
