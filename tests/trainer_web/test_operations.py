"""Running it for years: room on the disk, what goes when, metrics, alerts, and everything back from a backup."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY, generate_latest

from accounts.models import User
from tests.servers import ROOT
from tests.trainer_web.house import HARVEST, House
from tests.trainer_web.promoting import fresh, promoted, trained
from trainer.flywheel import store as files
from trainer.flywheel.models import Dataset
from trainer.flywheel.operations.retention import runs_let_go
from trainer.flywheel.runs import quota
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import RunRefused, run_request, run_resume
from trainer.flywheel.tasks import train

pytestmark = pytest.mark.usefixtures("pupil")


def ask(dataset: Dataset, base: str, **set_up: Any) -> TrainingRun:
    wanted = {"recipe": "sft", "sft_steps": 2, "grpo_steps": 2, "base": base, **set_up}
    return run_request(name="Asked", by=None, dataset=dataset, **wanted)


@pytest.mark.django_db(transaction=True)
def test_without_room_a_run_is_refused_before_it_begins(
    dataset: Dataset,
    base: str,
    settings: Any,
) -> None:
    settings.DISK_RESERVE_MB = quota.free_mb() + 1
    with pytest.raises(RunRefused, match=r"The disk has .* MB left"):
        ask(dataset, base)
    assert not TrainingRun.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_quota_of_its_own_is_kept(dataset: Dataset, base: str, settings: Any, store: Path) -> None:
    (store / "large").write_bytes(b"0" * 3_000_000)
    settings.FLYWHEEL_QUOTA_MB, settings.RUN_NEEDS_MB = 10, 8
    with pytest.raises(RunRefused, match="3 of 10 MB"):
        ask(dataset, base)
    settings.RUN_NEEDS_MB = 5
    assert ask(dataset, base).state == "waiting"


@pytest.mark.django_db(transaction=True)
def test_a_disk_that_fills_up_stops_the_run_and_it_goes_on_where_it_was(
    dataset: Dataset,
    base: str,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = ask(dataset, base, sft_steps=60)
    monkeypatch.setattr("trainer.flywheel.runs.beats.BEAT_SECONDS", 0.1)
    steps = store / run.folder / "sft" / "steps.txt"
    real = quota.lacking
    monkeypatch.setattr(
        quota, "lacking", lambda needed=0: "The disk is full." if steps.exists() else real(needed)
    )
    train(run.pk)
    stopped = fresh(run)
    assert (stopped.state, stopped.reason) == ("failed", "The disk is full.")
    made = len(steps.read_text().splitlines())
    assert 0 < made < 60
    monkeypatch.setattr(quota, "lacking", real)
    run_resume(run=run)
    train(run.pk)
    assert fresh(run).state == "done"
    assert [int(line.split()[1]) for line in steps.read_text().splitlines()] == list(range(60))


@pytest.mark.django_db(transaction=True)
def test_a_run_keeps_to_its_minutes_and_may_go_on(
    dataset: Dataset,
    base: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = ask(dataset, base, sft_steps=100_000, minutes=1)
    monkeypatch.setattr("trainer.flywheel.runs.runner.MINUTE", 0.3)
    monkeypatch.setattr("trainer.flywheel.runs.beats.BEAT_SECONDS", 0.1)
    train(run.pk)
    assert (fresh(run).state, "1 minutes" in fresh(run).reason) == ("cancelled", True)
    assert run_resume(run=run)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_nobody_stands_on_goes_after_its_time_and_the_rest_stays(
    dataset: Dataset,
    base: str,
    admin: User,
    store: Path,
) -> None:
    generation = promoted(dataset, base, admin, "Kept")
    old = trained(dataset, base, "Old")
    for run in (old, generation.run):
        (store / run.folder / "sft" / "checkpoints" / "000002").mkdir(parents=True)
    assert runs_let_go() == 2
    assert (store / old.folder / "sft" / "adapter").is_dir()
    later = timezone.now() + timedelta(days=91)
    assert runs_let_go(now=later) > 0
    assert not (store / old.folder).exists()
    assert fresh(old).results["files_let_go"] == later.date().isoformat()
    assert (store / generation.run.folder / "sft" / "adapter").is_dir()
    assert Path(files.located(generation.path)).is_dir()
    assert runs_let_go(now=later) == 0


@pytest.mark.django_db(transaction=True)
def test_a_run_without_files_shows_its_page_and_can_not_be_judged(
    dataset: Dataset,
    base: str,
    admin: User,
    signed_in: Callable[[User], Client],
) -> None:
    run = trained(dataset, base)
    runs_let_go(now=timezone.now() + timedelta(days=91))
    desk = signed_in(admin)
    assert desk.get(f"/trainer/runs/{run.pk}/").status_code == 200
    answer = desk.post(f"/trainer/runs/{run.pk}/judge/", follow=True).content.decode()
    assert "not on the disk any more" in answer


@pytest.mark.django_db(transaction=True)
def test_the_endpoint_tells_what_the_alerts_and_the_dashboard_ask_for(
    dataset: Dataset, base: str, admin: User, settings: Any, tmp_path: Path
) -> None:
    promoted(dataset, base, admin)
    settings.BACKUP_DIR = str(tmp_path)
    (tmp_path / "2026-11-02").mkdir()
    (tmp_path / "2026-11-02" / "rehearsed").touch()
    told = generate_latest(REGISTRY).decode()
    assert 'parlay_training_runs{state="done"} 2.0' in told
    assert 'parlay_examples{state="taken"} 1.0' in told
    assert "parlay_champions_not_served 1.0" in told
    rules = (ROOT / "deploy" / "alerts.yml").read_text()
    asked = set(re.findall(r"\bparlay_[a-z_]+", "".join(re.findall(r"expr: (.*)", rules))))
    assert asked
    board = json.loads((ROOT / "deploy" / "grafana" / "parlay.json").read_text())
    drawn = [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]
    asked |= set(re.findall(r"\bparlay_[a-z_]+", "".join(drawn)))
    known = set(re.findall(r"# TYPE (\S+) ", told))
    # A histogram is asked for by its buckets.
    assert {
        name for name in asked if name.removesuffix("_bucket").removesuffix("_count") not in known
    } == set()
    assert rules.count("- alert:") == rules.count("expr:") == rules.count("action:") == 12
    # Every process tells what the database holds: two of them do not hold twice as much.
    of_the_database = (
        r"sum[^(]*(\([^(]*\))? *\(parlay_(owed|training|champion|flywheel|backup|examples|harvest)"
    )
    assert [expression for expression in drawn if re.search(of_the_database, expression)] == []
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(places) == len(set(places)) == len({panel["title"] for panel in board["panels"]})


def manage(house: House, *command: str) -> tuple[int, str, str]:
    """A management command's status, answer and complaint."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env=house.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.strip()


