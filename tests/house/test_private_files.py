"""What holds sessions, hashes or truth is its owner's alone, whatever the umask was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.slow
def test_database_key_and_backup_are_closed_to_others(tmp_path: Path, existing: bool) -> None:
    var, backup = tmp_path / "var", tmp_path / "backup"
    if existing:
        var.mkdir()
        var.chmod(0o755)
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {**known, "PARLAY_VAR": str(var), "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev"}
    for command in (["migrate", "sessions", "--no-input", "-v0"], ["backup", str(backup)]):
        subprocess.run(
            ["sh", "-c", 'umask 022 && exec "$@"', "sh", sys.executable, "manage.py", *command],
            cwd=ROOT, env=environment, check=True, timeout=120, capture_output=True,
        )  # fmt: skip
    found = [*var.rglob("*"), var, backup, *backup.rglob("*")]
    assert {"parlay.sqlite3", "secret_key"} <= {path.name for path in found}
    assert len(list(backup.iterdir())) > 0
    opened = {str(path): oct(path.stat().st_mode & 0o777) for path in found if path.stat().st_mode & 0o077}
    assert opened == {}
