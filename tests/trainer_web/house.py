"""An installation of one's own to be broken: its database, its files, and processes that work on them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

from tests.servers import ROOT, Stack

PLAY = """
from accounts.models import User
from accounts.services import consent_give
from tests.trainer_web.play import play_well
rep = User.objects.get(email="rep@demo.local")
consent_give(user=rep, granted=True)
print(play_well(rep).pk)
"""
HARVEST = """
from trainer.flywheel.tasks import harvest_what_is_owed
harvest_what_is_owed()
"""


class House(Stack):
    """An installation without a server: its database, its files, and processes that work on them."""

    def begin(self, script: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "manage.py", "shell", "-v0", "-c", script],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, script: str) -> int:
        process = self.begin(script)
        process.communicate()
        return process.returncode

    def files(self) -> list[Path]:
        return [path for path in (self.directory / "flywheel").rglob("*") if path.is_file()]

    def assert_harvested_once(self) -> None:
        """One row, one whole file of the right checksum, and nothing half-written."""
        rows = self.rows("SELECT state, file, sha256, records FROM trainer_episode")
        assert len(rows) == 1
        state, name, sha256, records = rows[0]
        assert state == "taken"
        assert self.files() == [self.directory / "flywheel" / name]
        content = self.files()[0].read_bytes()
        assert hashlib.sha256(content).hexdigest() == sha256
        ids = [json.loads(line)["id"] for line in content.splitlines()]
        assert len(set(ids)) == len(ids) == records


def played_in(directory: Path) -> Path:
    """The data of an installation with one good deal that nobody has harvested."""
    built = House(directory)
    built.directory.mkdir(parents=True)
    built.start_redis()
    try:
        built.manage("migrate", "--no-input", "--verbosity=0")
        built.manage("demo")
        assert built.run(PLAY) == 0
    finally:
        built.stop()
    return built.directory
