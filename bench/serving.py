"""What Parlay adds to a bare model server, per turn: time to the first word, time to the logged line, tokens a second.

    python -m bench.serving [--url URL --model NAME] [--turns 6] [--rounds 3] [--output bench/results/serving.json]

Without --url a vLLM of its own is started (``.venv-serve``) on a model made on the spot. Tables play narrated games
through the services, with a database, Redis, the guard and drafts as in the product; then the very same questions are
put to the server bare, with the same client library, at the same moments. Waits are measured while the tables come to
speak one after the other, as people do; tokens a second while all of them speak at once. What the model says is held
by the server to a line that the guard lets through, so that both sides generate the same tokens; prefix caching is
off, so that the second to ask has no advantage. The added time is the median over turns of the paired differences.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

TABLES = (1, 32)
SEED = 40_000
GAP = 0.15
"""Seconds between the turns of two tables where they are paced: about half of what two cores can serve."""
FILLERS = (
    "I hear you, and I take it seriously",
    "Let me answer that as plainly as I can",
    "I have looked at it from your side as well",
    "That is a fair thing to ask of me",
    "We are both here because it makes sense",
    "I would rather be clear than clever today",
    "My people will ask me about this later",
    "There is a good reason for where I stand",
)


@dataclass
class Turn:
    """One question of one table, and what each side took for it, in seconds."""

    question: Any
    delay: float
    table: dict[str, float] = field(default_factory=dict)
    bare: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)


def line_for(question: Any) -> str:
    """A line that carries what the brief decided, another one on every turn."""
    told = question.messages[1]["content"]
    tasks = told.split("Say now:")[1].splitlines()
    figures = [word.strip(".,:") for part in tasks for word in part.split() if word.startswith("$")]
    number = told.count("You: ") + told.count("Them: ")
    figure = f" {figures[-1]} is where I am." if figures else ""
    return f"{FILLERS[number % len(FILLERS)]}.{figure} {FILLERS[(number * 3 + 1) % len(FILLERS)]}."


class Tables:
    """So many games side by side, in process."""

    def __init__(self, count: int, seed: int) -> None:
        from accounts.models import User
        from negotiation.services import game_create

        self.player, _ = User.objects.get_or_create(email="bench@example.com")
        self.games = [
            game_create(
                player=self.player, scenario="saas_enterprise", persona="diplomat", seat="seller",
                seed=seed + number, opponent="narrated",
            )
            for number in range(count)
        ]  # fmt: skip

    def submit(self, game: Any, turn: int) -> None:
        """The player's move on a turn."""
        from negotiation.messages import ActData
        from negotiation.services import turn_submit

        act = ActData(
            text="What drives your timeline?", offer=190_000.0 - 500.0 * turn, card=None, claim=None, belief=None,
            challenge=None, event_estimate=None, confirmed=True,
        )  # fmt: skip
        turn_submit(game_id=game.id, player=self.player, action_id=uuid.uuid4(), act=act)

    async def play(self, client: Any, turns: int, *, paced: bool) -> tuple[list[list[Turn]], float, float]:
        """Round by round: every player moves, then all tables are answered, one after the other or all at once.

        Returns:
            The turns of each round, the wall time of the answering, and this process's own time of it.
        """
        from negotiation.threads import in_database

        rounds, wall, own = [], 0.0, 0.0
        for number in range(1, turns + 1):
            for game in self.games:
                await in_database(self.submit, game, number)
            began, worked = time.perf_counter(), time.process_time()
            speaking = [
                self._turn(client, game, GAP * place if paced else 0.0)
                for place, game in enumerate(self.games)
            ]
            rounds.append(list(await asyncio.gather(*speaking)))
            wall += time.perf_counter() - began
            own += time.process_time() - worked
        return rounds, wall, own

    async def _turn(self, client: Any, game: Any, delay: float) -> Turn:
        from negotiation.answering import turn_resolve
        from negotiation.opponents.narrated import NarratedOpponent

        await asyncio.sleep(delay)
        first: list[float] = []
        began = time.perf_counter()

        class Timed(NarratedOpponent):
            """Notes when the first words are handed to the table."""

            async def reply(self, *, tell: Any, **more: Any) -> Any:
                def noted(text: str) -> None:
                    first.append(time.perf_counter() - began)
                    tell(text)

                return await super().reply(tell=noted, **more)

        await turn_resolve(game_id=game.id, opponent=Timed(client, client.model))
        total = time.perf_counter() - began
        question, said = client.asked.pop(str(game.id))
        turn = Turn(question, delay)
        turn.table = {"first": first[0] if first else total, "total": total}
        turn.tokens["table"] = said.tokens
        return turn


def recording_client(server: Any, model: str) -> Any:
    """A client whose model is held to a line, and which remembers what it was asked."""
    from negotiation.opponents.client import ModelClient

    class Recording(ModelClient):
        def __init__(self) -> None:
            super().__init__(server)
            self.model = model
            self.asked: dict[str, tuple[Any, Any]] = {}

        async def ask(self, question: Any, **more: Any) -> Any:
            held = replace(question, extra={"structured_outputs": {"choice": [line_for(question)]}})
            said = await super().ask(held, **more)
            self.asked[question.table] = (held, said)
            return said

    return Recording()


