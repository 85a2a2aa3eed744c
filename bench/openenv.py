"""How fast are the tables for agents? Steps a second over loopback, beside the least that OpenEnv can cost.

    .venv-train/bin/python -m bench.openenv [--seconds 1] [--rounds 9] [--output bench/results/openenv.json]

"trivial" is an environment that counts to twenty, served by the ``openenv`` library as it installs itself, in one process;
"trivial_equal" is the same with what ours has: the event loop uvloop, and a process for each core. "deal" is ours, without
a limit on a guest's rate. All are driven by the same bare sockets, which send actions prepared in advance and read the
answers, so that the figures are of the servers. "tables" is our own client with everything a learner gets, "local" the
same deals in this process. Server and driver share the machine's cores. Turns are short and alternate, so that whatever
else the machine does hits all alike; the median is kept, of the shares too, each taken within its round. The processor time
that a server spends on a step is kept as well, and the steps that a second of it buys: they say what a server costs,
whatever else the machine is doing and however many processes it has.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import count
from typing import Any

import psutil
import websockets

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import ActionRefused, personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.wire import to_json
from negotiation.openenv.client import RemoteTables
from negotiation.openenv.tables import LocalTables, Setup, Tables
from negotiation.openenv.workers import default_workers

SESSIONS = (1, 8, 32, 64)
RECORDED = 96
TRIVIAL_TURNS = 20
OBSERVATION = '{"type":"observation"'
DEAL = ("-m", "negotiation.openenv", "--port", "0", "--rate", "1000000")
Episode = list[str]
"""Frames to send, from reset to the last step."""
Rounds = dict[str, dict[int, list[float]]]
"""By what was measured and by number of sessions, a figure for each round."""

TRIVIAL = """
import sys, uvicorn
from negotiation.openenv.workers import listen, run
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

