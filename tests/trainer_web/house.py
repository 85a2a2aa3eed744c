"""An installation of one's own to be broken: its database, its files, and processes that work on them."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import database
from tests.servers import MAKE_DEMO, ROOT, Stack

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

TRAINED = """
from pathlib import Path
from django.conf import settings
from trainer.flywheel.tasks import harvest_what_is_owed
from trainer.flywheel.datasets import dataset_freeze
from trainer.flywheel.filters import Filters
from trainer.flywheel.runs.services import run_request
from trainer.flywheel.tasks import train
from trainer.flywheel.runs.judging import gate_request
harvest_what_is_owed()
dataset = dataset_freeze(name="D", note="", filters=Filters(validation=0), by=None)
base = Path(settings.VAR_DIR) / "base"
base.mkdir()
run = run_request(name="R", by=None, dataset=dataset, recipe="sft", sft_steps=3, base=str(base))
"""
WORKED = "train(run.pk)\nrun.refresh_from_db()\ngate = gate_request(run=run, by=None)\n"
JUDGED = WORKED + "train(gate.pk)\n"
PROMOTE = """
from accounts.models import User
from trainer.flywheel.promotion import services
from trainer.models import TrainingRun
admin = User.objects.get(email="admin@demo.local")
try:
    services.run_promote(gate=TrainingRun.objects.get(recipe="gate"), by=admin, reason="Better.")
except services.DecisionRefused as refused:
    print(refused)
"""
GENERATIONS = "SELECT number, state FROM trainer_generation"
DECISIONS = "SELECT action FROM trainer_promotiondecision"


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

    def gate(self) -> str:
        """The key of the judgement, as addresses have it."""
        ((key,),) = self.rows("SELECT id FROM trainer_trainingrun WHERE recipe = 'gate'")
        return str(uuid.UUID(key))

    @contextmanager
    def database_held(self) -> Iterator[None]:
        """Somebody else is writing: who wants to, waits before the beginning of its transaction."""
        held = sqlite3.connect(self.directory / "parlay.sqlite3", isolation_level=None)
        held.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            held.execute("ROLLBACK")
            held.close()

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


def until(
    what: str, seconds: float, seen: Callable[[], object], expected: object, every: float = 0.3
) -> None:
    """Wait for ``seen()`` to be ``expected``, looking ``every`` so many seconds."""
    deadline = time.monotonic() + seconds
    while (now := seen()) != expected:
        assert time.monotonic() < deadline, f"{what}: {now}"
        time.sleep(every)


def copy_of(played: Path, folder: Path, **environment: str) -> House:
    """The same installation once more under ``folder``, to be broken."""
    shutil.copytree(played, folder / "house", ignore=shutil.ignore_patterns("redis"))
    return House(folder / "house", **environment)


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[None]:
    """A disk of ``size`` at ``place``; where mounting is not allowed, the test is skipped with a word."""
    place.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def played_in(directory: Path) -> Path:
    """The data of an installation with one good deal that nobody has harvested."""
    built = House(directory)
    database.copy_to(built.directory / "parlay.sqlite3")
    built.start_redis()
    try:
        built.tell(MAKE_DEMO)
        built.tell(PLAY)
    finally:
        built.stop()
    return built.directory