async def bare(url: str, rounds: list[list[Turn]]) -> float:
    """Put the same questions to the server without us, at the same moments; the wall time."""
    import openai

    library = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)

    async def one(turn: Turn) -> None:
        await asyncio.sleep(turn.delay)
        asked, first, tokens = turn.question, None, 0
        began = time.perf_counter()
        stream = await library.chat.completions.create(
            model=asked.model, messages=list(asked.messages), max_tokens=asked.max_tokens,
            temperature=asked.temperature, stream=True, stream_options={"include_usage": True},
            extra_body=asked.extra,
        )  # fmt: skip
        async for chunk in stream:
            if chunk.usage is not None:
                tokens = chunk.usage.completion_tokens
            if chunk.choices and chunk.choices[0].delta.content and first is None:
                first = time.perf_counter() - began
        total = time.perf_counter() - began
        turn.bare = {"first": first if first is not None else total, "total": total}
        turn.tokens["bare"] = tokens

    wall = 0.0
    for turns in rounds:
        began = time.perf_counter()
        await asyncio.gather(*(one(turn) for turn in turns))
        wall += time.perf_counter() - began
    await library.close()
    return wall


def waits(turns: list[Turn]) -> dict[str, Any]:
    """Medians in milliseconds and the paired differences."""

    def middle(values: list[float]) -> float:
        return round(1000 * statistics.median(values), 2)

    told: dict[str, Any] = {"turns": len(turns)}
    for what in ("first", "total"):
        added = [turn.table[what] - turn.bare[what] for turn in turns]
        told[f"{what}_ms"] = {
            "bare_p50": middle([turn.bare[what] for turn in turns]),
            "table_p50": middle([turn.table[what] for turn in turns]),
            "added_p50": middle(added),
            "added_p90": round(1000 * sorted(added)[int(0.9 * (len(added) - 1))], 2),
        }
    told["same_tokens"] = all(turn.tokens["table"] == turn.tokens["bare"] for turn in turns)
    return told


@dataclass
class Side:
    """What a number of tables took in one way of speaking, over all repetitions."""

    turns: list[Turn] = field(default_factory=list)
    table_wall: float = 0.0
    bare_wall: float = 0.0
    own: float = 0.0


async def sides(url: str, model: str, count: int, turns: int, repeat: int, *, paced: bool) -> Side:
    """Both ways in turns, as often as asked; the first time only warms everything up."""
    from asgiref.sync import sync_to_async

    from negotiation.opponents.client import Server

    side = Side()
    for number in range(repeat + 1):
        client = recording_client(Server(url, turn_seconds=60.0, concurrency=64), model)
        tables = await sync_to_async(Tables)(count, SEED + 1_000 * number)
        played, wall, own = await tables.play(client, turns, paced=paced)
        bare_wall = await bare(url, played)
        await client.close()
        if number:
            side.turns += [turn for one in played for turn in one]
            side.table_wall, side.bare_wall = side.table_wall + wall, side.bare_wall + bare_wall
            side.own += own
    return side


async def measure(url: str, model: str, turns: int, repeat: int) -> dict[str, Any]:
    """Waits for each number of tables, and the rate of tokens where all of them speak at once."""
    found: dict[str, Any] = {}
    for count in TABLES:
        side = await sides(url, model, count, turns, repeat * (10 if count == 1 else 1), paced=True)
        found[f"tables_{count}"] = waits(side.turns)
        print(f"{count} tables: {json.dumps(found[f'tables_{count}'])}", file=sys.stderr)
    full = await sides(url, model, TABLES[-1], turns, repeat, paced=False)
    rate = {
        "table": sum(turn.tokens["table"] for turn in full.turns) / full.table_wall,
        "bare": sum(turn.tokens["bare"] for turn in full.turns) / full.bare_wall,
    }
    found["at_once"] = {
        "tables": TABLES[-1],
        "tokens_per_second": {side: round(value, 1) for side, value in rate.items()},
        "tokens_ratio": round(rate["table"] / rate["bare"], 3),
        "own_cpu_ms_per_turn": round(1000 * full.own / len(full.turns), 2),
    }
    return found


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Set the product up in a folder of its own and measure."""
    from bench.serving_stage import stage

    with (
        tempfile.TemporaryDirectory() as folder,
        stage(Path(folder), arguments.url, arguments.model) as (url, model),
    ):
        import django

        os.environ.update(MODEL_URL=url, MODEL_NAME=model)
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from negotiation.threads import close_threads

        try:
            found = asyncio.run(measure(url, model, arguments.turns, arguments.rounds))
        finally:
            close_threads()
    return {
        "what": "added per turn by Parlay over the bare server; milliseconds, medians of paired differences",
        "targets": {"added_p50_ms": 15, "tokens_ratio": 0.95},
        "server": arguments.url or "vLLM CPU build, a Qwen2 of random weights made on the spot, one process",
        "cores": os.cpu_count(),
        **found,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a running server, for example http://127.0.0.1:8001/v1")
    parser.add_argument("--model", default="base")
    parser.add_argument("--turns", type=int, default=6, help="turns of each game")
    parser.add_argument(
        "--rounds", type=int, default=3, help="repetitions; games of a single table are ten times as many"
    )
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    result = json.dumps(run(arguments), indent=2)
    if arguments.output:
        arguments.output.write_text(result + "\n", encoding="utf-8")
    print(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
