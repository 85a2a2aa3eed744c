"""Are the keys of the drills true, and can they be guessed?

    python -m bench.exercises [--drills 6] [--output bench/results/exercises.json]

Drills of each skill against each persona, as people get them. ``truly`` is how often the key beats another choice against
the opponent that is really there: each is played on many times with fresh chance, in the best of three styles; ``margin`` by
how much on average. ``fresh`` is the same against opponents that could have been there and that nobody weighed the position
against. Of the guesses, ``random`` is the chance of a blind click, ``place`` what the commonest place of the key would earn,
``longest`` the longest text, ``highest`` the highest figure. *Read them* offers stretches and no moves: its keys are told
from the share of the opponents alone. ``ends`` counts how often taking, holding and leaving are right in *Close it*.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from itertools import product
from typing import Any, Final

import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from bench.labels import FRESH_SEED
from coaching.analysis.drills import DrillPosition, positions
from coaching.analysis.positions import Reached
from coaching.analysis.review.candidates import Candidate
from coaching.analysis.review.information import InformationSet
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.review.lessons import SKILLS, Skill
from coaching.analysis.review.moves import engine_move
from coaching.analysis.review.values import joined, shares
from negotiation.engine.deal import personas
from negotiation.engine.deal.batch import BatchNegotiation
from negotiation.engine.deal.batch.players import STYLES, Continuation
from negotiation.engine.figures import bootstrap

SEED: Final = 1_700_000
CONTINUATIONS: Final = 48
_FIGURE: Final = re.compile(r"\$([\d,.]+)(M)?")


def in_truth(reached: Reached) -> BatchNegotiation:
    """The game of a position as often as it is played on, with fresh chance from here."""
    played = reached.played
    seeds = np.full(CONTINUATIONS, reached.seed, dtype=np.uint64)
    batch = BatchNegotiation(played.scenario, played.persona, played.seat, seeds, horizon=played.horizon)
    for each in played.turns[:-1]:
        batch.step(engine_move(each.move, CONTINUATIONS, played, each.before))
    batch.reseed(FRESH_SEED + np.arange(CONTINUATIONS, dtype=np.uint64))
    return batch


def worths(batch: BatchNegotiation, moves: tuple[Candidate, ...], believed: float) -> list[float]:
    """What each move is worth, played on in the style that is best for it on the other half of the games."""
    games = CONTINUATIONS
    first = batch.fork(np.tile(np.arange(games), len(moves)))
    first.step(joined([move.moves(games) for move in moves]))
    by_style = np.stack([_played_on(first, style, believed) for style in STYLES]).reshape(
        len(STYLES), len(moves), games
    )
    half = games // 2
    found = []
    for move in range(len(moves)):
        here = by_style[:, move]
        ways = [(here[:, :half], here[:, half:]), (here[:, half:], here[:, :half])]
        found.append(float(np.mean([told[chosen.mean(axis=1).argmax()].mean() for chosen, told in ways])))
    return found


def _played_on(first: BatchNegotiation, style: Any, believed: float) -> Any:
    worth = shares(first.outcomes).copy()
    if not first.done:
        going_on = first.table.game
        rest = first.fork(np.arange(len(going_on)))
        player = Continuation(rest, style, believed)
        while not rest.done:
            rest.step(player.moves())
        worth[going_on] = shares(rest.outcomes)
    return worth


def judged(position: DrillPosition) -> dict[str, Any]:
    """One position: where the key is, what guesses would take, and by how much the key beats each other choice."""
    texts = [each["text"] for each in position.choices]
    key = next(at for at, each in enumerate(position.choices) if each["label"] not in FAULTS)
    found: dict[str, Any] = {
        "choices": len(texts),
        "key": key,
        "longest": max(range(len(texts)), key=lambda at: len(texts[at])),
        "highest": max(range(len(texts)), key=lambda at: _figure(texts[at])),
        "kind": position.moves[key].kind if position.moves else "",
    }
    if position.moves:
        information = InformationSet(position.reached.played, draw=1)
        for turn in position.reached.played.turns[:-1]:
            information.follow(turn)
        believed = information.believed()[0]
        others = information.sample(CONTINUATIONS)
        for name, batch in (("truly", in_truth(position.reached)), ("fresh", others)):
            worth = worths(batch, position.moves, believed)
            found[name] = [worth[key] - each for at, each in enumerate(worth) if at != key]
    return found


def _figure(text: str) -> float:
    named = _FIGURE.search(text)
    return float(named[1].replace(",", "").rstrip(".")) * (1e6 if named[2] else 1) if named else 0.0


def drill(job: tuple[Skill, str, int]) -> list[dict[str, Any]]:
    """The positions of one drill."""
    skill, persona, number = job
    rng = np.random.default_rng([SEED, SKILLS.index(skill), list(personas()).index(persona), number])
    return [judged(each) for each in positions(skill, persona, rng)]


def figures_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Of one skill's positions."""
    places = Counter(row["key"] for row in rows)
    found: dict[str, Any] = {
        "positions": len(rows),
        "random": round(float(np.mean([1 / row["choices"] for row in rows])), 3),
        "place": round(max(places.values()) / len(rows), 3),
        "longest": round(float(np.mean([row["longest"] == row["key"] for row in rows])), 3),
        "highest": round(float(np.mean([row["highest"] == row["key"] for row in rows])), 3),
    }
    for name in ("truly", "fresh"):
        margins = [row[name] for row in rows if name in row]
        if margins:
            beaten = [float(np.mean([each > 0 for each in row])) for row in margins]
            found[name] = bootstrap(beaten).as_json(3)
            found[f"margin_{name}"] = round(float(np.mean([np.mean(row) for row in margins])), 4)
    return found


@experiment(
    "exercises.json",
    option("--drills", type=int, default=6, help="of each skill with each persona"),
    option("--skills", nargs="+", choices=SKILLS, default=SKILLS),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(given: Given) -> Figures:
    jobs = list(product(given.skills, personas(), range(given.drills)))
    done = list(zip(jobs, processes(given.workers, drill, jobs), strict=True))
    by_skill = {
        skill: [row for job, rows in done if job[0] == skill for row in rows] for skill in given.skills
    }
    moves = [row for rows in by_skill.values() for row in rows if "truly" in row]
    ends = Counter(
        {"accept": "take", "walk_away": "leave"}.get(row["kind"], "hold")
        for row in by_skill.get("closing", [])
    )
    return {
        "all": figures_of(moves),
        "by_skill": {skill: figures_of(rows) for skill, rows in by_skill.items() if rows},
        "ends": {end: round(count / ends.total(), 3) for end, count in ends.items()},
    }


if __name__ == "__main__":
    main()
