"""How fast is the board, how strong are the bots, what is a promise worth?

    python -m bench.diplomacy [--games 140] [--once] [--oracle PYTHON] [--output bench/results/diplomacy.json]

Times are processor time of one core, each the median and the best of many runs of the same work. ``--oracle`` is a
Python that has the ``diplomacy`` package; the same orders are then timed there. The worth of a pact is the difference
in centres after two years between a power that promised peace to its most dangerous neighbour and the same power with
the same orders in silence, under common random numbers; a lie is the same promise by a power that plays on as before.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: one core means one

import json
import subprocess
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.diplomacy import POWERS, Chance, State, advance, opening, possible_orders
from negotiation.engine.diplomacy.bots import DumbBot, TrustingBot
from negotiation.engine.diplomacy.geography import REACH
from negotiation.engine.diplomacy.phases import Orders
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Tag, said
from negotiation.engine.diplomacy.saved import orders_to_json, position_to_json
from negotiation.engine.diplomacy.state import OVER
from trainer.domains.diplomacy.arena import arena, read_seats
from trainer.domains.diplomacy.reward import BoardRewardSettings
from trainer.domains.diplomacy.rollouts import Task, group, play_on
from trainer.domains.diplomacy.tables import Sample
from trainer.evaluation import intervals

SILENCE = Ledger()
REFERENCES = {
    "dumbbot v 6 random": ("dumbbot:1,random:6", "dumbbot", 0.559),
    "7 dumbbots": ("dumbbot:7", "dumbbot", 0.136),
    "hold v 6 dumbbot": ("hold:1,dumbbot:6", "hold", 0.080),
    "random v 6 dumbbot": ("random:1,dumbbot:6", "random", 0.055),
}
Phase = tuple[State, Orders]


def game(seed: int, years: int = 10) -> list[Phase]:
    """The phases of one game of DumbBots."""
    bot, chance, state = DumbBot(), Chance(seed), opening()
    phases: list[Phase] = []
    while state.season != OVER and state.year < 1901 + years:
        orders = [
            bot.orders(state, power, chance.draws(state, power), SILENCE) for power in range(len(POWERS))
        ]
        phases.append((state, orders))
        state = advance(state, orders).state
    return phases


def timed(work: Callable[[], Any], runs: int) -> dict[str, float]:
    """Median and best time of a piece of work, in milliseconds."""
    work()
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1e3)
    return {"median_ms": round(float(np.median(times)), 4), "best_ms": round(min(times), 4)}


def per_phase(work: Callable[[], Any], phases: int, runs: int) -> dict[str, float]:
    return {name: round(value / phases, 4) for name, value in timed(work, runs).items()}


def speeds(oracle: str | None, *, once: bool) -> dict[str, Any]:
    """Times of the board's work; ``once`` does each piece a single time, which times nothing well."""

    def runs(many: int) -> int:
        return 1 if once else many

    phases = [phase for seed in range(runs(6)) for phase in game(seed)]
    movement = [phase for phase in phases if phase[0].moving]
    middle = next(state for state, _ in game(3) if state.phase == "S1904M")
    task = Task(middle, 2)
    samples = [
        Sample(tuple(orders[i % len(orders)] for orders in possible_orders(middle, 2).values()))
        for i in range(8)
    ]
    result: dict[str, Any] = {
        "movement_phase": per_phase(lambda: [advance(*phase) for phase in movement], len(movement), runs(30)),
        "possible_orders_of_all": per_phase(
            lambda: [possible_orders(state, power) for state, _ in movement for power in range(len(POWERS))],
            len(movement),
            runs(5),
        ),
        "two_year_rollout": timed(lambda: play_on(task, samples[0], 1), runs(60)),
        "group_8_by_8": timed(lambda: group(task, samples, 8, BoardRewardSettings()), runs(8)),
        "targets_ms": {"movement_phase": 0.15, "two_year_rollout": 8, "group_8_by_8": 600},
    }
    if oracle:
        result["package_movement_phase"] = package(oracle, movement[:120])
    return result


