"""Workers are killed while they train. The run goes on from where it was, and is never worked twice at once."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from tests.trainer_web.house import House
from tests.trainer_web.things import stand_in

pytestmark = [pytest.mark.faults, pytest.mark.timeout(180)]

STEPS = 60
ASK = f"""
from trainer.flywheel.tasks import harvest_what_is_owed
from trainer.flywheel.datasets import dataset_freeze
from trainer.flywheel.filters import Filters
from trainer.flywheel.runs.services import run_request
harvest_what_is_owed()
dataset = dataset_freeze(name="D", note="", filters=Filters(validation=0), by=None)
run_request(name="R", by=None, dataset=dataset, recipe="sft", sft_steps={STEPS})
"""
WORK = """
from dataclasses import replace
from datetime import timedelta
from owed import kinds
from trainer.flywheel import tasks
from trainer.models import TrainingRun
from trainer.flywheel.runs import beats
tasks.TRAINING = kinds.register(replace(tasks.TRAINING, silent=timedelta(seconds=1)))
beats.BEAT_SECONDS = 0.2
tasks.train(TrainingRun.objects.get().pk)
"""
"""A worker whose heart beats faster, so that the test need not wait for a minute."""


@pytest.fixture
def house(tmp_path: Path, played: Path) -> House:
    shutil.copytree(played, tmp_path / "house", ignore=shutil.ignore_patterns("redis"))
    program = str(stand_in(tmp_path))
    built = House(tmp_path / "house", TRAINER_PYTHON=program, PUPIL_MOMENT="0.05")
    assert built.run(ASK) == 0
    return built


def steps(house: House) -> list[list[str]]:
    made = next((house.directory / "flywheel" / "runs").rglob("steps.txt"), None)
    return [] if made is None else [line.split() for line in made.read_text().splitlines()]


def wait_for(house: House, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(steps(house)) < count:
        assert time.monotonic() < deadline, f"no {count} steps"
        time.sleep(0.02)


def assert_done_once(house: House, processes: int) -> None:
    assert house.rows("SELECT state, lease FROM trainer_trainingrun") == [("done", "")]
    made = steps(house)
    assert [int(step) for _, step in made] == list(range(STEPS))
    assert len({process for process, _ in made}) == processes


def test_a_worker_killed_while_training_is_replaced(house: House) -> None:
    worker = house.begin(WORK)
    wait_for(house, 10)
    worker.kill()
    worker.communicate()
    time.sleep(1.2)
    assert house.run(WORK) == 0
    assert_done_once(house, processes=2)
    assert house.rows("SELECT starts FROM trainer_trainingrun") == [(2,)]


def test_four_workers_at_once_train_once(house: House) -> None:
    workers = [house.begin(WORK) for _ in range(4)]
    for worker in workers:
        _, errors = worker.communicate()
        assert worker.returncode == 0, errors.decode()
    assert_done_once(house, processes=1)
