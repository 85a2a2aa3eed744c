"""The database of a start: made where there is none, migrated after an upgrade, else left alone. Standard library only."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import _environment as setup

sys.path.insert(0, str(setup.ROOT))
from parlay_web import schema


def ensure_schema(var: Path, environment: Mapping[str, str]) -> bool:
    """Bring the database to the tree's migrations. True when it was made just now."""
    if environment.get("DATABASE_URL"):
        _migrate(environment)
        return False
    database, stamp = var / "parlay.sqlite3", var / ".migrated"
    fresh = not database.exists()
    if fresh and schema.is_current():
        setup.say("Making the database ...")
        schema.lay(database)
    elif fresh or not stamp.exists() or stamp.read_text() != _state(database):
        setup.say("Making the database ..." if fresh else "Bringing the database to this version ...")
        _migrate(environment)
    stamp.write_text(_state(database))
    return fresh


def _state(database: Path) -> str:
    """What the tree wants and what the database has had: a backup that is put back says something else."""
    return f"{schema.digest()} {schema.applied(database)}"


def _migrate(environment: Mapping[str, str]) -> None:
    command = [str(setup.PYTHON), "manage.py", "migrate", "--no-input", "--no-color"]
    done = subprocess.run(
        command, cwd=setup.ROOT, env=dict(environment), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise setup.SetupError(f"manage.py migrate: {done.stderr.strip().splitlines()[-1]}")
    for line in done.stdout.splitlines():
        if line.endswith("... OK"):
            setup.say(f"  {line.strip()}")
