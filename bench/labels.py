"""Do the labels of the move review mean something?

    python -m bench.labels [--games 300] [--output bench/results/labels.json]

Simulated reps play; the review labels their moves without knowing hidden truth. Then, against the opponent that
was really there, each fault is replaced by the suggested move and both ways are played on many times with fresh
chance, by the same three styles. The gain is the difference of the realised share of the zone; its interval is a
95% bootstrap over games. ``again`` reviews the same deals with another draw of imagined opponents: how many faults are
no fault then, or have no verdict, and how often another turn decided the deal; ``review_seconds`` are of processor time,
also by twelve moves.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option, processes
from bench.reps import Skills, play
from coaching.analysis.findings import decided
from coaching.analysis.review import read_played, review
from coaching.analysis.review.candidates import Candidate
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.review.moves import engine_move
from coaching.analysis.review.record import PlayedGame
from coaching.analysis.review.values import joined, shares
from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation
from negotiation.engine.deal.batch.players import STYLES, Continuation
from negotiation.engine.deal.issues import bundle_of
from negotiation.engine.figures import resampled

FIRST_SEED, FRESH_SEED = 300_000, 1 << 61
CONTINUATIONS = 48


def realised(
    played: PlayedGame, seed: int, turn: int, better: dict[str, Any], believed: float
) -> tuple[float, float]:
    """Mean share against the real opponent after the move that was played, and after the better one."""
    count = CONTINUATIONS
    batch = BatchNegotiation(
        played.scenario,
        played.persona,
        played.seat,
        np.full(2 * count, seed, dtype=np.uint64),
        horizon=played.horizon,
    )
    for each in played.turns:
        if each.turn == turn:
            break
        batch.step(engine_move(each.move, 2 * count, played, each.before))
    own = engine_move(each.move, count, played, each.before)
    fresh = FRESH_SEED + np.arange(count, dtype=np.uint64)
    batch.reseed(np.tile(fresh, 2))
    batch = batch.fork(np.arange(2 * count))
    suggested = Candidate(
        kind=better["kind"],
        offer=better["offer"],
        bundle=bundle_of(played.scenario.issues, better["terms"] or {}),
        card=better["card"],
        act=better["act"],
        challenge=better["kind"] == "challenge",
    )
    batch.step(joined([own, suggested.moves(count)]))
    totals = np.zeros(2 * count)
    for style in STYLES:
        worth = shares(batch.outcomes).copy()
        if not batch.done:
            going_on = batch.table.game
            rest = batch.fork(np.arange(len(going_on)))
            player = Continuation(rest, style, believed)
            while not rest.done:
                rest.step(player.moves())
            worth[going_on] = shares(rest.outcomes)
        totals += worth / len(STYLES)
    return float(totals[:count].mean()), float(totals[count:].mean())


def faults_of(number: int) -> dict[str, Any]:
    """One game: its labels, and what mending each fault brings."""
    rng = np.random.default_rng(number)
    deals = list(scenarios().values())
    scenario, persona = deals[number % len(deals)], list(personas())[number // 2 % len(personas())]
    seat = "seller" if number % 2 == 0 else "buyer"
    seed = FIRST_SEED + number
    _, frames = play(scenario, persona, seat, seed, Skills.drawn(rng))
    played = read_played(frames, scenario)
    started = time.process_time()
    report = review(played)
    took = time.process_time() - started
    again = review(played, draw=1)
    sign = 1 if seat == "seller" else -1
    found = []
    for move in report["moves"]:
        if move["better"] is None:
            continue
        before, after = realised(played, seed, move["turn"], move["better"], sign * move["believed"]["mean"])
        found.append({"label": move["label"], "gain": after - before, "regret": move["regret"]})
    return {
        "game": number,
        "seconds": took,
        "moves": len(report["moves"]),
        "counts": report["counts"],
        "faults": found,
        "labels": [
            (one["label"], two["label"]) for one, two in zip(report["moves"], again["moves"], strict=True)
        ],
        "decided": [key["turn"] if (key := decided(each)) else None for each in (report, again)],
    }


def interval(groups: list[list[float]], rng: np.random.Generator, resamples: int = 2000) -> dict[str, Any]:
    """Mean gain and its 95% interval, resampling whole games; of no faults at all there is neither."""
    kept = [np.array(group) for group in groups if group]
    if not kept:
        return {"n": 0, "mean": None, "ci95": None}
    sums, counts = np.array([g.sum() for g in kept]), np.array([len(g) for g in kept])
    picks = rng.integers(len(kept), size=(resamples, len(kept)))
    means = sums[picks].sum(axis=1) / counts[picks].sum(axis=1)
    return {"n": int(counts.sum()), **resampled(sums.sum() / counts.sum(), means).as_json(4)}


def run(games: int, workers: int) -> dict[str, Any]:
    played = processes(workers, faults_of, range(games), chunk=4)
    rng = np.random.default_rng(0)
    gains = {
        label: interval([[f["gain"] for f in g["faults"] if f["label"] == label] for g in played], rng)
        for label in FAULTS
    }
    seconds = np.array([g["seconds"] for g in played])
    twelve = seconds / np.array([g["moves"] for g in played]) * 12
    return {
        "games": games,
        "moves": sum(g["moves"] for g in played),
        "counts": {label: sum(g["counts"][label] for g in played) for label in played[0]["counts"]},
        "gain": gains,
        "review_seconds": {
            "median": round(float(np.median(seconds)), 2),
            "p95": round(float(np.quantile(seconds, 0.95)), 2),
            "p95_of_twelve_moves": round(float(np.quantile(twelve, 0.95)), 2),
        },
        "again": again(played, rng),
    }


def again(played: list[dict[str, Any]], rng: np.random.Generator) -> dict[str, Any]:
    """What a second review of the same deals says otherwise; a pair of labels counts both ways round."""
    pairs = [[*each["labels"], *((two, one) for one, two in each["labels"])] for each in played]
    of_faults = [[two for one, two in each if one in FAULTS] for each in pairs]
    return {
        "to_no_fault": interval(
            [[float(two in ("best", "good")) for two in each] for each in of_faults], rng
        ),
        "to_no_verdict": interval([[float(two is None) for two in each] for each in of_faults], rng),
        "another_label": interval([[float(one != two) for one, two in each] for each in pairs], rng),
        "no_verdict": interval([[float(one is None) for one, _ in each] for each in pairs], rng),
        "another_turn_decided": interval(
            [[float(each["decided"][0] != each["decided"][1])] for each in played], rng
        ),
    }


@experiment(
    "labels.json",
    option("--games", type=int, default=300),
    option("--workers", type=int, default=os.cpu_count() or 1),
)
def main(chosen: Given) -> Figures:
    return run(chosen.games, chosen.workers)


if __name__ == "__main__":
    main()
