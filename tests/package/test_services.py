"""The commands of docker-compose.yml as it starts them, in this environment: its settings, a real broker, real processes.

Instead of containers: SQLite for PostgreSQL, and a parent of each command's own where Docker puts its process 1.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from ruamel.yaml import YAML

from owed.queues import BY_WORKER, URGENT
from parlay_web import redis_server
from parlay_web.health import children
from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent
from tests.servers import ROOT

SERVICES: dict[str, Any] = YAML(typ="safe").load(ROOT / "docker-compose.yml")["services"]
GIVEN = {
    "SECRET_KEY": "0123456789abcdef" * 4,
    "POSTGRES_PASSWORD": "elsewhere",
    "REDIS_PASSWORD": "its-own",
    "TRUSTED_PROXIES": "127.0.0.1",
    "ALLOWED_HOSTS": "parlay.example.org",
}
FIRST = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
ADMIN = ("admin@parlay.example.org", "a-long-enough-phrase")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.faults,
    pytest.mark.skipif(sys.platform != "linux", reason="containers are Linux, and this looks into /proc"),
]


def interpolated(text: str) -> str:
    return re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda m: GIVEN.get(m[1]) or m[2] or "", text)


class House:
    """What the services share: a folder, a broker, the environment that Compose would give."""

    def __init__(self, folder: Path, redis_port: int) -> None:
        self.folder = folder
        self.redis_url = f"redis://127.0.0.1:{redis_port}/0"

    def environment(self, service: str, **more: str) -> dict[str, str]:
        given = {name: interpolated(value) for name, value in SERVICES[service]["environment"].items()}
        known = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        return {
            **known,
            **given,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DJANGO_SETTINGS_MODULE": "parlay_web.settings.production",
            "DATABASE_URL": f"sqlite:///{self.folder / 'parlay.sqlite3'}",
            "REDIS_URL": self.redis_url,
            "PARLAY_VAR": str(self.folder / service),
            **more,
        }

    def run(self, service: str, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=ROOT, env=self.environment(service, **more),
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    @contextmanager
    def started(self, service: str, *command: str) -> Iterator[tuple[subprocess.Popen[str], Path]]:
        """The service under a process that stands for Docker's first, and the file of its heartbeat."""
        heartbeat = self.folder / f"{service}.heartbeat"
        heartbeat.unlink(missing_ok=True)  # a container's /tmp begins empty
        environment = self.environment(service)
        if "PARLAY_HEARTBEAT" in environment:
            environment["PARLAY_HEARTBEAT"] = str(heartbeat)
        with (self.folder / f"{service}.log").open("w") as log:
            first = subprocess.Popen(
                [sys.executable, "-c", FIRST, *command], cwd=ROOT, env=environment, stdout=log, stderr=log,
                text=True, start_new_session=True, preexec_fn=die_with_parent,
            )  # fmt: skip
        try:
            yield first, heartbeat
        finally:
            for number in (signal.SIGCONT, signal.SIGTERM):
                if first.poll() is None:
                    os.killpg(first.pid, number)
            try:
                first.wait(60)
            finally:
                _end_group(first.pid)

    def health(self, service: str, heartbeat: Path, first: subprocess.Popen[str], *more: str) -> int:
        """Compose's own check, told where the heartbeat and the first process are here."""
        _, *check = SERVICES[service]["healthcheck"]["test"]
        check[check.index("--heartbeat") + 1] = str(heartbeat)
        return self.run(service, *check, "--parent", str(first.pid), *more).returncode

    def log(self, service: str) -> str:
        return (self.folder / f"{service}.log").read_text()


def _end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def silent_for(heartbeat: Path, seconds: float) -> None:
    """As if the last sign had been given so long ago."""
    then = time.time() - seconds
    os.utime(heartbeat, (then, then))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("compose")
    port = free_port()
    broker = redis_server.start(port=port, directory=folder / "redis", preexec_fn=die_with_parent)
    try:
        made = House(folder, port)
        migrated = made.run("migrate", *SERVICES["migrate"]["command"])
        assert migrated.returncode == 0, migrated.stderr
        yield made
    finally:
        broker.terminate()
        broker.wait()


def until_well(house: House, service: str, heartbeat: Path, first: subprocess.Popen[str], *more: str) -> None:
    deadline = time.monotonic() + 60
    while house.health(service, heartbeat, first, *more):
        assert first.poll() is None, house.log(service)
        assert time.monotonic() < deadline, house.log(service)
        time.sleep(0.2)


