"""What Parlay adds to a bare model server, per turn: time to the first word, time to the logged line, tokens a second.

    python -m bench.serving [--url URL --model NAME | --width 128 --layers 2] [--scale 1.0] [--output FILE]

Without --url a vLLM of its own is started (``.venv-serve``) on a model made on the spot. Tables play through the services,
with a database, Redis, the guard and drafts as in the product, and somebody who looks on; after each round the very same
questions are put to the server bare, at the same moments, by the same client library, read in the same way. Waits are
measured while the tables come to speak one after the other, as people do; tokens a second while all of them go on as soon
as they were answered. A narrated line is held by the server to one that the guard lets through, so that both sides
generate the same tokens; a negotiator's decisions are drawn by the schema without chance. Prefix caching is off, so that
the second to ask has no advantage. The added time is the median over turns of the paired differences.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import statistics
import sys
import tempfile
import time
import uuid
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

MANY = 32
PACED = {1: 50, MANY: 3}
"""Rounds of turns for each number of tables, where they come to speak one after the other."""
TOGETHER = {1: 6, MANY: 3}
"""Rounds where every table goes on as soon as it was answered, each of so many turns."""
TURNS_TOGETHER = 4
SEED = 40_000
GAP = 0.15
"""Seconds between the turns of two tables where they are paced: about half of what two cores can serve."""
FILLERS = (
    "I hear you, and I understand why you ask",
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
    """One turn of one table: what was asked for it, and what each side took, in seconds."""

    questions: list[Any]
    delay: float
    table: dict[str, float] = field(default_factory=dict)
    bare: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)


@dataclass
class Spent:
    """Wall time, and this process's own processor time, in seconds."""

    wall: float = 0.0
    own: float = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Add what passes inside."""
        began, worked = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - began
        self.own += time.process_time() - worked


@dataclass
class Round:
    """The turns of each table, and what each side took for all of them."""

    tables: list[list[Turn]] = field(default_factory=list)
    table: Spent = field(default_factory=Spent)
    bare: Spent = field(default_factory=Spent)


def line_for(question: Any) -> str:
    """A line that carries what the brief decided, another one on every turn."""
    told = question.messages[1]["content"]
    tasks = told.split("Say now:")[1].splitlines()
    figures = [word.strip(".,:") for part in tasks for word in part.split() if word.startswith("$")]
    number = zlib.crc32(told.encode())
    figure = f" {figures[-1]} is where I am." if figures else ""
    return f"{FILLERS[number % len(FILLERS)]}.{figure} {FILLERS[number // len(FILLERS) % len(FILLERS)]}."


class Tables:
    """So many games side by side, in process, each with somebody looking on as a socket does.

    Args:
        kind: who sits across, ``narrated`` or ``negotiator``.
    """

    def __init__(self, count: int, seed: int, kind: str) -> None:
        from accounts.models import User

        self.player, _ = User.objects.get_or_create(email="bench@example.com")
        self.kind, self.seed = kind, seed
        self.games = [self._sit_down() for _ in range(count)]

    def _sit_down(self) -> Any:
        from negotiation.services import game_create

        self.seed += 1
        return game_create(
            player=self.player, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=self.seed,
            opponent=self.kind,
        )  # fmt: skip

    def submit(self, place: int) -> Any:
        """The player's next move at a table; at a new one where the deal is over."""
        from negotiation.messages import ActData
        from negotiation.services import turn_submit

        game = self.games[place]
        game.refresh_from_db()
        if not game.is_live:
            game = self.games[place] = self._sit_down()
        act = ActData(
            text="What drives your timeline?", offer=190_000.0 - 500.0 * (game.turns + 1), card=None, claim=None,
            belief=None, challenge=None, event_estimate=None, confirmed=True,
        )  # fmt: skip
        turn_submit(game_id=game.id, player=self.player, action_id=uuid.uuid4(), act=act)
        return game

    async def paced(self, client: Any) -> Round:
        """Every player moves, then all tables are answered, one after the other."""
        from negotiation.pings import Wake, hub
        from negotiation.threads import in_database

        moved = [await in_database(self.submit, place) for place in range(len(self.games))]
        wakes = [(game.id, Wake()) for game in moved]
        for each in wakes:
            await hub().join(*each)
        speaking = [self._turn(client, game, GAP * place) for place, game in enumerate(moved)]
        round_ = Round([[turn] for turn in await asyncio.gather(*speaking)])
        for each in wakes:
            await hub().leave(*each)
        return round_

    async def together(self, client: Any, turns: int) -> Round:
        """Every table plays so many turns, each as soon as the one before is answered; the moves are part of it."""
        from negotiation.pings import Wake, hub
        from negotiation.threads import in_database

        async def one(place: int) -> list[Turn]:
            played = []
            for _ in range(turns):
                game = await in_database(self.submit, place)
                wake = Wake()
                await hub().join(game.id, wake)
                played.append(await self._turn(client, game, 0.0))
                await hub().leave(game.id, wake)
            return played

        round_ = Round()
        with round_.table.measured():
            round_.tables = list(await asyncio.gather(*(one(place) for place in range(len(self.games)))))
        return round_

    async def _turn(self, client: Any, game: Any, delay: float) -> Turn:
        from negotiation.answering import turn_resolve
        from negotiation.opponents.narrated import NarratedOpponent
        from negotiation.opponents.negotiator import NegotiatorOpponent

        await asyncio.sleep(delay)
        first: list[float] = []
        began = time.perf_counter()

        class Timed:
            """Notes when the first words are handed to the table."""

            instant = False
            across = (
                NarratedOpponent(client, client.model)
                if self.kind == "narrated"
                else NegotiatorOpponent(client, client.model, "brief")
            )

            async def reply(self, *, tell: Any, **more: Any) -> Any:
                def noted(text: str) -> None:
                    first.append(time.perf_counter() - began)
                    tell(text)

                return await self.across.reply(tell=noted, **more)

        await turn_resolve(game_id=game.id, opponent=Timed())
        total = time.perf_counter() - began
        asked = client.asked.pop(str(game.id), [])
        turn = Turn([question for question, _ in asked], delay)
        turn.table = {"first": first[0] if first else total, "total": total}
        turn.tokens["table"] = sum(said.tokens for _, said in asked)
        return turn


