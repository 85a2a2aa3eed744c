"""The two ways to the model server that ``bench.serving`` compares: through a table of Parlay's, and bare."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import defaultdict
from dataclasses import replace
from typing import Any

from bench.serving_figures import Round, Turn
from bench.serving_stage import Served
from bench.serving_words import line_for, player_text


class Tables:
    """So many games side by side, in process, each with somebody looking on as a socket does.

    Args:
        kind: who sits across, ``narrated`` or ``negotiator``.
        client: of :func:`recording_client`.
    """

    def __init__(self, count: int, seed: int, kind: str, client: Any) -> None:
        from accounts.models import User

        self.player, _ = User.objects.get_or_create(email="bench@example.com")
        self.kind, self.seed, self.client = kind, seed, client
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
            text=player_text(game.seed, game.turns), offer=190_000.0 - 500.0 * (game.turns + 1), card=None, claim=None,
            belief=None, challenge=None, event_estimate=None, confirmed=True,
        )  # fmt: skip
        turn_submit(game_id=game.id, player=self.player, action_id=uuid.uuid4(), act=act)
        return game

    async def paced(self, gap: float) -> Round:
        """Every player moves, then all tables are answered, ``gap`` seconds one after the other."""
        from negotiation.table.pings import Wake, hub
        from negotiation.table.threads import in_database

        moved = [await in_database(self.submit, place) for place in range(len(self.games))]
        wakes = [(game.id, Wake()) for game in moved]
        for each in wakes:
            await hub().join(*each)
        speaking = [self._turn(game, gap * place) for place, game in enumerate(moved)]
        round_ = Round([[turn] for turn in await asyncio.gather(*speaking)])
        for each in wakes:
            await hub().leave(*each)
        return round_

    async def together(self, turns: int, served: Served) -> Round:
        """Every table plays so many turns, each as soon as the one before is answered; the moves are part of it."""
        from negotiation.table.pings import Wake, hub
        from negotiation.table.threads import in_database

        async def one(place: int) -> list[Turn]:
            played = []
            for _ in range(turns):
                game = await in_database(self.submit, place)
                wake = Wake()
                await hub().join(game.id, wake)
                played.append(await self._turn(game, 0.0))
                await hub().leave(game.id, wake)
            return played

        round_ = Round()
        with round_.table.measured(served.seconds):
            round_.tables = list(await asyncio.gather(*(one(place) for place in range(len(self.games)))))
        return round_

    async def _turn(self, game: Any, delay: float) -> Turn:
        from negotiation.answering import turn_resolve
        from negotiation.opponents.narrated import NarratedOpponent
        from negotiation.opponents.negotiator import NegotiatorOpponent

        await asyncio.sleep(delay)
        client, first, why = self.client, [], []
        across = (
            NarratedOpponent(client, client.model)
            if self.kind == "narrated"
            else NegotiatorOpponent(client, client.model, "brief")
        )
        began = time.perf_counter()

        class Timed:
            """Notes when the first words are handed to the table, and why a stand-in spoke."""

            instant = False

            async def reply(self, *, tell: Any, **more: Any) -> Any:
                def noted(text: str) -> None:
                    first.append(time.perf_counter() - began)
                    tell(text)

                answer = await across.reply(tell=noted, **more)
                if answer.stand_in and answer.account:
                    why.append(answer.account.why)
                return answer

        timed: Any = Timed()
        await turn_resolve(game_id=game.id, opponent=timed)
        total = time.perf_counter() - began
        asked = client.asked.pop(str(game.id), [])
        turn = Turn([question for question, _ in asked], delay, len(asked), "; ".join(why))
        turn.table = {"first": first[0] if first else total, "total": total}
        turn.tokens["table"] = sum(said.tokens for _, said in asked)
        return turn


def recording_client(served: Served, deadline: float) -> Any:
    """A client that remembers what it was asked; a model that only speaks is held to a line.

    Args:
        deadline: seconds that a turn may take. A slow model is to be measured here, not to be replaced.
    """
    from negotiation.opponents.client import ModelClient, Server

    class Recording(ModelClient):
        def __init__(self) -> None:
            super().__init__(
                Server(served.url, turn_seconds=deadline, concurrency=64, connect_seconds=min(deadline, 20.0))
            )
            self.model = served.model
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


async def bare(library: Any, round_: Round, served: Served) -> None:
    """Put the same questions to the server without us, at the same moments, with the same client library."""
    from negotiation.opponents.chunks import chunk_of
    from negotiation.opponents.client import request_of

    async def one(turn: Turn) -> None:
        await asyncio.sleep(turn.delay)
        first, tokens = None, 0
        began = time.perf_counter()
        for question in turn.questions:
            async with library.stream("POST", "chat/completions", json=request_of(question)) as response:
                async for line in response.aiter_lines():
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

    with round_.bare.measured(served.seconds):
        await asyncio.gather(*(one_after_the_other(turns) for turns in round_.tables))
