"""What ``bin/play`` keeps running: each part started, asked how it is, replaced when it dies or hangs, and ended.

A part is a process group of its own. Standard library only.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import _environment as setup

sys.path.insert(0, str(setup.ROOT))
from parlay_web import silence

TICK = 0.1
PROBE_EVERY = 2.0
GRACE = 8.0
"""How long a part may take to end when it is asked to."""
TRIES = 3
"""Starts in a row that come to nothing before we give up."""
RESTLESS, RESTLESS_SECONDS = 5, 60.0
"""As many ends within as many seconds are no accident either."""
LAST_LINES = 10
STOPPED_SECONDS = 0.5
"""A part that somebody stopped (SIGSTOP) is no slow one: so long it may be, to be moved or looked at."""
BEATS_WITHIN = 2.0 if silence.told() else 20.0
"""Seconds of its own that a part's event loop may take for one turn; by the clock where the machine does not tell them."""


@dataclass
class Part:
    """Something that is to run, and how to tell that it does."""

    name: str
    command: tuple[str, ...]
    healthy: Callable[[], bool]
    patience: float = 60.0
    """Seconds from a start to the first healthy answer."""
    hangs_after: float = 60.0
    """Seconds of its own without a healthy answer after which it is replaced."""
    probe_every: float = PROBE_EVERY
    """Seconds between two questions how it is."""
    beat: Path | None = None
    """The file that its event loop touches (``parlay_web.pulse``), once it has answered well."""
    needed: bool = True
    """Without it the house closes; without another part it plays on."""
    without: str = ""
    """What is so while it is gone, for the person at the keyboard."""
    given: bytes = b""
    """What it reads from its standard input; a command line can be read by everybody on the machine."""
    environment: Mapping[str, str] | None = None
    folder: Path = setup.ROOT
    inherits: tuple[int, ...] = ()
    """Open files that are handed down to it by their numbers."""


class GaveUp(setup.SetupError):
    """A part can't be kept running; with the last lines of its log."""


@dataclass
class _Running:
    """One part and its present process."""

    part: Part
    log: Path
    process: subprocess.Popen[bytes]
    log_start: int
    well: float | None = None
    """When it last answered well, by ``time.monotonic()``; None until the first time."""
    tries: int = 1
    ends: deque[float] = field(default_factory=lambda: deque(maxlen=RESTLESS))
    due: float | None = None
    """When it is to be started again."""
    down_since: float | None = None
    given_up: bool = False

    def __post_init__(self) -> None:
        self.watch()

    def watch(self) -> None:
        """Nothing was heard of the present process yet."""
        pid = self.process.pid
        self.answers, self.beats = silence.Silence(pid, quiet=TICK * 50), silence.Silence(pid)
        self.stopped = silence.Stopped(pid)

    def hangs(self) -> bool:
        """Whether it is silent for longer than it may, by its own time: what waits for a processor is only slow."""
        allowed = self.part.patience if self.well is None else self.part.hangs_after
        if self.stopped.seconds() > STOPPED_SECONDS or self.answers.seconds(self.well) > allowed:
            return True
        if self.well is None or self.part.beat is None:
            return False
        return self.beats.seconds(silence.beaten(self.part.beat)) > BEATS_WITHIN


