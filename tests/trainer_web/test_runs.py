"""Training runs: one at a time, each once, cancelled and resumed, and nothing of the words is left behind."""

from __future__ import annotations

import fcntl
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import consent_give, user_create
from owed import services as owed
from tests.servers import ROOT
from tests.trainer_web.promoting import fresh
from trainer.errors import BadInput
from trainer.flywheel.models import Dataset, DatasetUse
from trainer.flywheel.runs import services
from trainer.flywheel.runs.configuring import settings_of
from trainer.flywheel.runs.models import HEARTBEAT_LOST, TrainingRun
from trainer.flywheel.runs.selectors import stages_now
from trainer.flywheel.tasks import TRAINING, train

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pupil")]


def ask(dataset: Dataset | None, name: str = "Apprentice 2", **set_up: Any) -> TrainingRun:
    wanted = {"recipe": "sft", "sft_steps": 3, "grpo_steps": 2, **set_up}
    return services.run_request(name=name, by=None, dataset=dataset, **wanted)


def grow_old(run: TrainingRun) -> None:
    TrainingRun.objects.filter(pk=run.pk).update(
        heartbeat_at=timezone.now() - HEARTBEAT_LOST - timedelta(seconds=1)
    )


def test_a_run_is_worked_to_its_end_and_leaves_no_words(dataset: Dataset, store: Path) -> None:
    run = ask(dataset, recipe="both")
    assert train(str(run.pk)) is True
    run = fresh(run)
    assert (run.state, run.lease, run.attempts) == ("done", "", 1)
    folder = store / run.folder
    assert run.results["adapter"] == f"{run.folder}/grpo/adapter"
    assert [(stage.command, stage.step) for stage in stages_now(run)] == [("sft", 3), ("grpo", 2)]
    assert not (folder / "data").exists()
    assert "What drives your timeline?" not in "".join(
        p.read_text() for p in folder.rglob("*") if p.is_file()
    )
    use = DatasetUse.objects.get()
    assert (use.dataset, use.run, use.adapter) == (dataset, run.folder, run.name)


def test_moves_are_learnt_by_the_settings_of_the_house(
    dataset: Dataset, store: Path, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "learn.toml").write_text("[sft.optimizer]\nlearning_rate = 4e-4\n")
    (tmp_path / "play.toml").write_text(
        'server = "http://127.0.0.1:8000/v1"\n[grpo.optimizer]\nlearning_rate = 3e-5\n[grpo.sampling]\nmost = 200\n'
    )
    settings.LEARN_CONFIG, settings.PLAY_CONFIG = str(tmp_path / "learn.toml"), str(tmp_path / "play.toml")
    run = ask(dataset, recipe="both")
    TrainingRun.objects.filter(pk=run.pk).update(style="full")
    assert train(str(run.pk)) is True
    given = {}
    for stage in ("sft", "grpo"):
        said = (store / run.folder / stage / "arguments.txt").read_text().split()
        given[stage] = tomllib.loads(Path(said[said.index("--config") + 1]).read_text())
    assert given["sft"] == {"style": "full", "sft": {"optimizer": {"learning_rate": 4e-4}}}
    assert given["grpo"] == {
        "server": "http://127.0.0.1:8000/v1",
        "style": "full",
        "grpo": {"optimizer": {"learning_rate": 3e-5}, "sampling": {"most": 200}},
    }
    (tmp_path / "play.toml").write_text("")  # a run goes on as it began
    TrainingRun.objects.filter(pk=run.pk).update(state="failed", reason="x")
    assert services.run_resume(run=fresh(run))
    assert train(str(run.pk)) is True
    assert "3e-05" in (store / run.folder / "grpo.toml").read_text()


def test_a_large_base_is_not_trained_at_an_apprentices_rate(
    dataset: Dataset, store: Path, tmp_path: Path, settings: Any
) -> None:
    for folder, size in (("large", 300_000_000), ("small", 4_000_000)):
        (tmp_path / folder).mkdir()
        with (tmp_path / folder / "model.safetensors").open("wb") as weights:
            weights.truncate(size)
    large, small = (
        TrainingRun(recipe="both", base=str(tmp_path / size), style="full") for size in ("large", "small")
    )
    assert settings_of(large, "sft", tmp_path)["sft"] == {"optimizer": {"learning_rate": 2e-4}}
    assert settings_of(large, "grpo", tmp_path)["grpo"] == {"optimizer": {"learning_rate": 2e-5}}
    assert settings_of(small, "grpo", tmp_path) == {"style": "full"}
    (tmp_path / "play.toml").write_text("[grpo.optimizer]\nlearning_rate = 1e-6\n")
    settings.PLAY_CONFIG = str(tmp_path / "play.toml")
    assert settings_of(large, "grpo", tmp_path)["grpo"] == {"optimizer": {"learning_rate": 1e-6}}
    settings.PLAY_CONFIG = str(tmp_path / "missing.toml")
    with pytest.raises(BadInput, match=r"missing\.toml"):
        settings_of(large, "grpo", tmp_path)


def test_delivered_again_it_is_not_worked_again(dataset: Dataset, store: Path) -> None:
    run = ask(dataset)
    assert [train(str(run.pk)) for _ in range(3)] == [True, False, False]
    assert len((store / run.folder / "sft" / "steps.txt").read_text().splitlines()) == 3


