"""The chart for Kubernetes, rendered by the real Helm and held against Kubernetes' own schemas and against Compose."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CHART = ROOT / "deploy" / "chart"
HELM = Path(sys.executable).parent / "helm"
SECRETS = {
    "secret.secretKey": "0123456789abcdef" * 4,
    "secret.postgresPassword": "a/b",
    "secret.redisPassword": "c",
}
ELSEWHERE = {
    **{"secret.secretKey": "0123456789abcdef" * 4, "database.bundled": "false", "redis.bundled": "false"},
    **{"secret.databaseUrl": "postgresql://db/parlay", "secret.redisUrl": "rediss://cache:6379/0"},
}
EVERYTHING = {
    **SECRETS,
    **{"vllm.enabled": "true", "shared.enabled": "true", "backup.enabled": "true"},
    **{"processes.training.replicas": "1", "settings.PARLAY_SIGNUP": "off"},
}
JOBS = {**ELSEWHERE, "trainingJobs.enabled": "true", "settings.PARLAY_ARTEFACTS": "s3://bucket/parlay"}
WAYS = {
    "as it comes": SECRETS,
    "runs as Jobs": JOBS,
    "database and Redis elsewhere": ELSEWHERE,
    "everything": EVERYTHING,
}
VERSIONS = ("1.31", "1.35")
MADE_BY = {"Deployment", "StatefulSet", "Job", "CronJob"}


@pytest.fixture(scope="module")
def yaml() -> Any:
    return pytest.importorskip("yaml", reason="PyYAML, Helm and the schemas are in .venv-oracles only")


@pytest.fixture(scope="module")
def schemas() -> Any:
    return pytest.importorskip(
        "kubernetes_validate", reason="PyYAML, Helm and the schemas are in .venv-oracles only"
    )


def helm(*command: str, **values: str) -> subprocess.CompletedProcess[str]:
    given = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
    return subprocess.run([HELM, *command, *given], cwd=ROOT, capture_output=True, text=True, check=False)


@cache
def rendered(way: str) -> str:
    done = helm("template", "house", str(CHART), **WAYS[way])
    assert done.returncode == 0, done.stderr
    return done.stdout


def objects(yaml: Any, way: str) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all(rendered(way)) if each]


def pods(yaml: Any, way: str) -> dict[str, dict[str, Any]]:
    """The specification of each pod, by the name of what makes it."""
    found = {}
    for each in objects(yaml, way):
        if each["kind"] in MADE_BY:
            made = each["spec"]["jobTemplate"] if each["kind"] == "CronJob" else each
            found[each["metadata"]["name"]] = made["spec"]["template"]["spec"]
    return found


@pytest.mark.parametrize("way", WAYS)
def test_helm_finds_nothing_to_say(yaml: Any, way: str) -> None:
    done = helm("lint", "--strict", str(CHART), **WAYS[way])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("way", WAYS)
def test_every_object_is_one_that_kubernetes_takes(yaml: Any, schemas: Any, way: str, version: str) -> None:
    kinds = set()
    for each in objects(yaml, way):
        schemas.validate(each, version, strict=True)
        kinds.add(each["kind"])
    assert kinds >= {
        "Deployment",
        "Service",
        "Ingress",
        "Job",
        "ConfigMap",
        "Secret",
        "NetworkPolicy",
        "PodDisruptionBudget",
    }
    assert ("StatefulSet" in kinds) == (WAYS[way].get("database.bundled") != "false")


@pytest.mark.parametrize("way", WAYS)
def test_every_container_is_closed_and_has_limits(yaml: Any, way: str) -> None:
    for name, pod in pods(yaml, way).items():
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        has_rights = (way, name) == ("runs as Jobs", "house-worker")
        assert pod["automountServiceAccountToken"] is has_rights, name
        assert pod.get("serviceAccountName") == ("house-asks-for-jobs" if has_rights else None), name
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            closed = container["securityContext"]
            assert (closed["readOnlyRootFilesystem"], closed["allowPrivilegeEscalation"]) == (True, False), (
                name
            )
            assert closed["capabilities"] == {"drop": ["ALL"]}, name
            assert {"cpu", "memory"} <= set(container["resources"]["limits"]), name


def test_what_runs_is_asked_whether_it_lives(yaml: Any) -> None:
    for name, pod in pods(yaml, "everything").items():
        silent = name.endswith(("-migrate", "-backup", "-training"))  # jobs end; a run is hours long
        assert [container.get("livenessProbe") is None for container in pod["containers"]] == [silent], name


def test_the_processes_take_the_queues_that_those_of_compose_take(yaml: Any) -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    made = pods(yaml, "everything")
    for name in ("urgent", "worker", "training"):
        (container,) = made[f"house-{name}"]["containers"]
        celery = services[name]["command"]
        assert container["command"] == celery[celery.index("celery") :], name
        assert ("PARLAY_CLOCK" in {each["name"] for each in container["env"]}) == (
            "PARLAY_CLOCK" in services[name]["environment"]
        )
    for name in ("web", "pages"):
        assert "command" not in made[f"house-{name}"]["containers"][0], "what the image starts by itself"
    images = {services[name]["image"].split(":")[0] for name in ("postgres", "redis")}
    assert {
        made[f"house-{name}"]["containers"][0]["image"].split(":")[0] for name in ("postgres", "redis")
    } == images


def job_of_a_run(yaml: Any) -> dict[str, Any]:
    (told,) = [
        each for each in objects(yaml, "runs as Jobs") if each["metadata"]["name"] == "house-training-job"
    ]
    return dict(json.loads(told["data"]["job.json"]))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_job_of_a_run_is_one_that_kubernetes_takes(yaml: Any, schemas: Any, version: str) -> None:
    job = job_of_a_run(yaml)
    job["metadata"]["name"] += "-0193a2b4-5c6d"
    job["spec"]["template"]["spec"]["containers"][0]["env"].append(
        {"name": "PARLAY_RUN", "value": "0193a2b4"}
    )
    schemas.validate(job, version, strict=True)


def test_the_job_of_a_run_is_the_training_worker_for_one_run_and_without_rights(yaml: Any) -> None:
    job = job_of_a_run(yaml)
    pod = job["spec"]["template"]
    (container,), (worker,) = (
        pod["spec"]["containers"],
        pods(yaml, "everything")["house-training"]["containers"],
    )
    for part in ("image", "resources", "securityContext", "imagePullPolicy"):
        assert container[part] == worker[part], part
    assert container["command"] == ["python", "manage.py", "train", "$(PARLAY_RUN)"]
    assert pod["spec"]["automountServiceAccountToken"] is False
    assert pod["metadata"]["labels"]["app.kubernetes.io/component"] == "training", "whom the policies let in"
    assert (pod["spec"]["restartPolicy"], job["spec"]["backoffLimit"]) == ("Never", 0)
    (role,) = [each for each in objects(yaml, "runs as Jobs") if each["kind"] == "Role"]
    assert role["rules"] == [
        {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["create", "get", "delete"]}
    ]


def test_sockets_go_to_the_tables_and_the_rest_to_the_pages(yaml: Any) -> None:
    (ingress,) = [each for each in objects(yaml, "as it comes") if each["kind"] == "Ingress"]
    paths = {
        each["path"]: each["backend"]["service"]["name"]
        for each in ingress["spec"]["rules"][0]["http"]["paths"]
    }
    assert paths == {"/ws/": "house-web", "/": "house-pages"}


def test_every_setting_is_one_that_the_house_reads(yaml: Any) -> None:
    read = set(re.findall(r'get\(\s*"([A-Z_]+)"', (ROOT / "parlay_web" / "env.py").read_text()))
    for each in objects(yaml, "everything"):
        if each["kind"] == "ConfigMap":
            assert set(each["data"]) <= read
        if each["kind"] == "Secret":
            told = each["stringData"]
            assert set(told) - read == {"POSTGRES_PASSWORD", "REDIS_PASSWORD"}
            assert told["DATABASE_URL"] == "postgresql://parlay:a%2Fb@house-postgres:5432/parlay"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "secret.secretKey"),
        ({**SECRETS, "processes.urgent.replicas": "2"}, "a clock has one"),
        (
            {"secret.secretKey": "x", "database.bundled": "false", "secret.redisPassword": "c"},
            "where the database is",
        ),
        ({**SECRETS, "trainingJobs.enabled": "true"}, "settings.PARLAY_ARTEFACTS"),
        ({**JOBS, "processes.training.replicas": "1"}, "its replicas are 0"),
    ],
    ids=["no key", "two clocks", "no database", "no storage", "a worker beside the Jobs"],
)
def test_what_makes_no_sense_is_refused_by_its_name(yaml: Any, values: dict[str, str], why: str) -> None:
    done = helm("template", "house", str(CHART), **values)
    assert done.returncode
    assert why in done.stderr
