"""Real processes are killed while they judge and promote, Redis goes away, the disk fills up. Afterwards every example,
run and promotion is there exactly once. (Harvest and training: the other files of this name; vLLM: where it is served.)"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.trainer_web.house import (
    DECISIONS,
    GENERATIONS,
    HARVEST,
    JUDGED,
    PROMOTE,
    TRAINED,
    WORKED,
    House,
    copy_of,
    small_disk,
)
from tests.trainer_web.things import stand_in

pytestmark = [pytest.mark.faults, pytest.mark.timeout(240)]

DIE = "import os, signal\ndef die(*args, **more): os.kill(os.getpid(), signal.SIGKILL)\n"
WORK = """
from dataclasses import replace
from datetime import timedelta
from owed import kinds
from trainer.flywheel import tasks
from trainer.flywheel.runs import beats
from trainer.models import TrainingRun
tasks.TRAINING = kinds.register(replace(tasks.TRAINING, silent=timedelta(seconds=1)))
beats.BEAT_SECONDS = 0.2
tasks.train(TrainingRun.objects.get(recipe={recipe!r}).pk)
"""
MOMENTS = {
    "while the adapter is copied": DIE + "import shutil\nshutil.copytree = die\n",
    "before the rename": DIE + "import pathlib\npathlib.Path.rename = die\n",
    "inside the transaction": DIE
    + """
from trainer.flywheel.promotion.models import Generation
saved = Generation.save
def save(self, **more):
    saved(self, **more)
    die()
Generation.save = save
""",
    "after the commit": DIE + "from trainer.flywheel.promotion import services\nservices.owed._sent = die\n",
}
"""Where the process that promotes, be it a web server's, kills itself."""


@pytest.fixture
def house(tmp_path: Path, played: Path) -> House:
    """An installation with one good deal, whose trainer takes its time."""
    return copy_of(played, tmp_path, TRAINER_PYTHON=str(stand_in(tmp_path)), PUPIL_MOMENT="0.1")


def wait_for(path: Path, lines: int) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or len(path.read_text().splitlines()) < lines:
        assert time.monotonic() < deadline, f"{path} has no {lines} lines"
        time.sleep(0.02)


def steps_of(house: House, stage: str) -> Path:
    """The steps that a stage's process wrote, once its folder is there."""
    deadline = time.monotonic() + 60
    while not (found := list((house.directory / "flywheel" / "runs").glob(f"*/{stage}/steps.txt"))):
        assert time.monotonic() < deadline, f"no {stage} began"
        time.sleep(0.02)
    return found[0]


def numbers(path: Path) -> list[int]:
    return [int(line.split()[1]) for line in path.read_text().splitlines()]


def test_a_worker_killed_while_it_judges_is_replaced_and_there_is_one_verdict(house: House) -> None:
    assert house.run(TRAINED + WORKED) == 0
    worker = house.begin(WORK.format(recipe="gate"))
    wait_for(steps_of(house, "gate"), 2)
    worker.kill()
    worker.communicate()
    time.sleep(1.2)
    assert house.run(WORK.format(recipe="gate")) == 0
    rows = house.rows("SELECT state, starts FROM trainer_trainingrun WHERE recipe = 'gate'")
    assert rows == [("done", 2)]
    assert numbers(steps_of(house, "gate")) == list(range(4))


def test_a_training_process_that_is_killed_fails_its_run_which_goes_on(house: House) -> None:
    assert house.run(TRAINED.replace("sft_steps=3", "sft_steps=40")) == 0
    worker = house.begin(WORK.format(recipe="sft"))
    steps = steps_of(house, "sft")
    wait_for(steps, 5)
    os.kill(int(steps.read_text().split()[0]), signal.SIGKILL)
    worker.communicate()
    assert house.rows("SELECT state FROM trainer_trainingrun") == [("failed",)]
    resume = "from trainer.flywheel.runs.services import run_resume\nfrom trainer.models import TrainingRun\n"
    assert house.run(resume + "run_resume(run=TrainingRun.objects.get())\n") == 0
    assert house.run(WORK.format(recipe="sft")) == 0
    assert house.rows("SELECT state FROM trainer_trainingrun") == [("done",)]
    assert numbers(steps) == list(range(40))


def test_killed_at_every_moment_a_promotion_is_there_once(house: House) -> None:
    """Web servers die one after the other over the same click, each a little further; the last is left alone."""
    assert house.run(TRAINED + JUDGED) == 0
    for moment, deed in MOMENTS.items():
        assert house.run(deed + PROMOTE) == -9, moment
    assert house.run(PROMOTE) == 0
    assert house.rows(GENERATIONS) == [(1, "champion")]
    assert house.rows(DECISIONS) == [("promote",)]
    path = house.directory / "flywheel" / house.rows("SELECT path FROM trainer_generation")[0][0]
    assert (path / "adapter_model.safetensors").stat().st_size
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_four_clicks_at_once_promote_once(house: House) -> None:
    assert house.run(TRAINED + JUDGED) == 0
    clicks = [house.begin(PROMOTE) for _ in range(4)]
    for click in clicks:
        _, errors = click.communicate()
        assert click.returncode == 0, errors.decode()
    assert house.rows(GENERATIONS) == [(1, "champion")]
    assert house.rows(DECISIONS) == [("promote",)]


