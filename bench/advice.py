"""What general advice is worth: each piece of it followed, beside the same rep without it, in the same deals.

    python -m bench.advice [--deals 120] [--output bench/results/advice.json]

A linear rep plays each deal at a table with a case once as it is, silent and without cards, and once with one thing done
differently: how it gives (holding back until turn 10, ever smaller steps, a step for each of theirs, giving quickly), what
it says (a question a turn; own facts, questions, and answers to what they object; an ultimatum every third turn;
compliments), or one card. ``effect`` is the difference of the share of the zone, a deal that fails counting 0; its interval
is a 95% bootstrap over the pairs; ``deals_made`` is the difference of the share of deals that close.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any, Final

import numpy as np

from bench.coaching import deal
from bench.experiment import Figures, Given, experiment, option, processes
from negotiation.engine.deal import Action, Negotiation, Observation, personas
from negotiation.engine.deal.case.acts import Talk, Topic
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS
from negotiation.engine.deal.discoverer import Discoverer
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.strategies import Linear, TitForTat
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import OTHER_SEAT, CardId
from negotiation.engine.figures import bootstrap

SEED: Final = 1_600_000
BASE: Final = "as it is"
HELD_UNTIL: Final = 10
SHRINKING: Final = 0.7
CARD_TURN: Final = 3
Done = tuple[float, bool]
"""The share of a deal, and whether it closed."""


class HoldsBack(Linear):
    """Stays at its first number until half of the turns are gone, then gives evenly."""

    def progress(self, seen: Observation) -> float:
        late = (seen.turn - HELD_UNTIL) / max(1.0, 0.9 * seen.horizon - HELD_UNTIL)
        return float(min(1.0, max(0.0, late)))


class Shrinks(Linear):
    """As far as the linear rep in the end, each step smaller than the one before."""

    def progress(self, seen: Observation) -> float:
        turns = max(2.0, 0.9 * seen.horizon)
        return float(min(1.0, (1 - SHRINKING ** (seen.turn - 1)) / (1 - SHRINKING ** (turns - 1))))


class Asks(Linear):
    """A question a turn, in the usual order of the trade."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        topics: list[Topic] = list(OPENING_QUESTIONS[OTHER_SEAT[seen.seat]])
        return replace(action, talk=(Talk("ask_open", topics[(seen.turn - 1) % len(topics)]),))


class Pushes(Linear):
    """An ultimatum every third turn."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        return replace(action, talk=(Talk("ultimatum"),)) if seen.turn % 3 == 0 else action


class Flatters(Linear):
    """A compliment every turn."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        return replace(action, talk=(Talk("flatter"),))


class TalksLinear(Discoverer):
    """The linear rep's numbers with the discoverer's words: it tells, asks, and answers what they object."""

    wish = Linear.wish
    opening = Linear.opening
    accepts = Linear.accepts
    beta, keep = Linear.beta, Linear.keep


def playing(card: CardId) -> type[Linear]:
    """A linear rep that plays one card, once."""

    class PlaysACard(Linear):
        def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
            played = any(move.card == card for move in seen.transcript if move.side == "player")
            if played or seen.turn < CARD_TURN or card not in seen.cards:
                return action
            claim = seen.own.walk_away if card == "batna_reveal" else None
            return replace(action, card=card, claim=claim)

    return PlaysACard


def _card(card: CardId) -> Callable[[], Any]:
    return lambda: playing(card)()


ADVICE: Final[dict[str, Callable[[], Any]]] = {
    BASE: Linear,
    "hold back": HoldsBack,
    "ever smaller steps": Shrinks,
    "a step for a step": TitForTat,
    "give quickly": STRATEGIES["conceder"],
    "ask": Asks,
    "ask, tell and answer": TalksLinear,
    "push": Pushes,
    "flatter": Flatters,
    "card: bold number": _card("anchor_high"),
    "card: walk-away": _card("batna_reveal"),
    "card: reframe": _card("reframe"),
    "card: silence": _card("silence"),
    "card: sweetener": _card("sweetener"),
    "card: deadline": _card("time_pressure"),
}


def played(job: tuple[str, int]) -> dict[str, Done]:
    """One deal with each piece of advice followed."""
    persona, number = job
    scenario, _, seat = deal(number)
    found: dict[str, Done] = {}
    for name, made in ADVICE.items():
        table, player = Negotiation(scenario, persona, seat, SEED + number, case=True), made()
        player.told(scenario)
        while not table.done:
            table.step(player.act(table.observe(), stream(SEED + number, "player", table.turn)))
        outcome = table.outcome
        found[name] = (outcome.efficiency, outcome.deal) if outcome else (0.0, False)
    return found


def effects(rows: list[dict[str, Done]]) -> dict[str, Any]:
    """Each piece of advice against none."""
    return {
        name: {
            "effect": bootstrap([row[name][0] - row[BASE][0] for row in rows]).as_json(3),
            "deals_made": round(float(np.mean([row[name][1] - row[BASE][1] for row in rows])), 3),
        }
        for name in ADVICE
        if name != BASE
    }


@experiment(
    "advice.json",
    option("--deals", type=int, default=120, help="with each persona"),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(given: Given) -> Figures:
    jobs = list(product(personas(), range(given.deals)))
    rows = list(zip(jobs, processes(given.workers, played, jobs, 4), strict=True))
    return {
        "deals": given.deals,
        "share": {
            persona: round(float(np.mean([row[BASE][0] for job, row in rows if job[0] == persona])), 4)
            for persona in personas()
        },
        "by_persona": {
            persona: effects([row for job, row in rows if job[0] == persona]) for persona in personas()
        },
        "all": effects([row for _, row in rows]),
    }


if __name__ == "__main__":
    main()
