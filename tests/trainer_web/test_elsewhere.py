"""Runs that another machine works: what goes to it, what comes back, and that nothing is believed that was not sent."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import consent_give
from owed import services as owed
from tests.trainer_web.promoting import fresh
from trainer.flywheel import store
from trainer.flywheel.models import Dataset, Episode
from trainer.flywheel.operations.retention import runs_let_go
from trainer.flywheel.promotion.keeping import NotKept, adapter_at_hand
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.promotion.services import DecisionRefused, run_promote
from trainer.flywheel.runs import bundles
from trainer.flywheel.runs.judging import gate_request
from trainer.flywheel.runs.models import HEARTBEAT_LOST, TrainingRun
from trainer.flywheel.runs.services import run_cancel, run_request, run_resume
from trainer.flywheel.tasks import TRAINING, train

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pupil")]


class Machines:
    """Several folders on one database and one storage: only the storage goes between them."""

    def __init__(self, settings: Any, root: Path) -> None:
        self._settings, self._root = settings, root
        self.objects = root / "objects"

    def go_to(self, name: str) -> Path:
        """Be the machine of this name from now on."""
        self._settings.FLYWHEEL_DIR = self._root / name
        return self._root / name

    def sent(self) -> list[Path]:
        """Everything that the storage holds of runs."""
        return [path for path in (self.objects / "runs").rglob("*") if path.is_file()]


@pytest.fixture
def machines(dataset: Dataset, store: Path, settings: Any, tmp_path: Path) -> Machines:
    made = Machines(settings, tmp_path / "machines")
    shutil.copytree(store / "episodes", made.objects / "episodes")
    settings.ARTEFACTS_ELSEWHERE = True
    files = "trainer.flywheel.storage.files.WholeFiles"
    settings.STORAGES = {
        **settings.STORAGES,
        "artefacts": {"BACKEND": files, "OPTIONS": {"location": str(made.objects)}},
    }
    made.go_to("web")
    return made


@pytest.fixture
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trainer.flywheel.runs.beats.BEAT_SECONDS", 0.05)
    monkeypatch.setattr("trainer.flywheel.runs.beats.SHARE", 0)


def ask(dataset: Dataset, **set_up: Any) -> TrainingRun:
    return run_request(name="R", by=None, dataset=dataset, **{"recipe": "sft", "sft_steps": 3, **set_up})


def lost(run: TrainingRun) -> None:
    TrainingRun.objects.filter(pk=run.pk).update(
        heartbeat_at=timezone.now() - HEARTBEAT_LOST - timedelta(seconds=1)
    )


def test_what_another_machine_made_is_read_here_as_it_was_sent(
    dataset: Dataset, machines: Machines, signed_in: Callable[[User], Client], admin: User
) -> None:
    run = ask(dataset)
    there = machines.go_to("trainer")
    assert train(str(run.pk)) is True
    run = fresh(run)
    assert run.state == "done", run.reason
    assert run.results["adapter"] == f"{run.folder}/sft/adapter"
    here = machines.go_to("web")
    page = signed_in(admin).get(f"/trainer/runs/{run.pk}/").content.decode()
    assert "sft 3/3" in page
    made = here / run.folder / "sft"
    assert json.loads((made / "run.json").read_text())["results"]["loss"] == pytest.approx(1 / 3)
    assert not (made / "adapter").exists(), "a page does without weights"
    bundles.folder_fetch(run.results["adapter"])
    weights = "adapter_model.safetensors"
    assert Path(run.adapter) == made / "adapter"
    assert (made / "adapter" / weights).read_bytes() == (
        there / run.folder / "sft" / "adapter" / weights
    ).read_bytes()
    said = b"What drives your timeline?"
    assert said not in b"".join(path.read_bytes() for path in machines.sent()), (
        "words stay where they were handed"
    )


@pytest.mark.slow
def test_a_run_goes_on_at_another_machine_from_what_was_sent(
    dataset: Dataset, machines: Machines, monkeypatch: pytest.MonkeyPatch, quick_beats: None
) -> None:
    monkeypatch.setenv("PUPIL_MOMENT", "0.5")
    run = ask(dataset, sft_steps=120)
    machines.go_to("first")
    watched = owed.progress

    def cancelled(row: Any, *steps: Any) -> None:
        sent = fresh(run).kept
        if sent and "sft/steps.txt" in json.loads(store.read(f"{run.folder}/{sent}.json", sent)):
            run_cancel(run=run)
        watched(row, *steps)

    monkeypatch.setattr(owed, "progress", cancelled)
    train(str(run.pk))
    monkeypatch.setattr(owed, "progress", watched)
    assert fresh(run).state == "cancelled"
    assert run_resume(run=fresh(run))
    monkeypatch.setenv("PUPIL_MOMENT", "0")
    second = machines.go_to("second")
    assert train(str(run.pk)) is True
    assert fresh(run).state == "done"
    steps = [line.split() for line in (second / run.folder / "sft" / "steps.txt").read_text().splitlines()]
    assert [int(step) for _, step in steps] == list(range(120))
    assert len({process for process, _ in steps}) == 2, "the first machine's steps were not made again"


def test_a_worker_that_lost_its_run_changes_nothing_of_it(dataset: Dataset, machines: Machines) -> None:
    run = ask(dataset)
    first = machines.go_to("first")
    slow = owed.claim(TRAINING, run.pk)
    late = bundles.Sender(slow, first / run.folder)
    lost(run)
    machines.go_to("second")
    train(str(run.pk))
    kept = fresh(run).kept
    (first / run.folder).mkdir(parents=True)
    (first / run.folder / "log.txt").write_text("another story")
    with pytest.raises(owed.LeaseLost):
        late.send()
    assert fresh(run).kept == kept
    machines.go_to("web")
    bundles.fetch(fresh(run), bundles.is_told)
    assert "another story" not in (store.path_of(run.folder) / "log.txt").read_text()


def test_what_was_changed_on_the_way_is_not_taken(dataset: Dataset, machines: Machines) -> None:
    run = ask(dataset)
    machines.go_to("trainer")
    train(str(run.pk))
    run = fresh(run)
    listed = json.loads(store.read(f"{run.folder}/{run.kept}.json", run.kept))
    key, _, _ = listed["sft/adapter/adapter_model.safetensors"]
    store.write(key, b"other weights")
    machines.go_to("web")
    with pytest.raises(store.Damaged, match="not what was sent"):
        bundles.folder_fetch(run.results["adapter"])
    assert not Path(run.adapter).joinpath("adapter_model.safetensors").exists()
    store.write(f"{run.folder}/{run.kept}.json", b"{}")
    with pytest.raises(store.Damaged, match="not what was written"):
        bundles.fetch(run, bundles.is_told)


@pytest.mark.slow
def test_judged_promoted_and_served_each_at_a_machine_of_its_own(
    dataset: Dataset, machines: Machines, base: str, admin: User
) -> None:
    run = ask(dataset, base=base)
    machines.go_to("trainer")
    train(str(run.pk))
    machines.go_to("web")
    gate = gate_request(run=fresh(run), by=None)
    machines.go_to("other trainer")
    train(str(gate.pk))
    machines.go_to("web")
    generation = run_promote(gate=fresh(gate), by=admin, reason="Better.").after
    assert generation is not None
    assert generation.path == f"models/{generation.sha256[:32]}"
    server = machines.go_to("server")
    kept = Path(adapter_at_hand(generation)) / "adapter_model.safetensors"
    assert kept.is_relative_to(server)
    assert store.checksum(kept.read_bytes()) == generation.sha256
    follower = run_request(name="Next", by=None, dataset=dataset, recipe="sft", sft_steps=1, start=generation)
    there = machines.go_to("third trainer")
    train(str(follower.pk))
    assert fresh(follower).state == "done"
    asked = (there / follower.folder / "sft" / "arguments.txt").read_text()
    assert f"--adapter {there}/{generation.path}" in asked


@pytest.mark.slow
def test_weights_that_are_not_those_that_were_judged_are_not_promoted(
    dataset: Dataset, machines: Machines, base: str, admin: User
) -> None:
    run = ask(dataset, base=base)
    machines.go_to("trainer")
    train(str(run.pk))
    gate = gate_request(run=fresh(run), by=None)
    train(str(gate.pk))
    found = fresh(gate)
    TrainingRun.objects.filter(pk=gate.pk).update(results={**found.results, "adapter_sha256": "0" * 64})
    machines.go_to("web")
    with pytest.raises(DecisionRefused, match="not those that were judged"):
        run_promote(gate=fresh(gate), by=admin, reason="Better.")
    with pytest.raises(NotKept):
        adapter_at_hand(Generation(run=fresh(run), path="models/none", sha256="0" * 64))


def test_words_that_are_taken_back_leave_the_storage(
    dataset: Dataset, machines: Machines, willing: User
) -> None:
    (episode,) = Episode.objects.all()
    assert (machines.objects / episode.file).is_file()
    consent_give(user=willing, granted=False)
    assert not list((machines.objects / "episodes").rglob("*.jsonl"))


def test_what_nobody_needs_any_more_leaves_the_storage(
    dataset: Dataset, machines: Machines, base: str, settings: Any
) -> None:
    run = ask(dataset, base=base)
    machines.go_to("trainer")
    train(str(run.pk))
    assert machines.sent()
    store.write(f"{run.folder}/half", b"of a worker that was killed before it told the row")
    assert bundles.tidy() == 0, "it may be about to"
    os.utime(machines.objects / run.folder / "half", (0, 0))
    assert bundles.tidy() == 1
    bundles.bring(fresh(run), machines.go_to("another") / run.folder)
    machines.go_to("trainer")
    runs_let_go(now=timezone.now() + timedelta(days=settings.RUNS_KEPT_DAYS + 1))
    assert machines.sent() == []
    assert fresh(run).kept == ""
    assert "files_let_go" in fresh(run).results
