"""A model server on this machine: vLLM's CPU build in an environment and a process of its own, LoRA on.

For ``bin/play --with-models``, for tests and for benches; production runs the official image on a GPU
(docker-compose.yml). Standard library only.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import _environment as setup

sys.path.insert(0, str(setup.ROOT))
from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent

START_SECONDS = 300
"""The first start reads a gigabyte of libraries from a cold disk; later ones take 20 to 45 s."""
LONGEST_CONTEXT = 4096
MAX_RANK = 16
MAX_ADAPTERS = 4
THREADS = 2
"""Unless OMP_NUM_THREADS says otherwise."""
LET_GO_SECONDS = 5.0
"""A gigabyte of memory takes a moment to be given back."""


class ModelServerError(setup.SetupError):
    """The server does not come up, or went away; one line that says where to look."""


def prepare() -> Path:
    """The Python of ``.venv-serve``, which is made when it is missing."""
    if sys.platform != "linux":
        raise ModelServerError(
            "vLLM's CPU build is made for Linux only; set MODEL_URL to a model server of yours"
        )
    return setup.ensure_heavy(setup.SERVE, "requirements/serve.txt")


def make_tiny(
    directory: Path, *adapters: Path, rank: int = 8, seed: int = 0, width: int = 128, layers: int = 2
) -> Path:
    """A model of random weights in ``directory``, unless one is there, and adapters for it. Takes some 5 s."""
    command = [str(prepare()), str(setup.ROOT / "bin" / "_tiny_model.py"), str(directory)]
    for adapter in adapters:
        command += ["--adapter", str(adapter)]
    command += ["--rank", str(rank), "--seed", str(seed), "--width", str(width), "--layers", str(layers)]
    made = subprocess.run(command, env=_environment({}), capture_output=True, text=True, check=False)
    if made.returncode:
        raise ModelServerError(f"no model could be made: {(made.stderr.strip().splitlines() or ['?'])[-1]}")
    return directory


class ModelServer:
    """One vLLM process group. ``url`` is what MODEL_URL takes, ``name`` what MODEL_NAME takes."""

    def __init__(
        self,
        model: Path,
        *,
        log: Path,
        name: str = "base",
        port: int | None = None,
        extra: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.model = model
        self.name = name
        self.log = log
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.extra = extra
        self.environment = _environment(environment or {})
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """How vLLM is called. Eager: compiling would take longer than a small model's whole game."""
        shape = json.loads((self.model / "config.json").read_text())
        context = min(LONGEST_CONTEXT, int(shape.get("max_position_embeddings", LONGEST_CONTEXT)))
        return [
            *(str(setup.SERVE / "bin" / "python"), "-m", "vllm.entrypoints.openai.api_server"),
            *("--model", str(self.model), "--served-model-name", self.name),
            *("--host", "127.0.0.1", "--port", str(self.port)),
            *("--dtype", "float32", "--enforce-eager"),
            *("--max-model-len", str(context), "--max-num-seqs", "32"),
            *("--enable-lora", "--max-lora-rank", str(MAX_RANK), "--max-loras", str(MAX_ADAPTERS)),
            *("--max-cpu-loras", str(4 * MAX_ADAPTERS)),
            *("--distributed-executor-backend", "uni"),
            # Nothing of the model's own generation_config.json, and log-probabilities of what is drawn from.
            *("--generation-config", "vllm", "--logprobs-mode", "processed_logprobs"),
            # Decisions without white space between their parts: a small model would wander off in it.
            *("--structured-outputs-config", '{"backend": "guidance", "disable_any_whitespace": true}'),
            *self.extra,
        ]

    def launch(self) -> ModelServer:
        """Start it, without waiting; ``wait`` does that."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=self.model,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        return self

    def wait(
        self, progress: Callable[[float], None] | None = None, *, seconds: float = START_SECONDS
    ) -> None:
        """Return once it answers. ``progress`` hears of the seconds gone by, about once in each."""
        started = time.monotonic()
        while (gone := time.monotonic() - started) < seconds:
            if self.process is None or self.process.poll() is not None:
                raise ModelServerError(f"the model server stopped before it was ready, see {self.log}")
            if self.healthy():
                return
            if progress is not None:
                progress(gone)
            time.sleep(0.5)
        raise ModelServerError(f"the model server did not get ready within {seconds:.0f} s, see {self.log}")

    def start(self) -> ModelServer:
        """Launch and wait."""
        self.launch().wait()
        return self

    def healthy(self) -> bool:
        """True when the server answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """kill -9 the whole group: the API server and the engine behind it."""
        self._signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def stop(self) -> None:
        """Ask it to end; insist after a while."""
        self._signal(signal.SIGTERM)
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            # The engine may outlive its front for a moment; nothing of the group is to stay.
            self._signal(signal.SIGKILL)
            self.process.wait()
            deadline = time.monotonic() + LET_GO_SECONDS
            while self._signal(0) and time.monotonic() < deadline:
                time.sleep(0.05)

    def _signal(self, number: int) -> bool:
        """Send to all of the group; False when nobody of it is left."""
        if self.process is None:
            return False
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return False
        return True


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """The server's surroundings: no hub, no telemetry, adapters loaded while it runs, two threads."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "PARLAY_"))}
    return {
        **kept,
        "PATH": f"{setup.SERVE / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        # The engine does its one worker's work itself: a process less to start, and nobody polls for the other's answer.
        # vLLM allows that where it need not set the threads, which the line after does.
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "OMP_NUM_THREADS": kept.get("OMP_NUM_THREADS") or str(THREADS),
        "HF_HUB_OFFLINE": "1",
        **more,
    }
