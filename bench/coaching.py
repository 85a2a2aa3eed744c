"""Does the coaching teach? Simulated reps who follow the review against reps who practise without it.

    python -m bench.coaching [--learners 40] [--games 8] [--held-out 90] [--output bench/results/coaching.json]

Each learner exists twice, with the same skills and the same practice deals. One follows the review: every fault
moves the skill that it names, in the direction that it names, by an amount that grows with its regret. The other
learns from results alone: it plays every deal twice, once a little differently, and keeps what paid. Both are
then measured on the same held-out deals. The effect is the difference of their gains in the share of the zone;
its interval is a 95% bootstrap over learners.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from bench.reps import Rep, Skills, play
from coaching.analysis.review import read_played, review
from negotiation.engine.deal import Negotiation, personas, scenarios
from negotiation.engine.deal.streams import stream
from negotiation.engine.figures import bootstrap

PRACTICE_SEED, HELD_OUT_SEED = 600_000, 900_000
RATE, FULL_REGRET = 0.15, 0.10
TRIAL = 0.12


def deal(number: int) -> tuple[Any, str, Any]:
    """Scenario, persona and seat, in rotation."""
    deals, people = list(scenarios().values()), list(personas())
    return deals[number % len(deals)], people[number % len(people)], ("seller", "buyer")[number // 3 % 2]


def share(skills: Skills, number: int, seed: int) -> float:
    """What a rep with these skills gets out of one deal."""
    scenario, persona, seat = deal(number)
    game, player = Negotiation(scenario, persona, seat, seed, speak=False), Rep(skills)
    player.told(scenario)
    while not game.done:
        game.step(player.act(game.observe(), stream(seed, "player", game.turn)))
    return game.outcome.efficiency if game.outcome else 0.0


def held_out(skills: Skills, deals: int) -> float:
    """The mean share of the same deals, which nobody has practised on."""
    return float(np.mean([share(skills, i, HELD_OUT_SEED + i) for i in range(deals)]))


def advised(skills: Skills, report: dict[str, Any]) -> Skills:
    """The skills after taking a review to heart: each moves once, by what its faults add up to."""
    pull: dict[str, float] = {}
    for move in report["moves"]:
        if move["better"] is not None and move["skill"] is not None:
            pull[move["skill"]] = pull.get(move["skill"], 0.0) + direction(move) * move["regret"]
    for skill, regret in pull.items():
        skills = skills.moved(skill, RATE * float(np.clip(regret / FULL_REGRET, -1, 1)))
    return skills


LESS = {
    "opened_far", "stood_still", "false_call", "should_have_taken", "should_have_left", "left_early",
    "card_harmed", "terms_cost",
}  # fmt: skip
"""Reasons that ask for less of their skill, as :class:`Skills` counts it; the others ask for more."""


def direction(move: dict[str, Any]) -> int:
    """More of the skill, or less: what the reason of the review says."""
    return -1 if move["code"] in LESS else 1


def learner(job: tuple[int, int, int]) -> dict[str, float]:
    """One learner, twice."""
    number, games, measured = job
    rng = np.random.default_rng(number)
    start = Skills.drawn(rng)
    with_review = alone = start
    for i in range(games):
        place, seed = number + i, PRACTICE_SEED + number * games + i
        scenario, persona, seat = deal(place)
        _, frames = play(scenario, persona, seat, seed, with_review)
        with_review = advised(with_review, review(read_played(frames, scenario)))
        tried = alone.shaken(rng, TRIAL)
        # Generous to practice without a review: it may play the same deal both ways and keep the better one.
        if share(tried, place, seed) > share(alone, place, seed):
            alone = tried
    before = held_out(start, measured)
    return {"before": before, "review": held_out(with_review, measured), "alone": held_out(alone, measured)}


def run(learners: int, games: int, measured: int, workers: int) -> dict[str, Any]:
    rows = processes(workers, learner, [(number, games, measured) for number in range(learners)])
    before, reviewed, alone = (np.array([row[key] for row in rows]) for key in ("before", "review", "alone"))
    rng = np.random.default_rng(0)

    def summed(values: np.ndarray) -> dict[str, Any]:
        return bootstrap(values, rng).as_json(4)

    gains = reviewed - before - (alone - before)
    return {
        "learners": learners,
        "practice_games": games,
        "held_out_games": measured,
        "before": summed(before),
        "after_review": summed(reviewed),
        "after_practice_alone": summed(alone),
        "effect": summed(gains),
        "standardised_effect": round(float(gains.mean() / before.std(ddof=1)), 2),
    }


@experiment(
    "coaching.json",
    option("--learners", type=int, default=40),
    option("--games", type=int, default=8),
    option("--held-out", type=int, default=90, help="deals that everybody is measured on"),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(chosen: Given) -> Figures:
    return run(chosen.learners, chosen.games, chosen.held_out, chosen.workers)


if __name__ == "__main__":
    main()