def hang(first: subprocess.Popen[str]) -> None:
    """Stop all that it started: a worker's own child would show life once more at the end of its task."""
    waiting = [first.pid]
    while waiting:
        for each in children(waiting.pop()):
            os.kill(each, signal.SIGSTOP)
            waiting.append(each)


def killed(house: House, service: str, heartbeat: Path, first: subprocess.Popen[str], *more: str) -> None:
    """Hang it: a short silence is told, a long one is ended, and with it what Docker restarts by."""
    after = float(SERVICES[service]["healthcheck"]["test"][-1])
    hang(first)
    silent_for(heartbeat, after / 2)
    assert house.health(service, heartbeat, first, *more) == 1
    assert first.poll() is None
    silent_for(heartbeat, after + 1)
    assert house.health(service, heartbeat, first, *more) == 1
    assert first.wait(60) != 0


@pytest.mark.timeout(240)
def test_web_serves_an_administrator_over_https_and_is_replaced_when_it_hangs(house: House) -> None:
    """What the image starts: healthy, strict about https, an administrator made and signed in as the page says."""
    port = free_port()
    written = (ROOT / "Dockerfile").read_text()
    *_, line = re.findall(r'^CMD \["sh", "-c", "(.*)"\]$', written, re.MULTILINE)
    command = line.replace("-b 0.0.0.0 -p 8000", f"-b 127.0.0.1 -p {port}")
    assert command != line
    at = ("--url", f"http://127.0.0.1:{port}/healthz")
    with house.started("web", "sh", "-c", command) as (first, heartbeat):
        assert house.health("web", heartbeat, first, *at) == 1, "nothing is killed before it was ever up"
        until_well(house, "web", heartbeat, first, *at)
        visitor = Visitor(port)
        assert visitor.get("/", https=False) == (301, "https://parlay.example.org/")
        made = house.run(
            "web", "python", "manage.py", "createsuperuser", "--no-input", "--email", ADMIN[0],
            DJANGO_SUPERUSER_PASSWORD=ADMIN[1],
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        assert visitor.get("/accounts/login/")[0] == 200
        visitor.sign_in(*ADMIN)
        status, page = visitor.get("/admin/")
        assert (status, "Log out" in page or "Site administration" in page) == (200, True)
        killed(house, "web", heartbeat, first, *at)


@pytest.mark.parametrize("service", BY_WORKER)
def test_each_worker_of_compose_takes_its_own_queues(service: str) -> None:
    command = SERVICES[service]["command"]
    assert command[command.index("-Q") + 1].split(",") == list(BY_WORKER[service])


@pytest.mark.timeout(240)
@pytest.mark.parametrize("service", ["urgent", "worker", "training"])
def test_a_worker_shows_life_and_is_seen_to_hang(house: House, service: str) -> None:
    with house.started(service, *SERVICES[service]["command"]) as (first, heartbeat):
        until_well(house, service, heartbeat, first)
        seen = heartbeat.stat().st_mtime
        deadline = time.monotonic() + 60
        while heartbeat.stat().st_mtime == seen:
            assert time.monotonic() < deadline, house.log(service)
            time.sleep(0.2)
        if service != "training":
            killed(house, service, heartbeat, first)
        else:
            hang(first)
            silent_for(heartbeat, 10_000)
            assert house.health(service, heartbeat, first) == 1
            assert first.poll() is None, "a run may be hours old"


@pytest.mark.timeout(240)
def test_after_kills_the_clock_ticks_once_an_interval_and_never_without_its_worker(house: House) -> None:
    """Whoever started Celery's own process for the schedule found it alive after the worker was killed."""
    with Redis.from_url(house.redis_url) as broker:
        for _ in range(2):
            with house.started("urgent", *SERVICES["urgent"]["command"]) as (first, heartbeat):
                until_well(house, "urgent", heartbeat, first)
                (worker,) = children(first.pid)
                os.kill(worker, signal.SIGKILL)
                first.wait(60)
        broker.delete(URGENT)
        time.sleep(12)
        assert broker.llen(URGENT) == 0, "nobody sends what is due"
        with house.started("urgent", *SERVICES["urgent"]["command"]) as (first, heartbeat):
            until_well(house, "urgent", heartbeat, first)
            (worker,) = children(first.pid)
            pool = list(children(worker))
            for each in pool:
                os.kill(each, signal.SIGSTOP)
            broker.delete(URGENT)
            since = time.monotonic()
            time.sleep(21)
            waiting = [json.loads(row)["headers"]["task"] for row in broker.lrange(URGENT, 0, -1)]
            due = int((time.monotonic() - since) / 5) + 1
            for each in pool:
                os.kill(each, signal.SIGCONT)
            phases = waiting.count("negotiation.diplomacy.tasks.close_overdue_phases")
            assert 2 <= phases <= due, (
                "one each five seconds, of which the worker may hold two; two clocks send six and more"
            )


def test_valkey_asks_for_the_password_of_compose_and_no_command_line_tells_it(tmp_path: Path) -> None:
    port, folder = free_port(), tmp_path / "bin"
    folder.mkdir()
    (folder / "valkey-server").symlink_to(redis_server.binary())
    entry = folder / "docker-entrypoint.sh"
    entry.write_text('#!/bin/sh\nexec "$@"\n')
    entry.chmod(0o755)
    shell, flag, script = SERVICES["redis"]["command"]
    script = script.replace("$$", "$").replace("appendonly yes", f"port {port}\nappendonly yes")
    password = interpolated(SERVICES["redis"]["environment"]["REDISCLI_AUTH"])
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "REDISCLI_AUTH": password}
    started = subprocess.Popen(
        [shell, flag, script],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.DEVNULL,
        preexec_fn=die_with_parent,
    )
    try:
        deadline = time.monotonic() + 60
        while not redis_server.answers(port, password):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert not redis_server.answers(port)
        assert redis_server.url_of(port, password).split("127")[0] in interpolated(
            SERVICES["web"]["environment"]["REDIS_URL"]
        )
        assert password.encode() not in Path(f"/proc/{started.pid}/cmdline").read_bytes()
    finally:
        started.kill()
        started.wait()


