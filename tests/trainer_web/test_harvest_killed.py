"""Real processes are killed while they harvest. Afterwards every example is there exactly once, and nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT, Stack

pytestmark = [pytest.mark.faults, pytest.mark.timeout(180)]

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
DIE = "import os, signal\ndef die(*args, **more): os.kill(os.getpid(), signal.SIGKILL)\n"
MOMENTS = {
    "half-written": DIE + "os.fsync = die\n",
    "before the rename": DIE + "import pathlib\npathlib.Path.replace = die\n",
    "after the rename": DIE + "from trainer.flywheel import store\nstore._flush_folder = die\n",
    "inside the transaction": DIE
    + """
from trainer.flywheel.models import Episode
save = Episode.save
def saved(self, **more):
    save(self, **more)
    die()
Episode.save = saved
""",
    "after the commit": DIE + "from trainer.flywheel import harvest\nharvest.log.info = die\n",
}
"""Where the process kills itself with SIGKILL, as a machine would."""


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


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of an installation with one good deal that nobody has harvested."""
    built = House(tmp_path_factory.mktemp("played") / "house")
    built.directory.mkdir(parents=True)
    built.start_redis()
    try:
        built.manage("migrate", "--no-input", "--verbosity=0")
        built.manage("demo")
        assert built.run(PLAY) == 0
    finally:
        built.stop()
    return built.directory


@pytest.fixture
def house(tmp_path: Path, played: Path) -> House:
    """A copy of it, to be broken."""
    shutil.copytree(played, tmp_path / "house", ignore=shutil.ignore_patterns("redis"))
    return House(tmp_path / "house")


def test_killed_at_every_moment_in_turn(house: House) -> None:
    """Five workers die one after the other over the same game, each a little further; the sixth is left alone."""
    for moment, deed in MOMENTS.items():
        assert house.run(deed + HARVEST) == -9, moment
    for path in house.files():
        os.utime(path, (0, 0))
    assert house.run(HARVEST) == 0
    house.assert_harvested_once()


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_killed_once(house: House, moment: str) -> None:
    assert house.run(MOMENTS[moment] + HARVEST) == -9
    for path in house.files():
        os.utime(path, (0, 0))
    assert house.run(HARVEST) == 0
    house.assert_harvested_once()


def test_four_workers_at_once(house: House) -> None:
    workers = [house.begin(HARVEST) for _ in range(4)]
    for worker in workers:
        _, errors = worker.communicate()
        assert worker.returncode == 0, errors.decode()
    house.assert_harvested_once()
