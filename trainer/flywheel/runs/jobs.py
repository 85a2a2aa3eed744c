"""Runs as Jobs of the Kubernetes cluster that this worker lives in: one Job works one run and ends.

The chart writes the Job down whole (``PARLAY_TRAINING_JOB``): image, limits, node, settings. Here it gets its name and
the run's, and is asked for. Whatever happens to its pod, the row of the run decides, as with any worker: a pod that is
gone is a heartbeat that is missed, and the sweep asks again.
"""

from __future__ import annotations

import json
import os
import ssl
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

from django.conf import settings

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""Where a pod finds who it is: a token, which is changed every hour, and whom to believe."""
PATIENCE = 10.0
RUN = "PARLAY_RUN"
OVER = ("Complete", "Failed")


class ClusterRefused(Exception):
    """The cluster did not do what it was asked; the message is its own."""


class Cluster:
    """The Jobs of one namespace, over the cluster's own HTTP: three requests, for which its library would be large."""

    def __init__(self, address: str, namespace: str, token: str, trust: ssl.SSLContext | None = None) -> None:
        self._jobs = f"{address}/apis/batch/v1/namespaces/{namespace}/jobs"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._opener = build_opener(ProxyHandler({}), HTTPSHandler(context=trust))

    @classmethod
    def around(cls) -> Cluster:
        """The cluster that this process runs in, as its pod is told of it."""
        host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
        address = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
        namespace, token = ((ACCOUNT / name).read_text().strip() for name in ("namespace", "token"))
        return cls(address, namespace, token, ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt")))

    def create(self, job: dict[str, Any]) -> bool:
        """Ask for a Job; false where there is one of its name."""
        return self._ask("POST", "", job) is not None

    def read(self, name: str) -> dict[str, Any] | None:
        """A Job as it is now; ``None`` where there is none."""
        return self._ask("GET", f"/{name}")

    def delete(self, name: str) -> None:
        """Take a Job away, and its pod; one that is gone already is fine."""
        self._ask("DELETE", f"/{name}", {"propagationPolicy": "Background"})

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """What the cluster answers; ``None`` where there is no such Job, or one of its name already."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._jobs}{path}", data, self._headers, method=method)  # noqa: S310  # the cluster's own
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                found: dict[str, Any] = json.load(answer)
        except HTTPError as problem:
            if problem.code in (HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND):
                return None
            raise ClusterRefused(f"{problem.code}: {problem.read(300).decode(errors='replace')}") from problem
        except (OSError, ValueError) as problem:
            raise ClusterRefused(str(problem) or type(problem).__name__) from problem
        return found


def job_of(run_id: str) -> dict[str, Any]:
    """The Job of a run: the chart's, with the run's name in it."""
    job: dict[str, Any] = json.loads(Path(settings.TRAINING_JOB).read_text(encoding="utf-8"))
    job["metadata"]["name"] = name_of(job, run_id)
    for container in job["spec"]["template"]["spec"]["containers"]:
        container.setdefault("env", []).append({"name": RUN, "value": run_id})
    return job


def name_of(job: dict[str, Any], run_id: str) -> str:
    """What the Job of a run is called: the same each time, so that asking twice asks once; names end at 63 letters."""
    return f"{job['metadata']['name']}-{run_id[:13]}"


def job_start(cluster: Cluster, run_id: str) -> bool:
    """Have a run worked; whether a Job was made. One that lives is left alone, one that has ended makes room.

    Raises:
        ClusterRefused: when the cluster can't be reached, or does not take it.
    """
    job = job_of(run_id)
    if cluster.create(job):
        return True
    there = cluster.read(job["metadata"]["name"])
    if there is not None and not _is_over(there):
        return False
    cluster.delete(job["metadata"]["name"])
    return cluster.create(job)


def _is_over(job: dict[str, Any]) -> bool:
    conditions = job.get("status", {}).get("conditions") or ()
    return any(each["type"] in OVER and each["status"] == "True" for each in conditions)


def job_call_off(cluster: Cluster, run_id: str) -> None:
    """Take the Job of a run that nobody has taken up away, as where no node has room for its pod."""
    cluster.delete(job_of(run_id)["metadata"]["name"])
