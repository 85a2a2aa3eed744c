"""How fast is the engine? One game at a time, thousands at once, and with words.

    python -m bench.engine [--episodes 400] [--batch 2048] [--spoken 40] [--output bench/results/engine.json]

One core, no other work. The player concedes linearly and takes what beats its plan, in both engines. "Inference"
is what the persona learns of the player's limit; "words" are reading the player's text and finding the answer.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import Action, Negotiation, personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation, Moves
from negotiation.engine.deal.expert import EMPATHY, QUESTIONS
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import SIGN

SCENARIOS = ("saas_enterprise", "software_licensing")
PLANNED_TURNS = 14
REPEATS = 3
WARM_UP = 20


def scalar(scenario: str, persona: str, episodes: int, *, infers: bool) -> float:
    """Full episodes a second, one after the other, without words."""
    started = time.perf_counter()
    for seed in range(episodes):
        game = Negotiation(scenario, persona, "seller", seed, speak=False, infers=infers)
        player, rng = STRATEGIES["linear"](), stream(seed, "player")
        while not game.done:
            game.step(player.act(game.observe(), rng))
    return episodes / (time.perf_counter() - started)


def batched(scenario: str, persona: str, games: int, *, infers: bool) -> float:
    """Full episodes a second, ``games`` at once."""
    deal = scenarios()[scenario]
    started = time.perf_counter()
    for repeat in range(REPEATS):
        seeds = np.arange(repeat * games, (repeat + 1) * games, dtype=np.uint64)
        batch = BatchNegotiation(deal, personas()[persona], "seller", seeds, infers=infers)
        while not batch.done:
            batch.step(linear_moves(batch))
    return REPEATS * games / (time.perf_counter() - started)


def linear_moves(batch: BatchNegotiation) -> Moves:
    """From the opening to the own limit in a straight line; takes what is no worse than the next offer."""
    table, scenario, seat = batch.table, batch.scenario, batch.seat
    moves = Moves.nothing(len(table.game))
    limit, opening = table.truths[seat].walk_away, scenario.seats[seat].opening
    progress = min(1.0, (table.turn - 1) / (PLANNED_TURNS - 1))
    moves.offer = scenario.rounded(opening + (limit - opening) * progress)
    standing = SIGN[seat] * table.worth(table.opponent, seat)
    moves.accept = standing >= SIGN[seat] * moves.offer
    return moves


def replies_with_words(persona: str, games: int) -> dict[str, float]:
    """Milliseconds from a player's text and offer to the persona's answer in words."""
    took = []
    texts = (*QUESTIONS, *EMPATHY)
    for seed in range(games):
        game = Negotiation("saas_enterprise", persona, "seller", seed)
        player, rng = STRATEGIES["linear"](), stream(seed, "player")
        while not game.done:
            action = player.act(game.observe(), rng)
            if not action.accept and not action.walk_away:
                figure = f" We can do ${action.offer:,.0f}."
                action = Action(text=texts[game.turn % len(texts)] + figure, offer=action.offer)
            started = time.perf_counter()
            game.step(action)
            took.append(1000 * (time.perf_counter() - started))
    return {
        "turns": len(took),
        "median_ms": round(float(np.median(took)), 2),
        "p95_ms": round(float(np.quantile(took, 0.95)), 2),
    }


def run(episodes: int, games: int, spoken: int) -> dict[str, Any]:
    result: dict[str, Any] = {"episodes": episodes, "batch": games, "episodes_per_second": {}, "words": {}}
    for scenario in SCENARIOS:
        for persona in personas():
            for infers in (False, True):
                scalar(scenario, persona, min(WARM_UP, episodes), infers=infers)
                row = {
                    "scalar": round(scalar(scenario, persona, episodes, infers=infers)),
                    "batched": round(batched(scenario, persona, games, infers=infers)),
                }
                row["ratio"] = round(row["batched"] / row["scalar"])
                name = f"{scenario}/{persona}/inference {'on' if infers else 'off'}"
                result["episodes_per_second"][name] = row
                print(f"{name:52} {row['scalar']:>6} {row['batched']:>8}  x{row['ratio']}")
    for persona in personas():
        result["words"][persona] = replies_with_words(persona, spoken)
        print(f"reply in words, {persona:10} {result['words'][persona]}")
    return result


@experiment(
    "engine.json",
    option("--episodes", type=int, default=400),
    option("--batch", type=int, default=2048),
    option("--spoken", type=int, default=40, help="games with words against each persona"),
    told=False,
)
def main(chosen: Given) -> Figures:
    return run(chosen.episodes, chosen.batch, chosen.spoken)


if __name__ == "__main__":
    main()
