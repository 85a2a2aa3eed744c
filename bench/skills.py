"""What faults of each skill usually cost, and whether a planted weakness is named.

    python -m bench.skills [--deals 120] [--reps 4] [--games 10] [--output bench/results/skills.json]

``usual`` is what a deal of a middling rep gives away by faults of each skill, in shares of the zone, with its
standard deviation over deals: what the choice of practice counts from (``coaching/analysis/skills.py``). ``planted``
are reps with one skill at .02 and the others between .5 and .7: how often the weak one comes first, and among the
first three, after so many deals; ``by_regret`` is the same when all regret counts and not what is more than usual.
``worth`` is what mending it would bring: the share of the zone of a sibling without the weakness, less theirs.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from bench.coaching import deal
from bench.experiment import Figures, Given, experiment, option, processes
from bench.reps import Skills, play
from coaching.analysis.review import read_played, review
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.review.lessons import SKILLS, Skill
from coaching.analysis.skills import excess

USUAL_SEED, PLANTED_SEED = 1_200_000, 1_300_000
WEAK = 0.02
Regrets = dict[Skill, float]


def faults(skills: Skills, number: int, seed: int) -> tuple[Regrets, float]:
    """What one deal of a rep's gave away by faults of each skill, and its share."""
    scenario, persona, seat = deal(number)
    game, frames = play(scenario, persona, seat, seed, skills)
    lost = dict.fromkeys(SKILLS, 0.0)
    for move in review(read_played(frames, scenario))["moves"]:
        if move["label"] in FAULTS and move["skill"]:
            lost[move["skill"]] += move["regret"]
    return lost, game.outcome.efficiency if game.outcome else 0.0


def usual_deal(number: int) -> Regrets:
    rng = np.random.default_rng(USUAL_SEED + number)
    skills = Skills(**{name: float(rng.uniform(0.3, 0.7)) for name in SKILLS})
    return faults(skills, number, USUAL_SEED + number)[0]


def planted_rep(job: tuple[Skill, int, int]) -> dict[str, Any]:
    """So many deals of one rep with one weak skill, and of its sibling without."""
    weak, number, games = job
    rng = np.random.default_rng(PLANTED_SEED + number)
    whole = Skills(**{name: float(rng.uniform(0.5, 0.7)) for name in SKILLS})
    poor = whole.moved(weak, WEAK - getattr(whole, weak))
    rows = []
    for game in range(games):
        seed = PLANTED_SEED + 1000 * SKILLS.index(weak) + 100 * number + game
        lost, share = faults(poor, number + game, seed)
        scenario, persona, seat = deal(number + game)
        sibling, _ = play(scenario, persona, seat, seed, whole)
        rows.append((lost, share, sibling.outcome.efficiency if sibling.outcome else 0.0))
    lost = {name: float(np.mean([row[0][name] for row in rows])) for name in SKILLS}
    return {
        "weak": weak,
        "lost": lost,
        "worth": float(np.mean([row[2] - row[1] for row in rows])),
    }


def places(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How often the weak skill comes first, and among three."""

    def order(row: dict[str, Any], *, beyond: bool) -> list[Skill]:
        counts: Regrets = excess(row["lost"]) if beyond else row["lost"]
        return sorted(SKILLS, key=lambda skill: -counts[skill])

    def shares(*, beyond: bool) -> dict[str, float]:
        ranks = [order(row, beyond=beyond).index(row["weak"]) for row in rows]
        return {
            "first": round(float(np.mean([rank == 0 for rank in ranks])), 3),
            "among_three": round(float(np.mean([rank < 3 for rank in ranks])), 3),
        }

    by_skill = {
        skill: {
            "first": round(
                float(np.mean([order(row, beyond=True)[0] == skill for row in rows if row["weak"] == skill])),
                3,
            ),
            "worth": round(float(np.mean([row["worth"] for row in rows if row["weak"] == skill])), 4),
        }
        for skill in SKILLS
    }
    return {
        "reps": len(rows),
        "beyond_usual": shares(beyond=True),
        "by_regret": shares(beyond=False),
        "by_skill": by_skill,
    }


@experiment(
    "skills.json",
    option("--deals", type=int, default=120, help="of middling reps"),
    option("--reps", type=int, default=4, help="with each weakness"),
    option("--games", type=int, default=10, help="of each rep"),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(given: Given) -> Figures:
    usual = processes(given.workers, usual_deal, range(given.deals))
    jobs = [(skill, number, given.games) for skill in SKILLS for number in range(given.reps)]
    rows = processes(given.workers, planted_rep, jobs)
    return {
        "usual": {
            skill: {
                "mean": round(float(np.mean([row[skill] for row in usual])), 4),
                "sd": round(float(np.std([row[skill] for row in usual], ddof=1)), 4),
            }
            for skill in SKILLS
        },
        "planted": places(rows),
        "rows": [{**row, "lost": {k: round(v, 4) for k, v in row["lost"].items()}} for row in rows],
    }


if __name__ == "__main__":
    main()
