"""Playing a scenario by machine before people do: its zone over many seeds, games of every kind, warnings.

Pure arithmetic on the engine; ``tasks.preview_scenario`` runs it in the worker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from negotiation.engine.deal import Scenario, Seat, personas
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.hidden import MIN_WIDTH_SHARE, draw_truths, joint_gain
from negotiation.engine.deal.selfplay import STRATEGIES, play_one
from negotiation.engine.deal.types import SIGN
from negotiation.engine.figures import bootstrap
from negotiation.engine.shares import percent

SEEDS = 1000
ROUNDS = 16
"""Games of each strategy against each persona in each seat; 16 make 1,152 games."""
FIRST_SEED = 7_000_000

MANY_EMPTY = 0.10
MANY_SHUT = 0.05
MANY_WIDENED = 0.25
FEW_DEALS = 0.50

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Played:
    """One game. An impasse has efficiency 0."""

    strategy: str
    persona: str
    seat: Seat
    seed: int
    deal: bool
    efficiency: float


@dataclass(frozen=True, slots=True)
class Cell:
    """Games of one kind. ``efficiency`` is the player's mean share of the zone, with its 95% interval.

    Games of one seed are one deal played in several ways, so the interval counts seeds, not games.
    """

    name: str
    games: int
    deal_rate: float
    efficiency: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Zones:
    """What there is to share at the start, in money, price and best terms together, over ``SEEDS`` seeds."""

    quantiles: dict[str, float]
    counts: list[int]
    edges: list[float]
    empty: float
    widened: float
    shut_by_drift: float


def preview(scenario: Scenario, progress: Progress) -> dict[str, Any]:
    """Everything the preview page shows, as JSON. ``progress`` hears of each finished step."""
    tables = [(persona, seat) for persona in personas() for seat in SIGN]
    total = 1 + len(STRATEGIES)
    zones = zones_of(scenario)
    progress(1, total)
    played: list[Played] = []
    for done, strategy in enumerate(STRATEGIES, 2):
        # Every strategy meets the same deals, so that they differ by what they do and not by luck.
        seeds = range(FIRST_SEED, FIRST_SEED + ROUNDS * len(tables))
        for (persona, seat), seed in zip(tables * ROUNDS, seeds, strict=True):
            outcome = play_one(scenario, persona, seat, strategy, seed)
            played.append(Played(strategy, persona, seat, seed, outcome.deal, outcome.efficiency))
        progress(done, total)
    opponents = [
        cell_of(
            f"{persona.name}, you are the {seat}", [g for g in played if (g.persona, g.seat) == (name, seat)]
        )
        for name, persona in personas().items()
        for seat in SIGN
    ]
    strategies = [cell_of(name, [g for g in played if g.strategy == name]) for name in STRATEGIES]
    return {
        "zones": asdict(zones),
        "games": len(played),
        "opponents": [asdict(cell) for cell in opponents],
        "strategies": [asdict(cell) for cell in strategies],
        "warnings": warnings_of(zones, opponents, strategies),
    }


def cell_of(name: str, games: list[Played]) -> Cell:
    """Games summed up."""
    by_seed: dict[int, list[float]] = {}
    for game in games:
        by_seed.setdefault(game.seed, []).append(game.efficiency)
    shares = np.array([np.mean(same) for same in by_seed.values()])
    share = bootstrap(shares, len(shares))
    return Cell(
        name, len(games), float(np.mean([game.deal for game in games])), share.mean, share.low, share.high
    )


def zones_of(scenario: Scenario) -> Zones:
    """The zone over ``SEEDS`` seeds, and what the drift events alone make of it."""
    chances = Chances(np.arange(FIRST_SEED, FIRST_SEED + SEEDS, dtype=np.uint64))
    truths = draw_truths(scenario, chances)
    gain = joint_gain(scenario, truths["seller"].values, truths["buyer"].values)
    limits = {seat: truths[seat].walk_away for seat in SIGN}
    start = limits["buyer"] - limits["seller"] + gain
    for event in scenario.drift:
        for seat, effect in event.effects.items():
            limits[seat] = limits[seat] + scenario.rounded(limits[seat] * effect.walk_away)
    end = limits["buyer"] - limits["seller"] + gain
    least = MIN_WIDTH_SHARE * scenario.nominal_width
    open_at_first = start > 0
    counts, edges = np.histogram(start, bins=24)
    return Zones(
        quantiles={
            name: float(np.quantile(start, share))
            for name, share in (("5%", 0.05), ("25%", 0.25), ("50%", 0.5), ("75%", 0.75), ("95%", 0.95))
        },
        counts=[int(count) for count in counts],
        edges=[float(edge) for edge in edges],
        empty=float(np.mean(~open_at_first)),
        widened=float(np.mean(open_at_first & (start < least + 2 * scenario.step))),
        shut_by_drift=float(np.mean(open_at_first & (end <= 0))),
    )


def warnings_of(zones: Zones, opponents: list[Cell], strategies: list[Cell]) -> list[str]:
    """What an author should look at, most serious first."""
    found = []
    if zones.empty > MANY_EMPTY:
        found.append(
            f"Empty zone in {percent(zones.empty)} of seeds: no price suits both, and walking away is right."
        )
    if zones.shut_by_drift > MANY_SHUT:
        found.append(f"Drift events alone shut the zone in {percent(zones.shut_by_drift)} of seeds.")
    if zones.widened > MANY_WIDENED:
        found.append(
            f"In {percent(zones.widened)} of seeds the zone had to be widened to its least width: "
            "the limits jitter too much for how near they lie."
        )
    best = max(strategies, key=lambda cell: cell.efficiency)
    if best.name == "stonewaller":
        found.append(
            f"A strategy that never concedes does best (stonewaller, {percent(best.efficiency)} of the zone): "
            "the opponents give in without being given anything."
        )
    if best.name == "capitulator":
        found.append(
            f"A strategy that gives in at once does best (capitulator, {percent(best.efficiency)} of the zone): "
            "bargaining does not pay."
        )
    found.extend(
        f"{cell.name}: only {percent(cell.deal_rate)} of the games end in a deal."
        for cell in opponents
        if cell.deal_rate < FEW_DEALS
    )
    return found