@pytest.mark.faults
def test_everything_comes_back_from_a_backup_into_an_empty_place(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "house", ignore=shutil.ignore_patterns("redis"))
    house, backup = House(tmp_path / "house"), tmp_path / "backup"
    assert house.run(HARVEST) == 0
    status, told, _ = manage(house, "backup", str(backup))
    assert (status, json.loads(told)["files"]) == (0, 2)
    assert json.loads(manage(house, "backup", str(backup))[1])["new"] == 0
    other = House(tmp_path / "other")
    other.directory.mkdir()
    assert manage(other, "restore", str(backup))[0] == 0
    other.assert_harvested_once()
    names = "SELECT email FROM accounts_user ORDER BY email"
    assert other.rows(names) == house.rows(names)
    status, _, complaint = manage(other, "restore", str(backup))
    assert (status, "--overwrite" in complaint, len(complaint.splitlines())) == (2, True, 1)
    (other.directory / "flywheel" / "episodes" / "stray.jsonl").write_text("not in the backup")
    assert manage(other, "restore", str(backup), "--overwrite")[0] == 0
    other.assert_harvested_once()
    assert other.run(HARVEST) == 0
    other.assert_harvested_once()


@pytest.mark.faults
def test_a_damaged_backup_restores_nothing_and_a_killed_one_harms_nothing(
    played: Path,
    tmp_path: Path,
) -> None:
    shutil.copytree(played, tmp_path / "house", ignore=shutil.ignore_patterns("redis"))
    house, backup = House(tmp_path / "house"), tmp_path / "backup"
    assert manage(house, "backup", str(backup))[0] == 0
    listed = (backup / "backup.json").read_text()
    assert house.run(HARVEST) == 0
    killed = (
        "import os, signal, pathlib\n"
        "from trainer.flywheel.operations import backup\n"
        "backup._write_list = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"backup.backup(pathlib.Path({str(backup)!r}))\n"
    )
    assert house.run(killed) == -9
    assert (backup / "backup.json").read_text() == listed
    other = House(tmp_path / "other")
    other.directory.mkdir()
    assert manage(other, "restore", str(backup))[0] == 0
    assert other.rows("SELECT COUNT(*) FROM trainer_episode") == [(0,)]
    kept = json.loads(listed)["database"]
    with (backup / "objects" / kept[:2] / kept).open("r+b") as database:
        database.write(b"damage")
    third = House(tmp_path / "third")
    third.directory.mkdir()
    status, _, complaint = manage(third, "restore", str(backup))
    assert (status, "damaged" in complaint) == (2, True)


