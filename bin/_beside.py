"""What ``bin/play`` starts beside the table when it is asked to: a model server, a server for agents, the trainer."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path

import _environment as setup
import _models
from _parts import answers
from _supervisor import Part

sys.path.insert(0, str(setup.ROOT))
from parlay_web.ports import free_port

AGENTS_PORT = 8010
SHOW_EVERY = 10.0


class Models:
    """The model server of this start: somebody else's where MODEL_URL names one, else our own.

    Our own takes a minute or more to be made the first time, so it is made beside everything else.
    """

    def __init__(self, var: Path) -> None:
        self.own = not os.environ.get("MODEL_URL")
        self.told: dict[str, str] = {}
        """What the web side has to be told."""
        self.what = f"the server at {os.environ.get('MODEL_URL', '')}"
        self.adapter: Path | None = None
        self._shown = 0.0
        if self.own:
            model = self._choose(var)
            style = "full" if self._is_tiny else "brief"
            self._server = _models.ModelServer(model, log=var / "log" / "models.log")
            self.told = {"MODEL_URL": self._server.url, "MODEL_NAME": self._server.name, "MODEL_STYLE": style}
            if self._is_tiny:
                self.told["MODEL_NOTE"] = (
                    "It is untrained and talks gibberish: the strategist will mostly stand in."
                )
            self._failed: setup.SetupError | None = None
            self._making = threading.Thread(target=self._make, args=(model,), daemon=True)
            self._making.start()

    def being_made(self) -> bool:
        """Whether our own is not there yet."""
        return self.own and self._making.is_alive()

    def part(self) -> Part | None:
        """How our own is started, once it is made. Raises ``SetupError`` where it can't be."""
        if not self.own:
            return None
        self._making.join()
        if self._failed:
            raise self._failed
        return Part(
            "models",
            tuple(self._server.command()),
            healthy=self._server.healthy,
            patience=_models.START_SECONDS,
            needed=False,
            without="the strategists play on",
            environment=self._server.environment,
            folder=self._server.model,
        )

    def progress(self, gone: float) -> None:
        """A word now and then while it starts."""
        if gone - self._shown >= SHOW_EVERY:
            self._shown = gone
            setup.say(f"Starting the model server, {gone:.0f} s so far ...")

    def _choose(self, var: Path) -> Path:
        """The apprentice, where the trainer has made one, else a model of random weights."""
        apprentice = var / "models" / "apprentice"
        self._is_tiny = not (apprentice / "config.json").exists()
        if self._is_tiny:
            self.what = "a tiny untrained model, which talks gibberish: the guard will be busy"
            return var / "models" / "tiny"
        self.what = "the apprentice, a small model trained here"
        if (apprentice / "adapter" / "adapter_config.json").exists():
            self.adapter = apprentice / "adapter"
        return apprentice

    def _make(self, model: Path) -> None:
        try:
            _models.prepare()
            if self._is_tiny:
                _models.make_tiny(model)
        except setup.SetupError as error:
            self._failed = error


class Agents:
    """The OpenEnv server, in the learning environment: its library is heavy and clashes with vLLM's."""

    def __init__(self) -> None:
        self.port = AGENTS_PORT if _is_free(AGENTS_PORT) else free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def part(self) -> Part:
        """How it is started; its environment is made when it is missing."""
        return Part(
            "agents",
            (
                *(str(trainer_python()), "-m", "negotiation.openenv"),
                *("--host", "127.0.0.1", "--port", str(self.port)),
            ),
            healthy=lambda: answers(f"{self.url}/health"),
            needed=False,
            without="people play on, agents wait for it",
        )


def trainer_python() -> Path:
    """The Python of ``.venv-train``, which is made when it is missing."""
    return setup.ensure_heavy(setup.TRAIN, "requirements/train.txt")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) != 0