def recording_client(server: Any, model: str) -> Any:
    """A client that remembers what it was asked; a model that only speaks is held to a line."""
    from negotiation.opponents.client import ModelClient

    class Recording(ModelClient):
        def __init__(self) -> None:
            super().__init__(server)
            self.model = model
            self.asked: defaultdict[str, list[tuple[Any, Any]]] = defaultdict(list)

        async def ask(self, question: Any, **more: Any) -> Any:
            if question.schema is None:
                line = {"structured_outputs": {"choice": [line_for(question)]}}
                held = replace(question, extra=line)
            else:
                # Drawn alike for both sides; nothing else holds a decision to the same tokens.
                held = replace(question, seed=len(question.messages[-1]["content"]), temperature=0.0)
            said = await super().ask(held, **more)
            self.asked[question.table].append((held, said))
            return said

    return Recording()


async def bare(library: Any, round_: Round) -> None:
    """Put the same questions to the server without us, at the same moments, with the same client library."""
    from negotiation.opponents.chunks import chunk_of
    from negotiation.opponents.client import request_of

    async def one(turn: Turn) -> None:
        await asyncio.sleep(turn.delay)
        first, tokens = None, 0
        began = time.perf_counter()
        for question in turn.questions:
            asking = library.chat.completions.with_streaming_response.create(**request_of(question))
            async with asking as response:
                async for line in response.iter_lines():
                    chunk = chunk_of(line)
                    tokens += chunk.tokens or 0
                    if chunk.piece and first is None:
                        first = time.perf_counter() - began
        total = time.perf_counter() - began
        # A decision is shown once it is whole: there is no first word of it to compare.
        decision = any(question.schema is not None for question in turn.questions)
        turn.bare = {"first": total if decision or first is None else first, "total": total}
        turn.tokens["bare"] = tokens

    async def one_after_the_other(turns: list[Turn]) -> None:
        for turn in turns:
            await one(turn)

    with round_.bare.measured():
        await asyncio.gather(*(one_after_the_other(turns) for turns in round_.tables))


def waits(turns: list[Turn]) -> dict[str, Any]:
    """Medians in milliseconds and the paired differences, of the turns for which both sides heard as many tokens."""

    def middle(values: list[float]) -> float:
        return round(1000 * statistics.median(values), 2)

    paired = [turn for turn in turns if turn.questions and turn.tokens["table"] == turn.tokens["bare"]]
    told: dict[str, Any] = {"turns": len(turns), "with_the_same_tokens": len(paired)}
    for what in ("first", "total"):
        added = [turn.table[what] - turn.bare[what] for turn in paired]
        told[f"{what}_ms"] = {
            "bare_p50": middle([turn.bare[what] for turn in paired]),
            "table_p50": middle([turn.table[what] for turn in paired]),
            "added_p50": middle(added),
            "added_p50_ci95": [round(1000 * end, 2) for end in median_interval(added)],
            "added_p90": round(1000 * sorted(added)[int(0.9 * (len(added) - 1))], 2),
        }
    return told


