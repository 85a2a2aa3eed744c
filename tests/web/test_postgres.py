"""The data layer once more, on a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.postgres import postgres
from tests.servers import ROOT

CORE = ("tests/web/test_data.py", "tests/trainer_web/test_runs.py")
"""Where rows are locked and overwritten."""
ROOM = (
    "tests/web/test_room_assignments.py",
    "tests/web/test_room_lobby.py",
    "tests/web/test_accounts_privacy.py",
)
"""Where they are joined the other way round, and forgotten."""
QUICK = ("-m", "not slow and not thorough")
"""What is asked of every database; how many seeds and sizes is no matter of the database."""
FLYWHEEL = ("tests/trainer_web/test_harvest.py", "tests/trainer_web/test_promotion.py")
"""The same kinds of queries once more, by what learns."""


@pytest.fixture
def database_url() -> Iterator[str]:
    with postgres() as server:
        # What it holds need not outlive the machine.
        server.psql("ALTER SYSTEM SET fsync = off; ")
        server.psql("ALTER SYSTEM SET synchronous_commit = off;")
        server.psql("SELECT pg_reload_conf();")
        yield server.get_uri()


@pytest.mark.longest
@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.timeout(300)
@pytest.mark.parametrize("files", [CORE, pytest.param(ROOM + FLYWHEEL, marks=pytest.mark.thorough)])
def test_the_data_layer_on_postgres(database_url: str, files: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *QUICK, *files],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url, "PARLAY_TESTS": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
