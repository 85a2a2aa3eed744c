"""``bin/play`` as a person uses it: what it refuses at once, and that it leaves nothing running behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from parlay_web.ports import free_port
from tests.clients import Person
from tests.servers import ROOT

PLAY = str(ROOT / "bin" / "play")


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PLAY, *options], capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--prot", "8000"], "--prot"),
        (["--port", "many"], "--port"),
        (["--port", "0"], "--port 0"),
        (["--port", "70000"], "--port 70000"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid"),
    ],
    ids=str,
)
def test_bad_options_are_named_in_one_line(options: list[str], named: str) -> None:
    done = run(*options)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert named in done.stderr


def test_a_port_in_use_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run("--port", port)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert port in done.stderr
    (free,) = re.findall(r"--port (\d+) is free", done.stderr)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", int(free)))


WEB = "parlay_web.standby"
"""The web process of the two that serves."""


class Playing:
    """One run of bin/play with its data in a folder of its own."""

    def __init__(self, var: Path, *options: str) -> None:
        self.var = var
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {
            k: v for k, v in os.environ.items() if k not in ("REDIS_URL", "DJANGO_SETTINGS_MODULE")
        }
        self.process = subprocess.Popen(
            [PLAY, "--port", str(self.port), *options],
            env={**environment, "PARLAY_VAR": str(var)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_until_open(self, seconds: float) -> float:
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            assert self.process.poll() is None, self.process.communicate()
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):  # noqa: S310
                    return time.monotonic() - began
            except OSError:
                time.sleep(0.1)
        raise AssertionError("bin/play did not open")

    def told_when_open(self) -> str:
        """All that it prints up to its last line."""
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if "Ctrl-C" in line:
                return said
        raise AssertionError(self.process.communicate())

    def started(self) -> list[int]:
        """Its children and theirs, now."""
        return [child.pid for child in psutil.Process(self.process.pid).children(recursive=True)]

    def parts(self, word: str) -> list[int]:
        """The children whose command line holds ``word``."""
        return [
            pid for pid in self.started() if alive(pid) and word in " ".join(psutil.Process(pid).cmdline())
        ]

    def part(self, word: str) -> int:
        """The one such child."""
        if word == WEB:
            return int((self.var / "web.turn").read_text().split()[0])
        (found,) = self.parts(word)
        return found

    def said(self, words: str) -> str:
        """Read what it tells the person at the keyboard up to a line with ``words``."""
        assert self.process.stderr is not None
        return next(line for line in self.process.stderr if words in line)

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)

    def end(self) -> None:
        """Leave nothing running, whatever became of the test."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)


def alive(pid: int) -> bool:
    """Running, not merely waiting to be buried."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for_end(family: list[int], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while any(map(alive, family)):
        assert time.monotonic() < deadline, [psutil.Process(pid).cmdline() for pid in family if alive(pid)]
        time.sleep(0.05)


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Playing]:
    run = Playing(tmp_path / "var")
    yield run
    run.end()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_it_opens_serves_and_leaves_nothing_behind(playing: Playing, tmp_path: Path) -> None:
    playing.wait_until_open(200)
    playing.told_when_open()
    person = Person(playing.url).login("rep@demo.local")
    game_id = person.sit_down()
    family = playing.started()
    assert len(family) >= 3
    second = subprocess.run(
        [PLAY, "--port", str(free_port())],
        env={**os.environ, "PARLAY_VAR": str(playing.var)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 2
    assert "already running" in second.stderr
    assert playing.stop() == 0
    wait_for_end(family)

    again = Playing(tmp_path / "var")
    try:
        again.wait_until_open(60)
        assert Person(again.url).login("rep@demo.local").get(f"/deals/{game_id}/").status == 200
        family = again.started()
        assert again.stop(signal.SIGTERM) == 0
    finally:
        again.end()
    wait_for_end(family)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_what_is_killed_comes_back_and_the_table_goes_on(playing: Playing) -> None:
    playing.wait_until_open(200)
    playing.told_when_open()
    person = Person(playing.url).login("rep@demo.local")
    game_id = person.sit_down()
    for word, name in (
        (WEB, "web"),
        ("pages.sock", "pages"),
        ("valkey-server", "redis"),
        ("_worker.py worker", "worker"),
    ):
        victim = playing.part(word)
        os.kill(victim, signal.SIGKILL)
        assert f"{name} was killed" in playing.said(f"{name} was killed")
        playing.said(f"{name} is back")
        assert playing.part(word) != victim
        assert person.get(f"/deals/{game_id}/").status == 200, "signed in and dealt as before"
    os.kill(playing.part("_watchdog.py"), signal.SIGKILL)
    deadline = time.monotonic() + 60
    while not playing.parts("_watchdog.py"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    family = playing.started()
    assert playing.stop() == 0
    wait_for_end(family)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_server_that_hangs_is_replaced(tmp_path: Path) -> None:
    # Without the sample team: its worker would review that team's deals all the time that a hang is waited for.
    run = Playing(tmp_path / "var", "--no-demo")
    try:
        run.wait_until_open(200)
        run.told_when_open()
        os.kill(run.part(WEB), signal.SIGSTOP)
        run.said("web did not answer")
        run.said("web is back")
        assert Person(run.url).get("/").status == 200
    finally:
        run.end()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL], ids=lambda n: n.name)
def test_no_way_of_ending_leaves_an_orphan(playing: Playing, number: signal.Signals) -> None:
    """A closed terminal, Ctrl-\\, and a kill that nobody can answer."""
    playing.told_when_open()
    family = playing.started()
    assert len(family) >= 4
    playing.process.send_signal(number)
    playing.process.wait(60)
    wait_for_end(family)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_without_demo_there_are_no_public_passwords(tmp_path: Path) -> None:
    run = Playing(tmp_path / "var", "--no-demo")
    try:
        run.wait_until_open(200)
        person = Person(run.url)
        assert person.post("/guest/").status == 404
        person.post("/accounts/login/", login="rep@demo.local", password="parlay-demo")
        assert not person.cookie("sessionid")
    finally:
        assert run.stop() == 0


@pytest.mark.vllm
@pytest.mark.timeout(900)
def test_with_models_and_agents_beside_it_all_are_open_and_all_are_gone(tmp_path: Path) -> None:
    run = Playing(tmp_path / "var", "--with-models", "--with-agents")
    try:
        said = run.told_when_open()
        assert "a tiny untrained model" in said
        agents = re.search(r"OpenEnv at (http://\S+)", said)
        assert agents is not None
        with urllib.request.urlopen(f"{agents[1]}/health", timeout=5) as answer:  # noqa: S310
            assert answer.status == 200
        rep = Person(run.url).login("rep@demo.local")
        assert "In free words" in rep.get("/deals/new/").text
        staff = Person(run.url).login("admin@demo.local")
        assert 'data-state="up"' in staff.get("/models/").text
        family = run.started()
        os.kill(run.part("vllm.entrypoints.openai.api_server"), signal.SIGKILL)
        assert "strategists play on" in run.said("models was killed")
        assert Person(run.url).login("rep@demo.local").sit_down(), "the house goes on without it"
        run.said("models is back")
        family += run.started()
    finally:
        status = run.stop()
    assert status == 0
    wait_for_end(family)
