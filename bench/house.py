"""How long ``bin/play`` takes to open, cold and warm, and how long each of its parts is gone when it is killed.

``python -m bench.house``. Cold is a fresh clone of the present commit with the machine's caches of packages as they are;
warm is a start of the same folder. Seconds by the wall, so on a quiet machine only. A part's absence is what ``bin/play``
itself tells; of the web and of Redis also what somebody at the door saw.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.experiment import Figures, Given, experiment, option
from parlay_web.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "web": "parlay_web.standby",
    "pages": "--no-server-name -u",
    "redis": "valkey-server",
    "urgent": "_worker.py urgent",
    "worker": "_worker.py worker",
    "models": "api_server",
}
"""A part's name, and what stands in its command line."""


class House:
    """One run of ``bin/play`` in ``folder``, listened to."""

    def __init__(self, folder: Path, *options: str, environment: dict[str, str] | None = None) -> None:
        self.port = free_port()
        self.var = Path((environment or {}).get("PARLAY_VAR") or folder / "var")
        self.began = time.monotonic()
        unset = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("PARLAY_", "DJANGO_", "REDIS_", "PYTHON"))
        }
        self.process = subprocess.Popen(
            [str(folder / "bin" / "play"), "--port", str(self.port), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**unset, **(environment or {})},
        )
        self.said: list[tuple[float, str]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append((time.monotonic() - self.began, line.strip()))

    def wait_for(self, words: str, *, after: int = 0, seconds: float = 900) -> float:
        """When it said a line with these words, in seconds since its start."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for at, line in self.said[after:]:
                if words in line:
                    return at
            assert self.process.poll() is None, self.said
            time.sleep(0.01)
        raise TimeoutError(words, self.said)

    def answers(self) -> bool:
        """Whether it serves a page, however long a busy machine takes for the first."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=60) as page:
                return bool(page.status == 200)
        except OSError:
            return False

    def part(self, name: str) -> psutil.Process:
        """The process of a part; of the two for the web the one that serves."""
        if name == "web":
            return psutil.Process(int((self.var / "web.turn").read_text().split()[0]))
        (found,) = self._parts(name)
        return found

    def spares(self) -> list[psutil.Process]:
        """The other one, while there is one."""
        serving = self.part("web").pid
        return [each for each in self._parts("web") if each.pid != serving]

    def _parts(self, name: str) -> list[psutil.Process]:
        return [
            child
            for child in psutil.Process(self.process.pid).children()
            if child.status() != psutil.STATUS_ZOMBIE and PARTS[name] in " ".join(child.cmdline())
        ]

    def strike(self, part: str, number: int) -> float:
        """Send a part a signal that it does not outlive; how many seconds later it was back."""
        heard, began, victim = len(self.said), time.monotonic(), self.part(part)
        name = Path(victim.environ()["PARLAY_HEARTBEAT"]).stem if part == "web" else part
        victim.send_signal(number)
        self.wait_for(f"{name} is back", after=heard)
        return time.monotonic() - began

    def kill(self, part: str) -> float:
        """Kill a part as a machine would; for how many seconds it was gone, as it is told."""
        heard = len(self.said)
        self.strike(part, signal.SIGKILL)
        (line,) = [line for _, line in self.said[heard:] if " is back" in line]
        return float(re.findall(r"after ([\d.]+) s", line)[0])

    def stop(self) -> float:
        """End it as Ctrl-C does; how long that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        return time.monotonic() - began


@contextmanager
def clone() -> Iterator[Path]:
    """A fresh checkout of the present commit."""
    folder = Path(tempfile.mkdtemp(prefix="parlay-house-"))
    try:
        subprocess.run(["git", "clone", "-q", str(ROOT), str(folder / "parlay")], check=True)
        yield folder / "parlay"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def opened(folder: Path, *options: str) -> dict[str, Any]:
    """One start and stop: seconds until it said that it is open, and what it said on the way."""
    house = House(folder, *options)
    try:
        seconds = house.wait_for("Parlay is open at")
        assert house.answers()
    finally:
        ending = house.stop()
    return {
        "seconds": round(seconds, 2),
        "stop": round(ending, 2),
        "said": [(round(at, 2), line) for at, line in house.said],
    }


def killed(folder: Path, rounds: int, *options: str, parts: tuple[str, ...]) -> dict[str, list[float]]:
    """Seconds that each part was gone, in every round."""
    house = House(folder, *options)
    try:
        house.wait_for("Ctrl-C stops it")
        time.sleep(5)
        gone: dict[str, list[float]] = {part: [] for part in parts}
        for _ in range(rounds):
            for part in parts:
                gone[part].append(house.kill(part))
                # As many deaths in a minute as this would be are taken for a fault that restarts can't mend.
                time.sleep(20)
        assert house.answers()
    finally:
        house.stop()
    return gone


@experiment(
    "house.json",
    option("--rounds", type=int, default=3),
    option("--with-models", action="store_true", help="also with a model server: minutes, gigabytes"),
    option("--here", action="store_true", help="no clone: this folder, warm"),
)
def main(chosen: Given) -> Figures:
    found: dict[str, Any] = {}
    if chosen.here:
        found["warm"] = [opened(ROOT)["seconds"] for _ in range(chosen.rounds)]
        return found
    for _ in range(chosen.rounds):
        with clone() as folder:
            found.setdefault("cold", []).append(opened(folder))
            found.setdefault("warm", []).extend(opened(folder)["seconds"] for _ in range(3))
            if chosen.with_models:
                found.setdefault("cold_with_models", []).append(opened(folder, "--with-models"))
                found.setdefault("warm_with_models", []).append(opened(folder, "--with-models")["seconds"])
    with clone() as folder:
        found["gone"] = killed(folder, chosen.rounds, parts=("web", "redis", "worker"))
        if chosen.with_models:
            found["gone_with_models"] = killed(folder, 1, "--with-models", parts=("models",))
    return found


if __name__ == "__main__":
    main()
