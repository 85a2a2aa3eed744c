"""Runs as Jobs of a cluster: asked for once, again when a pod is gone, called off, and worked by the Job's own command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from owed import services as owed
from parlay_web.celery import app
from tests.servers import ROOT
from tests.trainer_web.cluster import TOKEN, ClusterApi, cluster_api
from tests.trainer_web.house import copy_of
from tests.trainer_web.promoting import fresh
from tests.trainer_web.test_elsewhere import ask
from tests.trainer_web.test_runs_killed import ASK
from tests.trainer_web.things import stand_in
from trainer.flywheel.models import Dataset
from trainer.flywheel.runs import jobs
from trainer.flywheel.runs.services import run_cancel
from trainer.flywheel.tasks import TRAINING, start_job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pupil")]

JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "house-run", "namespace": "parlay"},
    "spec": {"template": {"spec": {"containers": [{"command": ["manage.py", "train", "$(PARLAY_RUN)"]}]}}},
}


@pytest.fixture
def cluster(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClusterApi]:
    """The cluster that this process lives in; tasks are done where they are sent."""
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    settings.TRAINS_ON, settings.TRAINING_JOB = "kubernetes", str(tmp_path / "job.json")
    with cluster_api(tmp_path / "account") as api:
        monkeypatch.setattr(jobs, "ACCOUNT", tmp_path / "account")
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
        monkeypatch.setenv("KUBERNETES_SERVICE_PORT", str(api.server_address[1]))
        yield api


def test_a_run_is_asked_for_once_and_again_when_its_pod_is_gone(
    dataset: Dataset, cluster: ClusterApi
) -> None:
    run = ask(dataset)
    (name,) = cluster.jobs
    assert name == f"house-run-{str(run.pk)[:13]}"
    (container,) = cluster.jobs[name]["spec"]["template"]["spec"]["containers"]
    assert container["env"] == [{"name": "PARLAY_RUN", "value": str(run.pk)}]
    assert start_job(str(run.pk)) is False, "it lives"
    cluster.end(name, "Failed")
    assert start_job(str(run.pk)) is True
    assert cluster.jobs[name]["status"] == {}, "another one of the same name"


def test_one_run_has_the_cluster_and_the_next_waits(dataset: Dataset, cluster: ClusterApi) -> None:
    run = ask(dataset)
    cluster.jobs.clear()
    assert owed.claim(TRAINING, run.pk) is not None
    assert start_job("00000000-0000-0000-0000-000000000000") is False
    assert cluster.jobs == {}
    assert start_job(str(run.pk)) is True, "its own worker is lost"


def test_a_run_that_nobody_took_up_takes_its_job_along(dataset: Dataset, cluster: ClusterApi) -> None:
    run = ask(dataset)
    assert cluster.jobs
    assert run_cancel(run=fresh(run))
    assert cluster.jobs == {}
    jobs.job_call_off(jobs.Cluster.around(), str(run.pk))


def test_what_the_cluster_refuses_is_said_in_its_words(
    dataset: Dataset, cluster: ClusterApi, tmp_path: Path
) -> None:
    run = ask(dataset)
    (tmp_path / "account" / "token").write_text("another")
    with pytest.raises(jobs.ClusterRefused, match=r"401.*Unauthorized"):
        start_job(str(run.pk))
    (tmp_path / "account" / "token").write_text(TOKEN)
    (tmp_path / "account" / "namespace").write_text("another")
    with pytest.raises(jobs.ClusterRefused, match=r"403.*Forbidden"):
        start_job(str(run.pk))
    with cluster_api(tmp_path / "stranger"):
        (tmp_path / "account" / "ca.crt").write_bytes((tmp_path / "stranger" / "ca.crt").read_bytes())
        with pytest.raises(jobs.ClusterRefused, match="CERTIFICATE_VERIFY_FAILED"):
            start_job(str(run.pk))


def test_the_command_of_the_job_works_its_run_once(
    dataset: Dataset, cluster: ClusterApi, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ask(dataset)
    kept = signal.getsignal(signal.SIGTERM)
    try:
        for _ in range(2):
            call_command("train", str(run.pk))
    finally:
        signal.signal(signal.SIGTERM, kept)
    assert capsys.readouterr().out.splitlines() == ["worked", "not to be had"]
    assert fresh(run).state == "done"


@pytest.mark.faults
def test_a_pod_that_is_drained_lets_its_run_go_with_what_it_has(tmp_path: Path, played: Path) -> None:
    program = str(stand_in(tmp_path))
    objects = tmp_path / "objects"
    house = copy_of(
        played, tmp_path, TRAINER_PYTHON=program, PUPIL_MOMENT="0.2", PARLAY_ARTEFACTS=f"file://{objects}"
    )
    (objects / "episodes").mkdir(parents=True)
    assert house.run(ASK) == 0
    ((key,),) = house.rows("SELECT id FROM trainer_trainingrun")
    pod = subprocess.Popen(
        [sys.executable, "manage.py", "train", key], cwd=ROOT, env=house.environment, stdout=subprocess.PIPE
    )
    made = house.directory / "flywheel" / "runs"
    deadline = time.monotonic() + 60
    while not list(made.rglob("steps.txt")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(pod.pid, signal.SIGTERM)
    assert pod.communicate(timeout=60)[0].split() == [b"worked"]
    ((state, kept),) = house.rows("SELECT state, kept FROM trainer_trainingrun")
    assert state == "waiting", "the next worker may take it at once"
    listed = json.loads(next(objects.rglob(f"{kept}.json")).read_text())
    assert "sft/steps.txt" in listed
    assert not [name for name in listed if re.match("data/", name)]
    assert not list(made.rglob("train.jsonl")), "the words are gone from the machine"