def test_one_run_has_the_machine_and_the_next_waits(dataset: Dataset) -> None:
    first, second = ask(dataset, "First"), ask(dataset, "Second")
    held = owed.claim(TRAINING, first.pk)
    assert held is not None
    assert owed.claim(TRAINING, first.pk) is None
    assert owed.claim(TRAINING, second.pk) is None
    assert owed.owed(TRAINING) == []
    with pytest.raises(IntegrityError):
        TrainingRun.objects.filter(pk=second.pk).update(
            state="running", lease="x", heartbeat_at=timezone.now()
        )
    owed.finish(held)
    assert owed.owed(TRAINING) == [second.pk]


def test_a_lost_worker_is_replaced_and_can_write_nothing_any_more(dataset: Dataset) -> None:
    run = ask(dataset)
    gone = owed.claim(TRAINING, run.pk)
    assert gone is not None
    grow_old(run)
    assert owed.sweep()[TRAINING.name] == 1
    taken = owed.claim(TRAINING, run.pk)
    assert taken is not None
    assert (taken.attempts, taken.lease != gone.lease) == (2, True)
    with pytest.raises(owed.LeaseLost):
        owed.progress(gone)
    assert owed.fail(gone, "too late") is False
    assert fresh(run).state == "running"
    owed.progress(taken)


def test_a_process_that_outlives_its_worker_keeps_others_away(dataset: Dataset, store: Path) -> None:
    run = ask(dataset)
    folder = store / run.folder
    folder.mkdir(parents=True)
    with (folder / "lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert train(run.pk) is True
        assert fresh(run).state == "waiting"
        assert not (folder / "sft").exists()
    assert train(run.pk) is True
    assert fresh(run).state == "done"


def test_a_run_that_waits_is_cancelled_at_once(dataset: Dataset) -> None:
    run = ask(dataset)
    assert services.run_cancel(run=run)
    assert fresh(run).state == "cancelled"
    assert train(run.pk) is False
    assert services.run_resume(run=run)
    assert train(run.pk) is True
    assert fresh(run).state == "done"


def test_a_run_that_works_is_cancelled_at_its_next_heartbeat(
    dataset: Dataset, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(dataset, sft_steps=100_000)
    TrainingRun.objects.filter(pk=run.pk).update(cancel=True)
    assert train(run.pk) is True
    stopped = fresh(run)
    assert (stopped.state, stopped.cancel, stopped.lease) == ("cancelled", False, "")


def test_a_run_that_failed_says_why_and_goes_on_from_where_it_was(
    dataset: Dataset, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUPIL_FAILS", "grpo")
    run = ask(dataset, recipe="both")
    train(run.pk)
    failed = fresh(run)
    assert (failed.state, failed.reason) == ("failed", "trainer: the machine has no room")
    monkeypatch.delenv("PUPIL_FAILS")
    services.run_resume(run=run)
    train(run.pk)
    assert fresh(run).state == "done"
    taught = (store / run.folder / "sft" / "steps.txt").read_text().splitlines()
    assert [line.split()[1] for line in taught] == ["0", "1", "2"]


def test_what_was_withdrawn_is_not_trained_on(dataset: Dataset, willing: User) -> None:
    waiting = ask(dataset)
    consent_give(user=willing, granted=False)
    with pytest.raises(services.RunRefused, match="withdrawn"):
        ask(dataset, "Another")
    train(waiting.pk)
    assert (fresh(waiting).state, DatasetUse.objects.count()) == ("failed", 0)
    assert "withdrawn" in fresh(waiting).reason


def test_a_recipe_needs_what_it_stands_on(dataset: Dataset) -> None:
    with pytest.raises(services.RunRefused, match="base"):
        ask(None, recipe="grpo")
    with pytest.raises(services.RunRefused, match="dataset"):
        ask(None, recipe="sft")
    assert ask(None, recipe="grpo", base="models/qwen").dataset is None


def test_a_run_is_asked_for_watched_and_cloned_on_pages(
    dataset: Dataset, signed_in: Callable[[User], Client]
) -> None:
    desk = signed_in(user_create(email="a@example.com", password="correct horse", is_staff=True))
    wanted = {
        "name": "By hand",
        "recipe": "sft",
        "dataset": dataset.pk,
        "sft_steps": 3,
        "grpo_steps": 2,
        "seed": 7,
    }
    asked = desk.post("/trainer/runs/new/", wanted)
    run = TrainingRun.objects.get()
    assert asked.headers["Location"] == f"/trainer/runs/{run.pk}/"
    assert 'data-state="waiting"' in desk.get(f"/trainer/runs/{run.pk}/now/").content.decode()
    train(run.pk)
    page = desk.get(f"/trainer/runs/{run.pk}/").content.decode()
    assert 'data-state="done"' in page
    assert "Learning the moves" in page
    assert "sft 3/3" in page
    assert "NaN" not in page
    again = desk.get(f"/trainer/runs/new/?like={run.pk}").content.decode()
    assert 'value="7"' in again
    refused = desk.post("/trainer/runs/new/", wanted)
    assert refused.status_code == 422
    assert "Choose another name" in refused.content.decode()


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".venv-train").exists(), reason="the environment to train in is not there")
def test_a_real_apprentice_is_taught_a_dataset(dataset: Dataset, settings: Any, store: Path) -> None:
    settings.TRAINER_PYTHON = str(ROOT / ".venv-train" / "bin" / "python")
    run = ask(dataset, sft_steps=2)
    train(run.pk)
    assert fresh(run).state == "done", fresh(run).reason
    assert list((store / run.folder / "sft" / "base").iterdir())
    assert stages_now(run)[0].step == 2