class Supervisor:
    """Starts parts in the order they come, watches all of them, ends them in reverse."""

    def __init__(self, logs: Path, environment: Mapping[str, str]) -> None:
        self.logs = logs
        self.logs.mkdir(parents=True, exist_ok=True)
        self.environment = environment
        self._running: dict[str, _Running] = {}
        self._ending = threading.Event()
        self._watchdog = _Watchdog()

    def start(self, part: Part) -> None:
        """Start it, without waiting; ``wait`` does that."""
        log = self.logs / f"{part.name}.log"
        running = _Running(part, log, *self._launch(part, log))
        self._running[part.name] = running
        threading.Thread(target=self._probe, args=(running,), name=part.name, daemon=True).start()

    def wait(self, *names: str, progress: Callable[[float], None] | None = None) -> None:
        """Until all of those answer well. ``progress`` hears of the seconds gone by, about once in each."""
        began = told = time.monotonic()
        while not all(self._running[name].well or self._running[name].given_up for name in names):
            self.check()
            if progress is not None and time.monotonic() - told >= 1:
                told = time.monotonic()
                progress(told - began)
            time.sleep(TICK / 2)

    def check(self) -> None:
        """One look at everybody: what ended or hangs is ended for good and started again. Raises ``GaveUp``."""
        self._watchdog.check(self._groups())
        for running in self._running.values():
            if running.given_up:
                continue
            if running.due is not None:
                if time.monotonic() >= running.due:
                    self._restart(running)
                continue
            status = running.process.poll()
            if status is not None:
                self._ended(running, _how(status))
            elif running.hangs():
                self._ended(running, "did not answer")
            elif running.well and running.down_since is not None:
                setup.say(f"{running.part.name} is back after {time.monotonic() - running.down_since:.1f} s.")
                running.down_since, running.tries = None, 1

    def watch(self) -> None:
        """Until somebody interrupts, or a part is given up that cannot be done without."""
        while True:
            self.check()
            time.sleep(TICK)

    def stop(self) -> None:
        """End everybody, the last first."""
        self._ending.set()
        for running in reversed(list(self._running.values())):
            if running.process.poll() is None:
                _signal(running.process.pid, signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    running.process.wait(GRACE)
            self._bury(running)
        self._running.clear()
        self._watchdog.stop()

    def _launch(self, part: Part, log: Path) -> tuple[subprocess.Popen[bytes], int]:
        start = log.stat().st_size if log.exists() else 0
        with log.open("ab") as out:
            process = subprocess.Popen(
                part.command,
                cwd=part.folder,
                env=dict(part.environment if part.environment is not None else self.environment),
                stdin=subprocess.PIPE if part.given else subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                pass_fds=part.inherits,
            )
        self._watchdog.add(process.pid)
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(part.given)
                process.stdin.close()
        return process, start

    def _probe(self, running: _Running) -> None:
        """In a thread of the part's own: what hangs may keep its questioner waiting, and nobody else."""
        while not self._ending.is_set():
            process = running.process
            if running.due is None and process.poll() is None:
                asked = time.monotonic()
                if running.part.healthy() and running.process is process:
                    running.well = max(asked, running.well or 0.0)
            self._ending.wait(running.part.probe_every if running.well else TICK / 2)

    def _ended(self, running: _Running, how: str) -> None:
        """Bury what is left of its group and say when it comes back, unless it never does."""
        part, came_up = running.part, running.well is not None
        self._bury(running)
        running.ends.append(time.monotonic())
        restless = len(running.ends) == RESTLESS and running.ends[-1] - running.ends[0] < RESTLESS_SECONDS
        if restless or (not came_up and running.tries >= TRIES):
            self._give_up(running, how)
            return
        if came_up:
            running.tries = 0
        running.down_since = running.down_since or time.monotonic()
        running.well = None
        running.due = time.monotonic() + (2.0 ** (running.tries - 1) if running.tries else 0.0)
        also = f" {part.without[:1].upper()}{part.without[1:]}." if part.without else ""
        setup.say(f"{part.name} {how}; starting it again.{also}")

    def _restart(self, running: _Running) -> None:
        running.due, running.well = None, None
        running.tries += 1
        running.process, running.log_start = self._launch(running.part, running.log)
        running.watch()

    def _give_up(self, running: _Running, how: str) -> None:
        running.given_up = True
        said = f"{running.part.name} {how} and can't be kept running; the end of {running.log}:"
        lines = [said, *(f"  {line}" for line in _last_lines(running.log, running.log_start))]
        if running.part.needed:
            raise GaveUp("\n".join(lines))
        setup.say(
            "\n".join([*lines, f"  Going on without it: {running.part.without or 'nothing else needs it'}."])
        )

    def _bury(self, running: _Running) -> None:
        """Nothing of its group is to stay: a worker's clock, an engine behind its front."""
        _signal(running.process.pid, signal.SIGKILL)
        running.process.wait()
        self._watchdog.remove(running.process.pid)

    def _groups(self) -> list[int]:
        return [each.process.pid for each in self._running.values() if each.due is None and not each.given_up]


class _Watchdog:
    """A process that ends all groups when we are gone, whatever ended us."""

    def __init__(self) -> None:
        self._process, self._words = self._launch()

    def add(self, group: int) -> None:
        self._tell(f"+{group}")

    def remove(self, group: int) -> None:
        self._tell(f"-{group}")

    def check(self, groups: list[int]) -> None:
        """Another one where somebody killed it."""
        if self._process.poll() is not None:
            self._process, self._words = self._launch()
            for group in groups:
                self.add(group)

    def stop(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._words.close()
        self._process.wait()

    def _launch(self) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        its_end, our_end = os.pipe()
        # By the Python that runs us: there may be no environment yet.
        command = [sys.executable, "-IS", str(Path(__file__).with_name("_watchdog.py"))]
        process = subprocess.Popen(command, stdin=its_end, stdout=subprocess.DEVNULL, start_new_session=True)
        os.close(its_end)
        return process, os.fdopen(our_end, "wb")

    def _tell(self, word: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._words.write(f"{word}\n".encode())
            self._words.flush()


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _how(status: int) -> str:
    return f"was killed (signal {-status})" if status < 0 else f"stopped with status {status}"


def _last_lines(log: Path, start: int) -> list[str]:
    """The end of what it wrote since its last start."""
    with log.open("rb") as file:
        file.seek(start)
        return file.read().decode(errors="replace").strip().splitlines()[-LAST_LINES:]