class Trivial(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True
    def __init__(self):
        super().__init__()
        self.count = 0
    def reset(self, seed=None, episode_id=None, **_):
        self.count = 0
        return Observation()
    def step(self, action, timeout_s=None, **_):
        self.count += 1
        return Observation(reward=1.0, done=self.count >= 20)
    @property
    def state(self):
        return State(step_count=self.count)

app = create_fastapi_app(Trivial, Action, Observation, max_concurrent_envs=256)
config = uvicorn.Config(app, log_level="warning", access_log=False, loop=sys.argv[2])
listening = listen("127.0.0.1", int(sys.argv[1]), int(sys.argv[3]))
sys.exit(run(lambda each: uvicorn.Server(config).run(sockets=[each]), listening))
"""


def setups(number: int, *, speak: bool) -> list[Setup]:
    """A mixture of all deals, personas and seats."""
    where, who, seats = list(scenarios()), list(personas()), ("seller", "buyer")
    return [
        Setup(seed, where[seed % len(where)], who[seed % len(who)], seats[seed % 2], speak=speak)
        for seed in range(number)
    ]


def play(tables: Tables, deals: list[Setup]) -> tuple[list[list[Any]], float]:
    """Linear concession at all tables until the last has ended; the actions, and the seconds spent in the tables."""
    players, rngs = [], []
    for deal in deals:
        players.append(STRATEGIES["linear"]())
        players[-1].told(scenarios()[deal.scenario])
        rngs.append(stream(deal.seed, "player"))
    started = time.perf_counter()
    turns = dict(enumerate(tables.reset(deals)))
    spent = time.perf_counter() - started
    done: list[list[Any]] = [[] for _ in deals]
    while turns:
        actions = {table: players[table].act(turn.observation, rngs[table]) for table, turn in turns.items()}
        started = time.perf_counter()
        answers = tables.step(actions)
        spent += time.perf_counter() - started
        for table, action in actions.items():
            done[table].append(action)
        turns = {
            table: turn
            for table, turn in answers.items()
            if not (isinstance(turn, ActionRefused) or turn.done)
        }
    return done, spent


def recorded(*, speak: bool) -> list[Episode]:
    """Whole episodes of the deal as frames, to be played again."""
    deals = setups(RECORDED, speak=speak)
    with LocalTables() as tables:
        played, _ = play(tables, deals)
    return [
        [
            json.dumps({"type": "reset", "data": to_json(deal)}),
            *(json.dumps({"type": "step", "data": to_json(action)}) for action in actions),
        ]
        for deal, actions in zip(deals, played, strict=True)
    ]


def trivial_episodes() -> list[Episode]:
    return [[json.dumps({"type": "reset"}), *[json.dumps({"type": "step", "data": {}})] * TRIVIAL_TURNS]]


async def drive(url: str, episodes: list[Episode], sessions: int, seconds: float) -> float:
    """Steps a second of ``sessions`` sockets that play the episodes over and over; resets take time and do not count."""
    numbers, steps = count(), 0
    lines = [
        await websockets.connect(f"{url.replace('http', 'ws', 1)}/ws", proxy=None, compression=None)
        for _ in range(sessions)
    ]

    async def one(line: websockets.ClientConnection) -> None:
        nonlocal steps
        while time.perf_counter() < ends:
            for frame in episodes[next(numbers) % len(episodes)]:
                await line.send(frame)
                answer = await line.recv()
                if not (isinstance(answer, str) and answer.startswith(OBSERVATION)):
                    raise RuntimeError(f"the server refused: {answer!r}")
                steps += 1
                if time.perf_counter() >= ends:
                    return
            steps -= 1  # the reset

    started = time.perf_counter()
    ends = started + seconds
    await asyncio.gather(*(one(line) for line in lines))
    elapsed = time.perf_counter() - started
    await asyncio.gather(*(line.close() for line in lines))
    return steps / elapsed


@dataclass(frozen=True)
class Server:
    """A server in a process of its own, and its workers."""

    url: str
    process: psutil.Process

    def cpu_seconds(self) -> float:
        """Processor time spent so far."""
        every = [self.process, *self.process.children(recursive=True)]
        return sum(sum(each.cpu_times()[:2]) for each in every)


@contextmanager
def server(*command: str) -> Iterator[Server]:
    """Start a server, and give it once it answers."""
    process = subprocess.Popen([sys.executable, *command], stderr=subprocess.PIPE, text=True)
    try:
        yield Server(_address(process, command), psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(10)


def _address(process: subprocess.Popen[str], command: tuple[str, ...]) -> str:
    if command[0] == "-c":
        url = f"http://127.0.0.1:{command[2]}"
    else:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        url = found[0] if found else ""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            asyncio.run(drive(url, [[]], 1, 0.0))
        except OSError:
            time.sleep(0.2)
        else:
            return url
    raise RuntimeError(f"the server did not start: {command[:2]}")


def through_tables(tables: Tables, sessions: int, seconds: float) -> float:
    """Steps a second for a learner with ``sessions`` deals side by side; its own thinking is not counted."""
    steps, spent = 0, 0.0
    while spent < seconds:
        actions, took = play(tables, setups(sessions, speak=True))
        steps, spent = steps + sum(map(len, actions)), spent + took
    return steps / spent


def measure(seconds: float, rounds: int, port: int) -> dict[str, Any]:
    """All figures: the median over the rounds, and every round's."""
    kinds = {
        "trivial": trivial_episodes(),
        "trivial_equal": trivial_episodes(),
        "deal": recorded(speak=True),
        "deal_without_words": recorded(speak=False),
    }
    speed: Rounds = {kind: {n: [] for n in SESSIONS} for kind in (*kinds, "tables", "local")}
    cost: Rounds = {kind: {n: [] for n in SESSIONS} for kind in kinds}
    with (
        server("-c", TRIVIAL, str(port), "asyncio", "1") as trivial,
        server("-c", TRIVIAL, str(port + 1), "uvloop", str(default_workers())) as equal,
        server(*DEAL) as deal,
    ):
        servers = {"trivial": trivial, "trivial_equal": equal}
        for _ in range(rounds):
            for sessions in SESSIONS:
                for kind, episodes in kinds.items():
                    served = servers.get(kind, deal)
                    before = served.cpu_seconds()
                    rate = asyncio.run(drive(served.url, episodes, sessions, seconds))
                    speed[kind][sessions].append(rate)
                    cost[kind][sessions].append((served.cpu_seconds() - before) / (rate * seconds) * 1e6)
                with RemoteTables(deal.url) as remote, LocalTables() as local:
                    speed["tables"][sessions].append(through_tables(remote, sessions, seconds))
                    speed["local"][sessions].append(through_tables(local, sessions, seconds))
    bought: Rounds = {
        kind: {n: [1e6 / each for each in row] for n, row in by.items()} for kind, by in cost.items()
    }
    return {
        "processes": {"trivial": 1, "trivial_equal": default_workers(), "deal": default_workers()},
        "steps_per_second": _medians(speed),
        "share_of_trivial": _shares(speed, "trivial"),
        "share_of_trivial_equal": _shares(speed, "trivial_equal"),
        "server_cpu_microseconds_per_step": _medians(cost),
        "steps_per_server_cpu_second": _medians(bought),
        "share_of_trivial_equal_per_cpu_second": _shares(bought, "trivial_equal"),
        "rounds": speed,
        "rounds_of_cpu": cost,
    }


def _shares(speed: Rounds, of: str) -> dict[str, dict[int, float]]:
    """Ours over that of the environment ``of``, round by round."""
    return _medians(
        {
            kind: {
                n: [ours / least for ours, least in zip(speed[kind][n], speed[of][n], strict=True)]
                for n in SESSIONS
            }
            for kind in ("deal", "deal_without_words")
        }
    )


def _medians(rows: Rounds) -> dict[str, dict[int, float]]:
    return {kind: {n: statistics.median(v) for n, v in by.items()} for kind, by in rows.items()}


@experiment(
    "openenv.json",
    option("--seconds", type=float, default=1.0),
    option("--rounds", type=int, default=9),
    option("--port", type=int, default=18190, help="for the trivial environment"),
    told=False,
)
def main(chosen: Given) -> Figures:
    result = {
        "versions": {name: version(name) for name in ("openenv", "uvicorn", "uvloop", "websockets")},
        "seconds": chosen.seconds,
        **measure(chosen.seconds, chosen.rounds, chosen.port),
    }
    for kind, rows in result["steps_per_second"].items():
        print(f"{kind:20s}" + "".join(f"{value:10,.0f}" for value in rows.values()))
    for share in (
        "share_of_trivial",
        "share_of_trivial_equal",
        "share_of_trivial_equal_per_cpu_second",
    ):
        print(share)
        for kind, rows in result[share].items():
            print(f"{kind:20s}" + "".join(f"{value:10.0%}" for value in rows.values()))
    for kind, rows in result["server_cpu_microseconds_per_step"].items():
        print(f"{kind:20s}" + "".join(f"{value:8.0f}us" for value in rows.values()))
    return result


if __name__ == "__main__":
    main()
