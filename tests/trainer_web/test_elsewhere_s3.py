"""Artefacts in a real S3 storage, and a real training at machines that share it, the database and the broker alone."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages

from parlay_web.artefacts import storage_of
from parlay_web.env import read_environment
from tests.object_storage import object_storage
from tests.servers import ROOT
from tests.trainer_web.house import House, copy_of, until
from tests.trainer_web.test_whole_way import TRAIN, end, worker
from trainer.flywheel import store as files

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

STEPS, FIRST_SAVED = 200, 10
ASK = f"""
from trainer.flywheel.tasks import harvest_what_is_owed
from trainer.flywheel.datasets import dataset_freeze
from trainer.flywheel.filters import Filters
from trainer.flywheel.runs.services import run_request
harvest_what_is_owed()
dataset = dataset_freeze(name="D", note="", filters=Filters(validation=0), by=None)
run_request(name="R", by=None, dataset=dataset, recipe="sft", sft_steps={STEPS}, base={{base!r}})
"""
SWEEP = "from owed.services import sweep\nsweep()"
LISTED = """
import json
import subprocess
from trainer.models import TrainingRun
from trainer.flywheel import store
run = TrainingRun.objects.get()
print(store.read(f"{run.folder}/{run.kept}.json", run.kept).decode() if run.kept else "{}")
"""
LIVE = """
import json
from trainer.models import TrainingRun
from trainer.flywheel.runs import selectors
run = TrainingRun.objects.get()
selectors.told_fetch(run)
print(json.dumps({"steps": selectors.stages_now(run)[0].step, "log": selectors.log_of(run)}))
"""
LOOK = """
import json
import subprocess
from pathlib import Path
from trainer.models import TrainingRun
from trainer.flywheel.runs import bundles, selectors
run = TrainingRun.objects.get()
selectors.told_fetch(run)
bundles.folder_fetch(run.results["adapter"])
(stage,) = selectors.stages_now(run)
print(json.dumps({
    "steps": stage.step, "log": selectors.log_of(run), "adapter": sorted(p.name for p in Path(run.adapter).iterdir()),
    "resources": bool(selectors.resources_of(run)),
}))
"""


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with object_storage(tmp_path_factory.mktemp("s3") / "storage") as given:
        yield given


def test_the_storage_holds_what_a_disk_holds(s3: dict[str, str], settings: Any) -> None:
    settings.STORAGES = {**settings.STORAGES, "artefacts": storage_of(read_environment(s3))}
    written = files.write("episodes/ab/one.jsonl", b"words")
    assert files.write("episodes/ab/one.jsonl", b"other words").sha256 != written.sha256
    with pytest.raises(files.Damaged, match="not what was written"):
        files.read(written.name, written.sha256)
    assert files.read(written.name, files.checksum(b"other words")) == b"other words"
    files.write("imports/two.csv", b"")
    assert list(files.names("episodes")) == ["episodes/ab/one.jsonl"]
    assert set(files.names("")) >= {"episodes/ab/one.jsonl", "imports/two.csv"}
    assert not files.is_forgotten(written.name)
    for _ in range(2):
        files.remove(written.name)
    with pytest.raises(files.Damaged, match="can't be read"):
        files.read(written.name, written.sha256)
    away = {**s3, "PARLAY_ARTEFACTS_ENDPOINT": "http://127.0.0.1:9", "AWS_SECRET_ACCESS_KEY": "another"}
    settings.STORAGES = {**settings.STORAGES, "artefacts": storage_of(read_environment(away))}
    with pytest.raises(OSError, match="the storage of artefacts"):
        storages["artefacts"].delete("episodes/ab/one.jsonl")


@pytest.fixture
def base(tmp_path: Path) -> str:
    """A model that both training machines have, as they have one of a hub: untrained, of the trainer's own making."""
    made = tmp_path / "made"
    for command in (
        ("generate", "--episodes", "4", "--output", str(made / "data")),
        ("sft", "--data", str(made / "data"), "--steps", "1", "--output", str(made / "taught")),
    ):
        subprocess.run([str(TRAIN), "-m", "trainer", *command], cwd=ROOT, check=True, capture_output=True)
    return str(made / "taught" / "base")


@pytest.fixture
def machines(played: Path, tmp_path: Path, s3: dict[str, str]) -> Iterator[Callable[[str], House]]:
    """The house, and machines that train: each with a folder of its own."""
    (tmp_path / "learn.toml").write_text(f"[sft]\nsave_every = {FIRST_SAVED}\n")
    given = {**s3, "TRAINER_PYTHON": str(TRAIN), "PARLAY_LEARN_CONFIG": str(tmp_path / "learn.toml")}
    house = copy_of(played, tmp_path, **given)
    house.start_redis()
    made = {"house": house}

    def machine(name: str) -> House:
        if name not in made:
            made[name] = House(tmp_path / name, **given)
            made[name].directory.mkdir()
            made[name].environment |= {
                "DATABASE_URL": f"sqlite:///{house.directory / 'parlay.sqlite3'}",
                "REDIS_URL": house.environment["REDIS_URL"],
            }
        return made[name]

    try:
        yield machine
    finally:
        for each in made.values():
            each.stop()


@pytest.mark.faults
@pytest.mark.skipif(not TRAIN.exists(), reason="the environment to train in is not there")
def test_a_machine_is_lost_in_mid_training_and_another_goes_on(
    machines: Callable[[str], House], base: str
) -> None:
    house, first, second = machines("house"), machines("first"), machines("second")
    house.tell(ASK.format(base=base))
    working = worker(first, "training")

    def saved() -> bool:
        listed = json.loads(house.tell(LISTED))
        return any(name.startswith("sft/checkpoints/") for name in listed)

    until("no checkpoint was sent", 420, saved, expected=True)
    live = json.loads(house.tell(LIVE))
    assert live["steps"] > 0, "its page follows while it works"
    assert live["log"]
    end([working])
    ((state,),) = house.rows("SELECT state FROM trainer_trainingrun")
    assert state == "running", "nobody has told the row"
    working = worker(second, "training")
    try:
        deadline = time.monotonic() + 420
        while house.rows("SELECT state FROM trainer_trainingrun") != [("done",)]:
            assert time.monotonic() < deadline, (second.directory / "workers.log").read_text()[-3000:]
            house.tell(SWEEP)
            time.sleep(1)
    finally:
        end([working])
    seen = json.loads(house.tell(LOOK))
    assert seen["steps"] == STEPS
    assert seen["resources"]
    assert any(f"{STEPS}/{STEPS}" in line for line in seen["log"])
    assert "adapter_model.safetensors" in seen["adapter"]
    ((run_id,),) = house.rows("SELECT id FROM trainer_trainingrun")
    there = next((second.directory / "flywheel" / "runs").iterdir())
    weights = Path("sft", "adapter", "adapter_model.safetensors")
    here = house.directory / "flywheel" / "runs" / there.name
    assert (here / weights).read_bytes() == (there / weights).read_bytes()
    assert run_id == there.name.replace("-", "")
    told = [json.loads(line) for line in (here / "sft" / "metrics.jsonl").read_text().splitlines()]
    assert sorted({line["step"] for line in told if line["kind"] == "sft"})[-1] == STEPS - 1
    made = [
        line.split("/")[0].split()[-1]
        for line in (there / "log.txt").read_text().splitlines()
        if "sft " in line
    ]
    assert made, "the second machine said how far it was"
    assert not list((house.directory / "flywheel").glob("episodes")), "words lie in the storage alone"
