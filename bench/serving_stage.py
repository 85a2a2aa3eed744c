"""What ``bench.serving`` plays on: a Redis, a database and, where none is named, a model server, in one folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parlay_web import redis_server
from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent
from tests.servers import ModelServer, make_tiny


@contextmanager
def stage(folder: Path, url: str, model: str, *, width: int, layers: int) -> Iterator[tuple[str, str]]:
    """Everything up, and the environment set for Django; the model server's address and the model's name there.

    ``width`` and ``layers`` are those of the model that is made where ``url`` names no server.
    """
    port = free_port()
    os.environ.update(
        DJANGO_SETTINGS_MODULE="parlay_web.settings.dev",
        PARLAY_VAR=str(folder),
        REDIS_URL=f"redis://127.0.0.1:{port}/0",
        SECRET_KEY="only-for-a-bench-" + "0123456789abcdef" * 2,
        LOG_LEVEL="ERROR",
    )
    redis = redis_server.start(port=port, directory=folder, keep=False, preexec_fn=die_with_parent)
    server = None
    try:
        if not url:
            # Warm prefixes would favour whoever asks second.
            extra = ("--no-enable-prefix-caching",)
            made = make_tiny(folder / "model", width=width, layers=layers)
            server = ModelServer(made, log=folder / "vllm.log", extra=extra).start()
        yield (server.url if server else url), model
    finally:
        if server is not None:
            server.stop()
        redis.kill()
        redis.wait()