def test_without_redis_nothing_is_lost_and_the_sweep_finds_it(house: House) -> None:
    """House runs no Redis at all: the run is asked for, judged and promoted, and only the calls go unheard."""
    assert house.run(TRAINED + JUDGED + PROMOTE) == 0
    assert house.rows("SELECT state FROM trainer_trainingrun ORDER BY recipe") == [("done",), ("done",)]
    assert house.rows(GENERATIONS) == [(1, "champion")]
    asked = (
        "from trainer.flywheel.runs.services import run_request\n"
        "from trainer.models import TrainingRun\n"
        "old = TrainingRun.objects.get(recipe='sft')\n"
        "run_request(name='Later', by=None, dataset=old.dataset, recipe='sft', sft_steps=2, base=old.base)\n"
        "from owed.services import owed\n"
        "from trainer.flywheel.tasks import TRAINING\n"
        "assert [TrainingRun.objects.get(pk=pk).name for pk in owed(TRAINING)] == ['Later']\n"
    )
    assert house.run(asked) == 0
    assert house.rows("SELECT COUNT(*) FROM trainer_episode") == [(1,)]


def test_a_full_disk_takes_no_half_example_and_the_sweep_makes_it_once_there_is_room(house: House) -> None:
    store = house.directory / "flywheel"
    with small_disk(store, "4k"):
        (store / "full").write_bytes(b"0" * 4096)
        assert house.run(HARVEST) == 0
        assert house.rows("SELECT COUNT(*) FROM trainer_episode") == [(0,)]
        assert [path.name for path in house.files()] == ["full"]
    assert house.run(HARVEST) == 0
    house.assert_harvested_once()


def test_a_full_disk_promotes_nobody_and_leaves_nothing_half_and_with_room_it_is_done_once(
    house: House,
) -> None:
    house.environment |= {"PARLAY_DISK_RESERVE_MB": "0", "PARLAY_RUN_NEEDS_MB": "0"}
    store = house.directory / "flywheel"
    with small_disk(store, "8m"):
        assert house.run(TRAINED + WIDE + JUDGED) == 0
        fill(store / "full")
        click = house.begin(PROMOTE)
        said, _ = click.communicate()
        assert "No space left on device" in said.decode()
        assert (house.rows(GENERATIONS), house.rows(DECISIONS)) == ([], [])
        assert list((store / "models").iterdir()) == []
        (store / "full").unlink()
        assert house.run(PROMOTE) == 0
        assert house.rows(GENERATIONS) == [(1, "champion")]
        assert house.rows(DECISIONS) == [("promote",)]
        kept = house.directory / "flywheel" / house.rows("SELECT path FROM trainer_generation")[0][0]
        assert (kept / "wide").stat().st_size == 1_000_000


WIDE = """
from trainer.flywheel.runs import runner
ended = runner._end
def wide(process):
    ended(process)
    for adapter in Path(settings.FLYWHEEL_DIR).glob("runs/*/sft/adapter"):
        (adapter / "wide").write_bytes(b"0" * 1_000_000)
runner._end = wide
"""
"""Makes an adapter that takes more than a few pages."""


def fill(path: Path) -> None:
    """Take what room there is but some: enough to begin with, and not to end."""
    with path.open("wb") as file:
        try:
            while True:
                file.write(b"0" * 65_536)
                file.flush()
        except OSError:
            pass
    os.truncate(path, path.stat().st_size - 400_000)


def test_a_web_server_killed_while_a_run_is_asked_for_leaves_it_whole_or_not_at_all(house: House) -> None:
    assert house.run(TRAINED.split("run = run_request")[0]) == 0
    asked = (
        "from trainer.flywheel.runs import services\n"
        "from trainer.models import Dataset\n"
        "services.{where} = die\n"
        "services.run_request(name='R', by=None, dataset=Dataset.objects.get(), recipe='sft', sft_steps=2)\n"
    )
    assert house.run(DIE + asked.format(where="_check_dataset")) == -9
    assert house.rows("SELECT COUNT(*) FROM trainer_trainingrun") == [(0,)]
    assert house.run(DIE + asked.format(where="owed._tell")) == -9
    assert house.rows("SELECT name, state FROM trainer_trainingrun") == [("R", "waiting")]
    assert house.run(WORK.format(recipe="sft")) == 0
    assert house.rows("SELECT name, state FROM trainer_trainingrun") == [("R", "done")]
