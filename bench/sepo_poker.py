"""Where the objective leads in poker without a network: gradients on the twelve probabilities, exact and sampled.

    python -m bench.sepo_poker [--steps 40] [--seeds 3] [--output bench/results/sepo_poker.json]

The learner begins at the demonstrators' mixture and climbs Safety, its payoff against train less what the exploit pool
takes: a fixed pool, or one that a best response joins at every step, of which the latest four stay. Sampled, it plays as
many hands as a trained model did, with the same groups, advantages and optimizer. What is left between that and a trained
model is the network.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.drills import GAMES
from negotiation.engine.drills.kuhn.rules import histories
from negotiation.engine.drills.kuhn.strategies import STRATEGIES, KuhnStrategy
from negotiation.engine.drills.kuhn.theory import expected_pay, nash_conv, response_behaviour
from trainer.domains.drills.grown import Adversaries
from trainer.domains.drills.objective import Group, ObjectiveSettings, Pool, advantages
from trainer.domains.drills.weights import TABLE_1

RATE, KEEP, NUDGE = 3.0, 4, 1e-3
MATCHES, ROLLOUTS = 4, 8
KUHN = GAMES["kuhn"]
Table = np.ndarray[Any, Any]


def climb(steps: int, *, grow: bool) -> list[float]:
    """NashConv after each step."""
    begun = np.clip(
        sum(share * STRATEGIES[name].behaviour for name, share in KUHN.demonstrators.items()), 0.01, 0.99
    )
    logits, found = np.log(begun / (1 - begun)), []
    grown: list[Table] = []
    for step in range(steps):
        play = 1 / (1 + np.exp(-logits))
        if grow:
            grown = [*grown, response_behaviour(play)][-KEEP:]
        faced = opponents(play, grown)
        slope = np.zeros_like(play)
        for place in np.ndindex(play.shape):
            nudge = np.zeros_like(play)
            nudge[place] = NUDGE
            above, below = (
                sum(weight * expected_pay(play + sign * nudge, other) for other, weight in faced)
                for sign in (1, -1)
            )
            slope[place] = (above - below) / (2 * NUDGE)
        decay = 0.1 + 0.45 * (1 + np.cos(np.pi * step / steps))
        logits = logits + RATE * decay * slope * play * (1 - play)
        after = 1 / (1 + np.exp(-logits))
        found.append(round(nash_conv([after, after]), 4))
    return found


def sampled(steps: int, seed: int) -> list[float]:
    """NashConv after each step of the same with a growing pool, from hands that are played; Adam, running average."""
    rng = np.random.default_rng(seed)
    play = np.clip(
        sum(share * STRATEGIES[name].behaviour for name, share in KUHN.demonstrators.items()), 0.01, 0.99
    )
    logits = np.log(play / (1 - play))
    average, first, second = logits.copy(), np.zeros_like(logits), np.zeros_like(logits)
    adversaries, found = Adversaries("kuhn", KEEP), []
    for step in range(steps):
        play = 1 / (1 + np.exp(-logits))
        adversaries.join(KuhnStrategy("learner", "", "", play), step)
        slope = _slope(play, adversaries.players, rng)
        first, second = 0.9 * first + 0.1 * slope, 0.95 * second + 0.05 * slope**2
        rate = 0.1 * (0.1 + 0.45 * (1 + np.cos(np.pi * step / steps)))
        moved = first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.95 ** (step + 1))) + 1e-8)
        logits = logits + rate * moved
        average = 0.9 * average + 0.1 * logits
        after = 1 / (1 + np.exp(-average))
        found.append(round(nash_conv([after, after]), 4))
    return found


def _slope(play: Table, grown: list[Any], rng: np.random.Generator) -> Table:
    """The policy gradient of one step's hands: four matches of eight rollouts against everybody."""
    pools: dict[Pool, list[Any]] = {
        "train": [STRATEGIES[name] for name in KUHN.pools.train],
        "exploit": [*(STRATEGIES[name] for name in KUHN.pools.exploit), *grown],
    }
    groups, taken = [], []
    for pool, faced in pools.items():
        for opponent in faced:
            ahead = opponent in grown or expected_pay(play, opponent.behaviour) < 0
            for _ in range(MATCHES):
                seed = int(rng.integers(2**31))
                played = [_match(play, opponent, seed, rng) for _ in range(ROLLOUTS)]
                record = KUHN.record([match for match, _ in played])
                groups.append(Group(pool, record, share=1 / len(faced), ahead=ahead))
                taken.append([choices for _, choices in played])
    values = advantages(groups, TABLE_1["kuhn"], KUHN.scale, ObjectiveSettings(returns="immediate"))
    slope, count = np.zeros_like(play), 0
    for rollouts, value in zip(taken, values, strict=True):
        for column, choices in enumerate(rollouts):
            for round_, place, bet in choices:
                slope[place] += (bet - play[place]) * value[round_, column]
                count += 1
    return slope / count


def _match(
    play: Table, opponent: Any, seed: int, rng: np.random.Generator
) -> tuple[Any, list[tuple[int, tuple[int, int], int]]]:
    """One match, and the learner's choices in it: (hand, information set, whether it bet)."""
    match: Any = KUHN.match(KUHN.draws(1, seed, opponent.name))
    choices = []
    while not match.done:
        player = match.to_move[0]
        view = match.view(player)
        if player:
            match.play({player: opponent.act(view, match.number(player))})
            continue
        place = (histories(2)[0].index(view.history), view.card)
        bet = int(rng.random() < play[place])
        choices.append((view.round, place, bet))
        match.play({player: bet})
    return match, choices


def opponents(play: Table, grown: list[Table]) -> list[tuple[Table, float]]:
    """Who counts, and how much: partners, adversaries that are ahead, best responses. The game is zero-sum, so what an
    adversary is ahead by is twice what it wins."""
    pools = KUHN.pools
    faced = [(STRATEGIES[name].behaviour, 1 / len(pools.train)) for name in pools.train]
    named = [STRATEGIES[name].behaviour for name in pools.exploit]
    charge = 2 * TABLE_1["kuhn"].exploit / (len(named) + len(grown))
    faced += [(each, charge) for each in named if expected_pay(play, each) < 0]
    return faced + [(each, charge) for each in grown]


@experiment(
    "sepo_poker.json",
    option("--steps", type=int, default=40),
    option("--seeds", type=int, default=3),
    told=False,
)
def main(asked: Given) -> Figures:
    report = {
        name: climb(asked.steps, grow=grow) for name, grow in (("fixed pool", False), ("growing pool", True))
    }
    for seed in range(asked.seeds):
        report[f"growing pool, sampled, seed {seed}"] = sampled(asked.steps, seed)
    for name, found in report.items():
        print(name, found[::5], found[-1])
    return {"steps": asked.steps, "nash_conv": report}


if __name__ == "__main__":
    main()
