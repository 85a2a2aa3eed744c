"""Real processes are killed while they harvest. Afterwards every example is there exactly once, and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.trainer_web.house import HARVEST, House

pytestmark = [pytest.mark.faults, pytest.mark.timeout(180)]

DIE = "import os, signal\ndef die(*args, **more): os.kill(os.getpid(), signal.SIGKILL)\n"
MOMENTS = {
    "half-written": DIE + "os.fsync = die\n",
    "before the rename": DIE + "import pathlib\npathlib.Path.replace = die\n",
    "after the rename": DIE + "from trainer.flywheel.storage import files\nfiles._flush_folder = die\n",
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
