"""How far a skill's figure tells players apart: its reliability after so many deals.

    python -m bench.reliability [--players 16] [--deals 16] [--output bench/results/reliability.json]

Players are simulated reps whose seven skills are each drawn between .02 and .9; all play the same tables with seeds of
their own. ``alone`` is the share of the variance of one deal's score that lies between players (one-way random effects,
ICC(1), Shrout and Fleiss 1979, with deals that put a skill to no test left out); what *n* deals make of it is Spearman and
Brown's formula, which is the mean over all splits into halves of so many. ``enough`` are the deals from which it reaches
:data:`ENOUGH`, ``None`` where no number below :data:`MOST` does. Intervals are bootstraps over players.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.test")
django.setup()

from bench.coaching import deal
from bench.experiment import Figures, Given, experiment, option, processes
from bench.reps import Rep, Skills
from coaching.analysis.evidence import evidence_of
from coaching.analysis.review import read_played, review
from coaching.analysis.review.lessons import SKILLS, Skill
from negotiation import record
from negotiation.engine.deal import Negotiation, Scenario, Seat
from negotiation.engine.deal.law import LAW
from negotiation.engine.deal.strategies import Strategy
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.wire import to_json
from negotiation.events import redact

SEED: Final = 1_400_000
ENOUGH: Final = 0.7
MOST: Final = 200
"""Deals beyond which nobody waits for a figure."""
AFTER: Final = (5, 10, 20, 40)
RESAMPLES: Final = 1000

Scores = Sequence[Sequence[float]]
"""Of each player, the score of each deal that put the skill to the test."""


def alone(scores: Scores) -> float:
    """The share of a deal's variance that lies between players, from 0 to 1; 0 where nothing can be said."""
    groups = [np.asarray(each, dtype=float) for each in scores if len(each) > 0]
    total = sum(len(each) for each in groups)
    if len(groups) < 2 or total <= len(groups):
        return 0.0
    mean = sum(float(each.sum()) for each in groups) / total
    between = sum(len(each) * (float(each.mean()) - mean) ** 2 for each in groups) / (len(groups) - 1)
    within = sum(float(((each - each.mean()) ** 2).sum()) for each in groups) / (total - len(groups))
    size = (total - sum(len(each) ** 2 for each in groups) / total) / (len(groups) - 1)
    component = (between - within) / size
    variance = component + within
    return float(min(1.0, max(0.0, component / variance))) if variance > 0 else 0.0


def after(deals: float, share: float) -> float:
    """The reliability of the mean of so many deals (Spearman and Brown)."""
    return deals * share / (1 + (deals - 1) * share)


def enough(share: float) -> int | None:
    """The deals from which it reaches ``ENOUGH``."""
    if share <= 0:
        return None
    if share >= 1:
        return 1
    deals = math.ceil(ENOUGH / (1 - ENOUGH) * (1 - share) / share - 1e-9)
    return max(1, deals) if deals <= MOST else None


def scored(job: tuple[int, int]) -> dict[Skill, float]:
    """What one deal of one player says of each skill that it put to the test."""
    player, number = job
    rng = np.random.default_rng(SEED + player)
    skills = Skills(**{name: float(rng.uniform(0.02, 0.9)) for name in SKILLS})
    scenario, persona, seat = deal(number)
    frames = seen_by_a_coach(Rep(skills), scenario, persona, seat, SEED + 1000 * player + number)
    found = evidence_of(frames, scenario, review(read_played(frames, scenario)))
    return {each.skill: each.score for each in found}


def seen_by_a_coach(
    player: Strategy, scenario: Scenario, persona: str, seat: Seat, seed: int
) -> list[Mapping[str, Any]]:
    """The log of a whole game, as its coach sees it afterwards."""
    table = Negotiation(scenario, persona, seat, seed)
    player.told(scenario)
    view = table.observe()
    opening = {
        "scenario": scenario.id,
        "persona": persona,
        "seat": seat,
        "horizon": view.horizon,
        "difficulty": 0.5,
        "player_name": "",
        "law": LAW,
        "own": to_json(view.own),
    }
    rows: list[record.Row] = [("game_started", opening)]
    if table.opening is not None:
        rows.append(("opponent_moved", record.opponent_moved(0, table.opening)))
    rows.append(("turn_closed", record.turn_closed(view, 0)))
    rows.append(("turn_graded", record.turn_graded(table, 0, (), 0.0, table.truth.facts)))
    while not table.done:
        turn = table.turn
        action = player.act(table.observe(), stream(seed, "player", turn))
        rows.append(("player_moved", record.player_moved(turn, action, "")))
        rows += record.answered(table, turn, action)
    return [redact(seq=seq, kind=kind, data=data, role="coach") for seq, (kind, data) in enumerate(rows, 1)]


def figures_of(scores: Scores) -> dict[str, Any]:
    """The figures of one skill."""
    share = alone(scores)
    rng = np.random.default_rng(SEED)
    picks = rng.integers(len(scores), size=(RESAMPLES, len(scores)))
    again = [alone([scores[place] for place in row]) for row in picks]
    low, high = (round(float(each), 4) for each in np.percentile(again, (2.5, 97.5)))
    return {
        "deals": sum(len(each) for each in scores),
        "alone": {"mean": round(share, 4), "ci95": [low, high]},
        "after": {str(each): round(after(each, share), 3) for each in AFTER},
        "enough": enough(share),
    }


@experiment(
    "reliability.json",
    option("--players", type=int, default=16),
    option("--deals", type=int, default=16, help="of each"),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(given: Given) -> Figures:
    jobs = [(player, number) for player in range(given.players) for number in range(given.deals)]
    rows = processes(given.workers, scored, jobs)
    by_player = [
        [row for (player, _), row in zip(jobs, rows, strict=True) if player == one]
        for one in range(given.players)
    ]
    return {
        skill: figures_of([[row[skill] for row in deals if skill in row] for deals in by_player])
        for skill in SKILLS
    }


if __name__ == "__main__":
    main()
