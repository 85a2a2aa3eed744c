"""What ``bin/play`` starts beside the table when it is asked to: a model server, a server for agents, the trainer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import _environment as setup
import _models

sys.path.insert(0, str(setup.ROOT))
from parlay_web.ports import free_port

AGENTS_PORT = 8010
SHOW_EVERY = 10.0


class Models:
    """The model server of this start: somebody else's where MODEL_URL names one, else our own."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.server: _models.ModelServer | None = None
        self.adapter: Path | None = None
        self.style = "full"
        self.what = f"the server at {os.environ.get('MODEL_URL', '')}"

    def launch(self) -> dict[str, str]:
        """Start it, without waiting; returns what the web side has to be told."""
        if os.environ.get("MODEL_URL"):
            return {}
        _models.prepare()
        model = self._model()
        self.server = _models.ModelServer(model, log=self.var / "log" / "models.log").launch()
        return {"MODEL_URL": self.server.url, "MODEL_NAME": self.server.name, "MODEL_STYLE": self.style}

    def _model(self) -> Path:
        """The apprentice, where the trainer has made one; else a model of random weights."""
        apprentice = self.var / "models" / "apprentice"
        if (apprentice / "config.json").exists():
            self.what = "the apprentice, a small model trained here"
            self.style = "brief"
            if (apprentice / "adapter" / "adapter_config.json").exists():
                self.adapter = apprentice / "adapter"
            return apprentice
        self.what = "a tiny untrained model, which talks gibberish: the guard will be busy"
        return _models.make_tiny(self.var / "models" / "tiny")

    def wait(self, interrupted: Callable[[], None]) -> None:
        """Until it answers, with a word of progress; ``interrupted`` raises when something else has died."""
        if self.server is None:
            return
        shown = 0.0

        def progress(gone: float) -> None:
            nonlocal shown
            interrupted()
            if gone - shown >= SHOW_EVERY:
                shown = gone
                setup.say(f"Starting the model server, {gone:.0f} s so far ...")

        setup.say(f"Starting the model server with {self.what} (half a minute where nothing else runs) ...")
        self.server.wait(progress)

    def gone(self) -> bool:
        """Whether our own server has ended by itself."""
        process = self.server.process if self.server else None
        return process is not None and process.poll() is not None

    def stop(self) -> None:
        """End what we started."""
        if self.server is not None:
            self.server.stop()


class Agents:
    """The OpenEnv server, in the learning environment: its library is heavy and clashes with vLLM's."""

    def __init__(self) -> None:
        self.port = AGENTS_PORT if _is_free(AGENTS_PORT) else free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """How it is called; the environment is made when it is missing."""
        python = trainer_python()
        return [str(python), "-m", "negotiation.openenv", "--host", "127.0.0.1", "--port", str(self.port)]

    def wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        """Until it answers."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise setup.SetupError(f"the server for agents stopped, see {log}")
            if not _is_free(self.port):
                return
            time.sleep(0.2)
        raise setup.SetupError(f"the server for agents did not get ready within a minute, see {log}")


def trainer_python() -> Path:
    """The Python of ``.venv-train``, which is made when it is missing."""
    return setup.ensure_heavy(setup.TRAIN, "requirements/train.txt")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) != 0
