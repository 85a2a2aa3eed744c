"""Do reviews slow the tables down?

    python -m bench.load [--tables 20] [--reviews 30] [--turns 12] [--rehearse] [--output bench/results/load.json]

A real server and a real worker on this machine. First the tables play alone; then they play while the worker
goes through a queue of reviews. The worker runs at low priority, as ``bin/play`` starts it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option
from bench.live import NO_THOUGHT, REHEARSED_TURNS, THINK_SECONDS, TURNS, summary, tables
from parlay_web.processes import die_with_parent
from tests.servers import ROOT, Stack

FINISH_GAMES = """
import asyncio, uuid
from accounts.models import User
from negotiation import answering, services
from negotiation.messages import ActData
rep = User.objects.get(email="rep@demo.local")
for number in range({count}):
    persona = ("shark", "diplomat", "veteran")[number % 3]
    game = services.game_create(player=rep, scenario="saas_enterprise", persona=persona, seat="seller")
    for turn in range({turns}):
        game.refresh_from_db()
        if not game.is_live:
            break
        act = ActData("What matters to you?", 185_000.0 - 2_500 * turn, None, None, None, None, None, True)
        services.turn_submit(game_id=game.pk, player=rep, action_id=uuid.uuid4(), act=act)
        asyncio.run(answering.turn_resolve(game_id=game.pk))
    game.refresh_from_db()
    if game.is_live:
        services.game_walk_away(game_id=game.pk, player=rep, action_id=uuid.uuid4())
        asyncio.run(answering.turn_resolve(game_id=game.pk))
"""


def finish_games(stack: Stack, count: int, turns: int) -> None:
    """Games that end without a worker to review them: their reviews wait in the queue."""
    stack.manage("shell", "-c", FINISH_GAMES.format(count=count, turns=turns))


def start_worker(stack: Stack, log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, str(ROOT / "bin" / "_worker.py")],
            cwd=ROOT,
            env=stack.environment,
            stdout=output,
            stderr=output,
            preexec_fn=die_with_parent,
        )


def wait_while(waiting: Callable[[], bool]) -> None:
    """Look again five times a second. Nothing else is under way in this process meanwhile."""
    while waiting():
        time.sleep(0.2)


def reviews(stack: Stack) -> dict[str, int]:
    return dict(stack.rows("SELECT status, COUNT(*) FROM coaching_movereview GROUP BY status"))


async def measure(
    count: int, queued: int, reviewed_turns: int, turns: int, think: tuple[float, float]
) -> dict[str, Any]:
    """``queued`` games of ``reviewed_turns`` wait to be reviewed while ``count`` tables play ``turns`` each."""
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Path(folder))
        worker: subprocess.Popen[bytes] | None = None
        try:
            stack.start()
            await tables(stack, min(4, count), turns, (0.0, 0.2))
            alone = summary(await tables(stack, count, turns, think))
            finish_games(stack, queued, reviewed_turns)
            waiting = reviews(stack)
            worker = start_worker(stack, Path(folder) / "worker.log")
            began = time.perf_counter()
            wait_while(lambda: not reviews(stack).get("running"))
            beside = summary(await tables(stack, count, turns, think))
            played = time.perf_counter() - began
            at_the_end = reviews(stack)
            wait_while(lambda: bool(set(reviews(stack)) & {"waiting", "running"}))
            rows = stack.rows("SELECT seconds, total FROM coaching_movereview WHERE status = 'done'")
            return {
                "tables": count,
                "reviews_queued": waiting,
                "alone": alone,
                "beside_reviews": beside,
                "p95_ratio": round(beside["p95_ms"] / alone["p95_ms"], 2),
                "reviews_when_play_ended": at_the_end,
                "play_seconds": round(played, 1),
                "reviews": {
                    "mean_moves": round(sum(row[1] for row in rows) / len(rows), 1),
                    "mean_seconds": round(sum(row[0] for row in rows) / len(rows), 2),
                    "longest_seconds": max(row[0] for row in rows),
                },
            }
        finally:
            if worker is not None:
                worker.terminate()
                worker.wait()
            stack.stop()


@experiment(
    "load.json",
    option("--tables", type=int, default=20),
    option("--reviews", type=int, default=30),
    option("--turns", type=int, default=12, help="of the games that are reviewed"),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    if chosen.rehearse:
        found = asyncio.run(measure(1, 1, REHEARSED_TURNS, REHEARSED_TURNS, NO_THOUGHT))
    else:
        found = asyncio.run(measure(chosen.tables, chosen.reviews, chosen.turns, TURNS, THINK_SECONDS))
    return found


if __name__ == "__main__":
    main()