def median_interval(values: list[float]) -> tuple[float, float]:
    """A distribution-free 95% interval of the median: order statistics of the binomial."""
    ordered, reach = sorted(values), 0.98 * math.sqrt(len(values))
    middle = len(values) / 2
    low, high = max(0, math.floor(middle - reach)), min(len(values) - 1, math.ceil(middle + reach))
    return ordered[low], ordered[high]


def rates(rounds: list[Round]) -> dict[str, Any]:
    """Tokens a second of each side, and the processor time that this process took for a turn."""
    turns = [turn for each in rounds for table in each.tables for turn in table]

    def of(side: str) -> tuple[float, float]:
        spent = [getattr(each, side) for each in rounds]
        tokens = sum(turn.tokens[side] for turn in turns)
        own = 1000 * sum(each.own for each in spent) / len(turns)
        return tokens / sum(each.wall for each in spent), own

    (table, table_own), (alone, alone_own) = of("table"), of("bare")
    return {
        "turns": len(turns),
        "without_an_answer": sum(not turn.questions for turn in turns),
        "tokens_per_second": {"table": round(table, 1), "bare": round(alone, 1)},
        "tokens_ratio": round(table / alone, 3),
        "own_cpu_ms_per_turn": {"table": round(table_own, 2), "bare": round(alone_own, 2)},
    }


async def rounds_of(url: str, model: str, kind: str, count: int, rounds: int, *, paced: bool) -> list[Round]:
    """Rounds of both ways by turns, so that whatever else the machine does falls on both alike; one more at first,
    which only warms up and is not told of."""
    import openai
    from asgiref.sync import sync_to_async

    from negotiation.opponents.client import Server

    client = recording_client(Server(url, turn_seconds=60.0, concurrency=64), model)
    library = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    seated = await sync_to_async(Tables)(count, SEED, kind)
    done: list[Round] = []
    for _ in range(rounds + 1):
        done.append(await (seated.paced(client) if paced else seated.together(client, TURNS_TOGETHER)))
        await bare(library, done[-1])
    await client.close()
    await library.close()
    return done[1:]


async def measure(url: str, model: str, scale: float) -> dict[str, Any]:
    """Waits of one table and of many that come to speak one after the other; tokens where all of them never rest."""
    found: dict[str, Any] = {}

    def kept(kind: str, what: str, told: dict[str, Any]) -> None:
        found.setdefault(kind, {})[what] = told
        print(f"{kind}, {what}: {json.dumps(told)}", file=sys.stderr)

    for kind in ("narrated", "negotiator"):
        for count, rounds in PACED.items():
            played = await rounds_of(url, model, kind, count, max(2, round(scale * rounds)), paced=True)
            kept(kind, f"tables_{count}", waits([turn for each in played for (turn,) in each.tables]))
        for count, rounds in TOGETHER.items():
            played = await rounds_of(url, model, kind, count, max(2, round(scale * rounds)), paced=False)
            kept(kind, f"never_resting_{count}", rates(played))
    return found


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Set the product up in a folder of its own and measure."""
    from bench.serving_stage import stage

    with (
        tempfile.TemporaryDirectory() as folder,
        stage(
            Path(folder), arguments.url, arguments.model, width=arguments.width, layers=arguments.layers
        ) as (url, model),
    ):
        import django

        os.environ.update(MODEL_URL=url, MODEL_NAME=model)
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from negotiation.threads import close_threads

        try:
            found = asyncio.run(measure(url, model, arguments.scale))
        finally:
            close_threads()
    return {
        "what": "added per turn by Parlay over the bare server; milliseconds, medians of paired differences",
        "targets": {"added_p50_ms": 15, "tokens_ratio": 0.95},
        "server": arguments.url
        or f"vLLM CPU build, a Qwen2 of random weights, width {arguments.width}, {arguments.layers} layers",
        "cores": os.cpu_count(),
        **found,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a running server, for example http://127.0.0.1:8001/v1")
    parser.add_argument("--model", default="base")
    parser.add_argument("--width", type=int, default=128, help="of the model made where --url names none")
    parser.add_argument("--layers", type=int, default=2, help="of that model")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="of the number of turns; 0.1 is a quick look"
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
