"""Fixtures that every kind of test may use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import Stack


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A whole running product with demo data, shared by tests that do it no harm."""
    stack = Stack(tmp_path_factory.mktemp("server"))
    try:
        yield stack.start()
    finally:
        stack.stop()
