"""Fixtures that every kind of test may use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import ModelServer, Stack, make_tiny


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A whole running product with demo data, shared by tests that do it no harm."""
    stack = Stack(tmp_path_factory.mktemp("server"))
    try:
        yield stack.start()
    finally:
        stack.stop()


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny untrained model in ``model``, and adapters for it in ``first`` and ``second``."""
    folder = tmp_path_factory.mktemp("tiny")
    make_tiny(folder / "model", folder / "first", folder / "second")
    return folder


@pytest.fixture(scope="session")
def model_server(tiny_model: Path) -> Iterator[ModelServer]:
    """A real vLLM serving the tiny model as ``base``, shared by tests that do it no harm. Needs half a minute."""
    running = ModelServer(tiny_model / "model", log=tiny_model / "vllm.log")
    try:
        yield running.start()
    finally:
        running.stop()