def test_djangos_own_list_for_deployment_names_only_what_is_the_operators_choice(house: House) -> None:
    done = house.run("web", "python", "manage.py", "check", "--deploy")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"\((\w+\.\w\d+)\)", done.stderr) == ["security.W021"], "the browsers' preload list"


@pytest.mark.parametrize(
    ("name", "value"), [("PARLAY_DEMO", "1"), ("DEBUG", "1"), ("SECRET_KEY", "short"), ("ALLOWED_HOSTS", "*")]
)
def test_unsafe_settings_stop_the_start_with_their_name(house: House, name: str, value: str) -> None:
    done = house.run("web", "python", "manage.py", "check", **{name: value})
    assert done.returncode != 0
    assert f"{name}:" in done.stderr


def test_agents_do_not_start_without_a_token(house: House) -> None:
    for tokens in ("", " , "):
        done = house.run("agents", *SERVICES["agents"]["command"], PARLAY_AGENT_TOKENS=tokens)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "PARLAY_AGENT_TOKENS" in done.stderr


class Visitor:
    """A browser behind the proxy: it says so in the headers that the proxy sets."""

    def __init__(self, port: int) -> None:
        self.at = f"http://127.0.0.1:{port}"
        self.cookies = http.cookiejar.CookieJar()
        keep = _Kept(self.cookies)
        self.opener = urllib.request.build_opener(keep, _Stay())

    def get(self, path: str, *, https: bool = True, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Status, and the page or where it sends on to."""
        headers = {"Host": "parlay.example.org", "Referer": f"https://parlay.example.org{path}"}
        headers |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"} if https else {}
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"{self.at}{path}", data=data, headers=headers)  # noqa: S310
        try:
            with self.opener.open(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers.get("Location", "")

    def sign_in(self, email: str, password: str) -> None:
        (token,) = {cookie.value for cookie in self.cookies if cookie.name == "csrftoken"}
        form = {"login": email, "password": password, "csrfmiddlewaretoken": str(token)}
        assert self.get("/accounts/login/", form=form)[0] == 302
        assert {"sessionid"} <= {cookie.name for cookie in self.cookies}
        assert all(cookie.secure for cookie in self.cookies)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class _Kept(urllib.request.HTTPCookieProcessor):
    """Keeps cookies that are for https alone, as the browser on the other side of the proxy would."""

    def http_request(self, request: urllib.request.Request) -> urllib.request.Request:
        kept = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookiejar)
        if kept:
            request.add_unredirected_header("Cookie", kept)
        return request
