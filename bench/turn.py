"""What a narrated turn costs this process beside the model server and the database, in processor time.

    python -m bench.turn [--games 12] [--rounds 7] [--output bench/results/turn.json]

Whole turns of :class:`NarratedOpponent` and the engine's own: the player's words are read, the table is looked at from
across, the strategist decides, the brief is written, a line comes in pieces of a few letters and is let through by the
guard, and the turn is played on the table. The line is found here, without a server, so nothing is waited for. Every line
and every text is said once only. The least of several rounds is kept of each figure, since other work on the machine can
only add; nothing here says how long a person waits (``bench.serving`` does).
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from bench.experiment import Figures, Given, experiment, option
from bench.serving_words import line_for, player_text
from negotiation.engine.deal import Action, Negotiation
from negotiation.opponents.client import Said
from negotiation.opponents.guard import load_rules
from negotiation.opponents.narrated import NarratedOpponent

LETTERS = 4
"""In a piece of the stream: about a token."""


class AtOnce:
    """Stands where the client of a model server does, and has the line ready."""

    def deadline(self) -> float:
        """No turn is late here."""
        return float("inf")

    async def ask(self, question: Any, *, until: float, hear: Any) -> Said:
        line = line_for(question)
        pieces = [line[at : at + LETTERS] for at in range(0, len(line), LETTERS)]
        for piece in pieces:
            hear(piece)
        return Said(line, len(pieces), 0.0, 0.0, whole=True)


async def play(first_seed: int, games: int) -> dict[str, float]:
    """Milliseconds of processor time a turn for the answer and for playing it, and how many turns there were."""
    opponent: Any = NarratedOpponent(AtOnce(), "none")  # type: ignore[arg-type]
    spent, turns = {"answer": 0.0, "play": 0.0}, 0
    for seed in range(first_seed, first_seed + games):
        table = Negotiation("saas_enterprise", "diplomat", "seller", seed)
        while not table.done:
            price = 190_000.0 - 500.0 * table.turn
            action = Action(text=player_text(seed, table.turn), offer=price)
            began = time.process_time()
            answer = await opponent.reply(table=table.fork(), action=action)
            answered = time.process_time()
            table.step(action, answer.reply, words=answer.words)
            spent["play"] += time.process_time() - answered
            spent["answer"] += answered - began
            turns += 1
            assert answer.words is not None
            assert not answer.stand_in
    return {what: 1000 * seconds / turns for what, seconds in spent.items()} | {"turns": turns}


@experiment(
    "turn.json",
    option("--games", type=int, default=12, help="in a round, each played to its end"),
    option("--rounds", type=int, default=7),
)
def main(chosen: Given) -> Figures:
    load_rules()
    rounds = [asyncio.run(play(1000 * (1 + number), chosen.games)) for number in range(chosen.rounds)]
    return {
        "what": "processor time of a narrated turn without server and database, milliseconds, least of all rounds",
        **{what: round(min(each[what] for each in rounds), 3) for what in ("answer", "play")},
        "turns": sum(each["turns"] for each in rounds),
        "rounds": [{what: round(each[what], 3) for what in ("answer", "play")} for each in rounds],
    }


if __name__ == "__main__":
    main()
