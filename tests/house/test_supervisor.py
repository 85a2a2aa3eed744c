"""What ``bin/play`` does for each of its parts, tried on small programs of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.servers import ROOT

sys.path.insert(0, str(ROOT / "bin"))
from _supervisor import GaveUp, Part, Supervisor

from parlay_web import silence

BEATS = """
import pathlib, sys, time
mark = pathlib.Path(sys.argv[1])
while True:
    mark.touch()
    time.sleep(0.02)
"""
"""A program that is well while it touches a file."""


def beating(name: str, folder: Path, program: str = BEATS, **options: Any) -> Part:
    mark = folder / f"{name}.mark"

    def healthy() -> bool:
        return mark.exists() and time.time() - mark.stat().st_mtime < 0.3

    options = {"probe_every": 0.05, **options}
    return Part(name, (sys.executable, "-c", program, str(mark)), healthy, **options)


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    supervisor = Supervisor(tmp_path / "log", dict(os.environ))
    yield supervisor
    supervisor.stop()


def until(supervisor: Supervisor, what: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        supervisor.check()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def child_of(word: str) -> list[int]:
    """Our children whose command line ends in ``word``."""
    found = []
    for child in psutil.Process().children(recursive=True):
        try:
            if child.status() != psutil.STATUS_ZOMBIE and child.cmdline()[-1:] == [word]:
                found.append(child.pid)
        except psutil.NoSuchProcess:
            continue
    return found


def test_a_part_that_dies_is_started_again_and_that_is_said(
    supervisor: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(beating("heart", tmp_path, without="nobody lives"))
    supervisor.wait("heart")
    (first,) = child_of(str(tmp_path / "heart.mark"))
    os.kill(first, signal.SIGKILL)
    told = ""

    def back() -> bool:
        nonlocal told
        told += capfd.readouterr().err
        return "heart is back after" in told

    until(supervisor, back)
    assert "heart was killed (signal 9); starting it again. Nobody lives." in told
    (second,) = child_of(str(tmp_path / "heart.mark"))
    assert second != first


def test_a_part_that_hangs_is_replaced(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start(beating("heart", tmp_path, hangs_after=2.0))
    supervisor.wait("heart")
    (first,) = child_of(str(tmp_path / "heart.mark"))
    os.kill(first, signal.SIGSTOP)
    until(supervisor, lambda: bool(child_of(str(tmp_path / "heart.mark"))) and not psutil.pid_exists(first))
    supervisor.wait("heart")


def test_a_loop_that_spins_is_replaced(supervisor: Supervisor, tmp_path: Path) -> None:
    program = """
import pathlib, sys, time
mark = pathlib.Path(sys.argv[1])
while not mark.with_name("spin").exists():
    mark.touch()
    time.sleep(0.02)
mark.with_name("spin").unlink()
while True:
    pass
"""
    part = beating("heart", tmp_path, program, beat=tmp_path / "heart.mark")
    # It answers whoever asks: only that its loop does not turn gives it away.
    part.healthy = (tmp_path / "heart.mark").exists
    supervisor.start(part)
    supervisor.wait("heart")
    (first,) = child_of(str(tmp_path / "heart.mark"))
    (tmp_path / "spin").touch()
    until(supervisor, lambda: first not in child_of(str(tmp_path / "heart.mark")))
    until(supervisor, lambda: len(child_of(str(tmp_path / "heart.mark"))) == 1)


@pytest.mark.skipif(not silence.told(), reason="this machine does not tell who waits for a processor")
def test_waiting_for_a_processor_is_no_silence_of_ones_own() -> None:
    """Seven who want the same core: six sevenths of its time each of them only stands in line."""
    core = {min(os.sched_getaffinity(0))}
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(7)]
    try:
        for each in busy:
            os.sched_setaffinity(each.pid, core)
        heard, began = silence.Silence(busy[0].pid), time.monotonic()
        while time.monotonic() - began < 6:
            own = heard.seconds(1.0)
            time.sleep(0.05)
        # The first half second is counted without looking closer.
        assert own < 0.4 * (time.monotonic() - began)
    finally:
        for each in busy:
            each.kill()
            each.wait()


def test_a_part_that_never_gets_well_is_given_up_with_the_end_of_its_log(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    program = "import sys; print('no such cellar'); print('the key is lost'); sys.exit(3)"
    (tmp_path / "log" / "wine.log").write_text("of another start\n")
    supervisor.start(beating("wine", tmp_path, program))
    with pytest.raises(GaveUp) as given_up:
        supervisor.wait("wine")
    said = str(given_up.value)
    assert "wine stopped with status 3 and can't be kept running" in said
    assert said.index("no such cellar") < said.index("the key is lost")
    assert "of another start" not in said


def test_a_part_that_keeps_dying_is_given_up_although_it_starts(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    program = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(0.2)"
    supervisor.start(beating("mayfly", tmp_path, program))
    with pytest.raises(GaveUp, match="mayfly stopped with status 0"):
        until(supervisor, lambda: False)


def test_without_a_part_that_is_not_needed_the_rest_goes_on(
    supervisor: Supervisor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(beating("heart", tmp_path))
    supervisor.start(beating("guest", tmp_path, "raise SystemExit(1)", needed=False, without="less is said"))
    supervisor.wait("heart", "guest")
    assert "Going on without it: less is said." in capfd.readouterr().err
    assert child_of(str(tmp_path / "heart.mark"))


def test_what_a_part_started_itself_ends_with_it(supervisor: Supervisor, tmp_path: Path) -> None:
    program = f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1] + ".child"])
{BEATS}
"""
    mark = str(tmp_path / "parent.mark")
    supervisor.start(beating("parent", tmp_path, program))
    supervisor.wait("parent")
    (parent,) = child_of(mark)
    (orphan,) = child_of(f"{mark}.child")
    os.kill(parent, signal.SIGKILL)
    until(supervisor, lambda: child_of(f"{mark}.child") not in ([], [orphan]))
    assert not psutil.pid_exists(orphan) or psutil.Process(orphan).status() == psutil.STATUS_ZOMBIE
    supervisor.stop()
    assert not child_of(f"{mark}.child")


def test_when_the_supervisor_is_killed_nothing_outlives_it(tmp_path: Path) -> None:
    """Nor anything that shrugs at a polite request."""
    program = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    mark = str(tmp_path / "stubborn")
    script = f"""
import pathlib, sys
sys.path.insert(0, {str(ROOT / "bin")!r})
from _supervisor import Part, Supervisor
keeper = Supervisor(pathlib.Path({str(tmp_path)!r}), {{}})
keeper.start(Part("stubborn", (sys.executable, "-c", {program!r}, {mark!r}), lambda: True))
keeper.wait("stubborn")
print("started", flush=True)
keeper.watch()
"""
    keeper = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert keeper.stdout is not None
    assert keeper.stdout.readline() == "started\n"
    family = [child.pid for child in psutil.Process(keeper.pid).children(recursive=True)]
    assert len(family) == 2, "the part and the watchdog"
    keeper.kill()
    keeper.wait()
    deadline = time.monotonic() + 60
    while any(psutil.pid_exists(pid) for pid in family):
        assert time.monotonic() < deadline
        time.sleep(0.05)