@pytest.mark.faults
def test_each_night_a_backup_is_kept_and_played_from_and_the_oldest_goes(
    played: Path, tmp_path: Path
) -> None:
    shutil.copytree(played, tmp_path / "house", ignore=shutil.ignore_patterns("redis"))
    house, place = House(tmp_path / "house"), tmp_path / "backups"
    nights = (
        "import datetime, pathlib\n"
        "from django.conf import settings\n"
        "from trainer.flywheel.operations.nightly import back_up_tonight\n"
        "settings.BACKUPS_KEPT = 2\n"
        "for day in (1, 2, 3):\n"
        f"    told, tried = back_up_tonight(pathlib.Path({str(place)!r}), datetime.date(2026, 11, day))\n"
        "    assert tried.replayed > 0 and tried.people > 0, tried\n"
    )
    assert house.run(nights) == 0
    kept = sorted(each.name for each in place.iterdir())
    assert kept == ["2026-11-02", "2026-11-03"]
    assert all((place / day / "rehearsed").is_file() for day in kept)
    # What did not change between two nights is on the disk once.
    objects = [{each.stat().st_ino for each in (place / day / "objects").rglob("*")} for day in kept]
    assert objects[0] & objects[1]


@pytest.mark.faults
def test_a_backup_that_can_not_be_restored_fails_its_rehearsal_in_one_line(
    played: Path, tmp_path: Path
) -> None:
    shutil.copytree(played, tmp_path / "house", ignore=shutil.ignore_patterns("redis"))
    house, backup = House(tmp_path / "house"), tmp_path / "backup"
    assert manage(house, "backup", str(backup))[0] == 0
    before = house.rows("SELECT COUNT(*) FROM negotiation_game")
    status, told, _ = manage(house, "rehearse", str(backup))
    assert (status, json.loads(told)["replayed"]) == (0, before[0][0])
    kept = json.loads((backup / "backup.json").read_text())["database"]
    with (backup / "objects" / kept[:2] / kept).open("r+b") as database:
        database.write(b"damage")
    status, _, complaint = manage(house, "rehearse", str(backup))
    assert (status, "damaged" in complaint, len(complaint.splitlines())) == (2, True, 1)
    assert house.rows("SELECT COUNT(*) FROM negotiation_game") == before
    assert [each.name for each in tmp_path.glob(".rehearsal-*")] == []
