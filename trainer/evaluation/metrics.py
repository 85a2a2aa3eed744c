"""From records to figures: one row for each player, deal rate and share always side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trainer.evaluation.intervals import Figure, difference, mean, ratio
from trainer.evaluation.records import GameRecord


@dataclass(frozen=True, slots=True)
class Measure:
    """One column: what it is, which way is better, how it follows from the records."""

    id: str
    title: str
    better: int
    of: Callable[[Sequence[GameRecord]], Figure | None]


def _skill(records: Sequence[GameRecord]) -> Figure | None:
    stated = [record for record in records if record.beliefs]
    return ratio(
        [record.observer_error - record.limit_error for record in stated],
        [record.observer_error for record in stated],
    )


def _calls(records: Sequence[GameRecord]) -> Figure | None:
    return ratio([r.caught for r in records], [r.caught + r.false_calls + r.swallowed for r in records])


MEASURES: tuple[Measure, ...] = (
    Measure(
        "efficiency", "Share of the zone, no deal counting 0", 1, lambda rs: mean([r.efficiency for r in rs])
    ),
    Measure(
        "deal_rate",
        "Deals, where there was one to be had",
        1,
        lambda rs: mean([r.deal for r in rs if not r.excused]),
    ),
    Measure(
        "share_of_deals",
        "Share of the zone in deals alone",
        1,
        lambda rs: mean([r.efficiency for r in rs if r.deal]),
    ),
    Measure("breach_rate", "Closed beyond the own limit", -1, lambda rs: mean([r.breach for r in rs])),
    Measure("reward", "Reward of the game", 1, lambda rs: mean([r.reward for r in rs])),
    Measure(
        "belief",
        "Accuracy of stated beliefs",
        1,
        lambda rs: ratio([r.belief_score for r in rs], [r.beliefs for r in rs]),
    ),
    Measure("tom_skill", "Skill at their limit: 0 as the reference observer, 1 perfect", 1, _skill),
    Measure(
        "event_error",
        "Error about headlines",
        -1,
        lambda rs: ratio([r.event_error for r in rs], [r.events for r in rs]),
    ),
    Measure("bluffs_called", "Claims settled by calling a bluff", 1, _calls),
    Measure("conceded", "Given away unmatched, in zones", -1, lambda rs: mean([r.conceded for r in rs])),
    Measure("incoherent", "Incoherent moves a game", -1, lambda rs: mean([r.incoherent for r in rs])),
    Measure("turns", "Turns", 0, lambda rs: mean([r.turns for r in rs])),
    Measure(
        "validity",
        "Well-formed answers",
        1,
        lambda rs: ratio([r.answers - r.malformed for r in rs], [r.answers for r in rs]),
    ),
)


def row(records: Sequence[GameRecord]) -> dict[str, Figure | None]:
    """Every measure of one player."""
    return {measure.id: measure.of(records) for measure in MEASURES}


def by_persona(records: Sequence[GameRecord]) -> dict[str, Figure | None]:
    """Efficiency against each persona."""
    names = sorted({record.task.persona for record in records})
    return {name: mean([r.efficiency for r in records if r.task.persona == name]) for name in names}


def gains(records: Mapping[str, Sequence[GameRecord]], over: str) -> dict[str, Figure | None]:
    """How much more of the zone each player won than ``over``, deal by deal."""
    baseline = [record.efficiency for record in records[over]]
    return {
        name: difference([record.efficiency for record in found], baseline)
        for name, found in records.items()
        if name != over
    }