def package(python: str, phases: list[Phase]) -> dict[str, float]:
    """The same phases in the ``diplomacy`` package: processing alone, in its own process."""
    script = (
        "import json,sys,time\nfrom diplomacy import Game\ntimes=[]\n"
        "for line in sys.stdin:\n"
        " a=json.loads(line);s=a['state'];g=Game();g.clear_units();g.clear_centers()\n"
        " for p,u in s['units'].items(): g.set_units(p,u)\n"
        " for p,c in s['centers'].items(): g.set_centers(p,c)\n"
        " g.set_current_phase(s['phase'])\n"
        " for p,o in a['orders'].items(): g.set_orders(p,o)\n"
        " t=time.process_time();g.process();times.append((time.process_time()-t)*1e3)\n"
        "times.sort();print(json.dumps({'median_ms':round(times[len(times)//2],4),'best_ms':round(times[0],4)}))"
    )
    lines = "\n".join(
        json.dumps({"state": position_to_json(state), "orders": orders_to_json(orders)})
        for state, orders in phases
    )
    done = subprocess.run([python, "-c", script], input=lines, capture_output=True, text=True, check=True)
    times: dict[str, float] = json.loads(done.stdout)
    return times


def strengths(games: int) -> dict[str, Any]:
    rows = {}
    for name, (seats, policy, reference) in REFERENCES.items():
        figures = arena(read_seats(seats), games, 10, 1)["policies"][policy]
        rows[name] = {"reference": reference, **figures["centre_share"], "solo_rate": figures["solo_rate"]}
    return rows


def promises(starts: int, rollouts: int) -> dict[str, Any]:
    """What a promise of peace to the most dangerous neighbour is worth: kept, or broken from the first move on."""
    states = [next(state for state, _ in game(seed, 3) if state.phase == "S1903M") for seed in range(starts)]
    worth: dict[str, list[float]] = {
        name: [] for name in ("honest", "lie_to_the_naive", "lie_to_those_who_remember", "lie_to_the_deaf")
    }
    for number, state in enumerate(states):
        power = number % len(POWERS)
        if not state.units[power]:
            continue
        others = {
            "honest": TrustingBot(),
            "lie_to_the_naive": TrustingBot(remembers=False),
            "lie_to_those_who_remember": TrustingBot(),
            "lie_to_the_deaf": DumbBot(),
        }
        for name, bot in others.items():
            worth[name].append(_worth(state, power, bot, name == "honest", number, rollouts))
    return {
        name: figure.as_json()
        for name, values in worth.items()
        if (figure := intervals.mean(values)) is not None
    }


def _worth(state: State, power: int, others: Any, honest: bool, seed: int, rollouts: int) -> float:
    """Centres more than the same orders sent in silence would have brought, on the mean."""
    neighbour = _neighbour(state, power)
    task = Task(state, power, others=others, own=Pact(neighbour) if honest else DumbBot(), seed=seed)
    tag = Tag.TRUTH if honest else Tag.LIE
    words = (said(state, power, neighbour, "I will not attack you for two years.", tag),)
    gains = []
    for number in range(rollouts):
        orders = tuple(task.own.orders(state, power, Chance(seed, number).draws(state, power), SILENCE))
        ends = [play_on(task, Sample(orders, said_), number).state for said_ in (words, ())]
        gains.append(ends[0].owners.count(power) - ends[1].owners.count(power))
    return float(np.mean(gains))


class Pact(TrustingBot):
    """Leaves one neighbour alone, whatever is said."""

    def __init__(self, neighbour: int) -> None:
        super().__init__()
        self._neighbour = neighbour

    def trusted(self, state: State, power: int, ledger: Ledger) -> frozenset[int]:
        """The neighbour."""
        return frozenset({self._neighbour})


def _neighbour(state: State, power: int) -> int:
    """Whoever has most units that can enter the power's centres."""
    centres = set(state.centres(power))
    return max(
        (other for other in range(len(POWERS)) if other != power),
        key=lambda other: sum(len(centres & REACH[node]) for node in state.units[other]),
    )


@experiment(
    "diplomacy.json",
    option("--games", type=int, default=140),
    option("--starts", type=int, default=140),
    option("--rollouts", type=int, default=8),
    option("--oracle", help="a Python that has the diplomacy package"),
    option("--once", action="store_true", help="time each piece of work a single time"),
)
def main(chosen: Given) -> Figures:
    return {
        "speed": speeds(chosen.oracle, once=chosen.once),
        "strength": strengths(chosen.games),
        "worth_of_a_promise": promises(chosen.starts, chosen.rollouts),
    }


if __name__ == "__main__":
    main()
