"""What ``bench.serving`` plays on: a Redis, a database, and a model server of a chosen size, in one folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from parlay_web import redis_server
from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent
from tests.servers import ModelServer, make_tiny


@dataclass(frozen=True)
class Size:
    """A model's shape. ``weights`` counts its parameters, in millions."""

    width: int
    layers: int

    @property
    def weights(self) -> float:
        """As ``bin/_tiny_model.py`` shapes a Qwen2: 9 width**2 a layer, and 1,024 words tied to the output."""
        return (9 * self.width**2 * self.layers + 1024 * self.width) / 1e6

    @classmethod
    def read(cls, written: str) -> Size:
        """``"512x12"``, as the command line has it."""
        width, _, layers = written.partition("x")
        return cls(int(width), int(layers))


@dataclass(frozen=True)
class Served:
    """A model server that is up. ``seconds()`` is the processor time it has spent, where it is ours to look at."""

    url: str
    model: str
    what: str
    seconds: Callable[[], float]


@contextmanager
def stage(folder: Path) -> Iterator[None]:
    """Redis up, and the environment set for Django."""
    port = free_port()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="parlay_web.settings.dev",
        PARLAY_VAR=str(folder),
        REDIS_URL=f"redis://127.0.0.1:{port}/0",
        SECRET_KEY="only-for-a-bench-" + "0123456789abcdef" * 2,
        LOG_LEVEL="ERROR",
        # Only says that models may talk; every table of the bench has a client of its own.
        MODEL_URL="http://127.0.0.1:9/v1",
        MODEL_NAME="base",
    )
    redis = redis_server.start(port=port, directory=folder, keep=False, preexec_fn=die_with_parent)
    try:
        yield
    finally:
        redis.kill()
        redis.wait()


@contextmanager
def serving(folder: Path, size: Size, *, apart: bool) -> Iterator[Served]:
    """A vLLM of our own, on a model of random weights made on the spot.

    Args:
        apart: give it half of the cores for itself, and everything else, this process too, the other half; as where a
            model has a machine, or a card, of its own. Otherwise all share all.
    """
    name = f"{size.width}x{size.layers}"
    cores = sorted(os.sched_getaffinity(0))
    theirs = cores[: max(1, len(cores) // 2)] if apart else cores
    # Threads that wait for work by spinning would take from whoever shares their cores.
    waiting = {"OMP_WAIT_POLICY": "PASSIVE", "KMP_BLOCKTIME": "0", "OMP_NUM_THREADS": str(len(theirs))}
    # Warm prefixes would favour whoever asks second.
    extra = ("--no-enable-prefix-caching",)
    made = make_tiny(folder / name, width=size.width, layers=size.layers)
    server = ModelServer(made, log=folder / f"vllm-{name}.log", extra=extra, environment=waiting)
    os.sched_setaffinity(0, theirs)
    try:
        server.start()
        os.sched_setaffinity(0, cores[len(theirs) :] or cores)
        assert server.process is not None
        process = psutil.Process(server.process.pid)
        where = "cores of its own" if apart else "the same cores as Parlay"
        yield Served(
            server.url,
            "base",
            f"vLLM CPU build, a Qwen2 of {size.weights:.1f}M random weights ({name}), on {where}",
            lambda: _processor_seconds(process),
        )
    finally:
        os.sched_setaffinity(0, cores)
        server.stop()


@contextmanager
def elsewhere(url: str, model: str) -> Iterator[Served]:
    """A server that somebody else runs; what it costs there can't be seen from here."""
    yield Served(url, model, url, lambda: 0.0)


def _processor_seconds(process: psutil.Process) -> float:
    """Of the process and of all that it has started."""
    return sum(sum(each.cpu_times()[:2]) for each in (process, *process.children(recursive=True)))
