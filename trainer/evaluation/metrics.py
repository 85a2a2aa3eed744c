"""From records to figures: one row for each player, deal rate and share always side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from negotiation.engine.figures import Figure
from trainer.evaluation.intervals import Sums, difference, gap, mean, ratio
from trainer.evaluation.records import GameRecord


@dataclass(frozen=True, slots=True)
class Measure:
    """One column: what it is, which way is better, and how it follows from the records.

    Every measure is a ratio of sums over episodes: ``parts`` gives what an episode adds above and below.
    """

    id: str
    title: str
    better: int
    parts: Callable[[GameRecord], tuple[float, float]]

    def sums(self, records: Sequence[GameRecord]) -> Sums:
        """What stands above and below, one value an episode each."""
        pairs = [self.parts(record) for record in records]
        return [above for above, _ in pairs], [below for _, below in pairs]

    def of(self, records: Sequence[GameRecord]) -> Figure | None:
        """The measure of these episodes."""
        return ratio(*self.sums(records))


def _skill(record: GameRecord) -> tuple[float, float]:
    return (record.observer_error - record.limit_error, record.observer_error) if record.beliefs else (0, 0)


MEASURES: tuple[Measure, ...] = (
    Measure("efficiency", "Share of the zone, no deal counting 0", 1, lambda r: (r.efficiency, 1)),
    Measure(
        "deal_rate",
        "Deals, where there was one to be had",
        1,
        lambda r: (0, 0) if r.excused else (r.deal, 1),
    ),
    Measure(
        "share_of_deals",
        "Share of the zone in deals alone",
        1,
        lambda r: (r.efficiency, 1) if r.deal else (0, 0),
    ),
    Measure(
        "share_kept",
        "Share of the zone in games not closed beyond the own limit",
        1,
        lambda r: (0, 0) if r.breach else (r.efficiency, 1),
    ),
    Measure("breach_rate", "Closed beyond the own limit", -1, lambda r: (r.breach, 1)),
    Measure("reward", "Reward of the game", 1, lambda r: (r.reward, 1)),
    Measure("belief", "Accuracy of stated beliefs", 1, lambda r: (r.belief_score, r.beliefs)),
    Measure("tom_skill", "Skill at their limit: 0 as the reference observer, 1 perfect", 1, _skill),
    Measure("event_error", "Error about headlines", -1, lambda r: (r.event_error, r.events)),
    Measure(
        "bluffs_called",
        "Claims settled by calling a bluff",
        1,
        lambda r: (r.caught, r.caught + r.false_calls + r.swallowed),
    ),
    Measure("conceded", "Given away unmatched, in zones", -1, lambda r: (r.conceded, 1)),
    Measure("incoherent", "Incoherent moves a game", -1, lambda r: (r.incoherent, 1)),
    Measure("turns", "Turns", 0, lambda r: (r.turns, 1)),
    Measure("validity", "Well-formed answers", 1, lambda r: (r.answers - r.malformed, r.answers)),
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


def left_out(whole: Sequence[GameRecord], without: Sequence[GameRecord]) -> dict[str, Figure | None]:
    """What leaving something out took away of each measure: the whole less the rest, on the same deals in one order."""
    return {measure.id: gap(measure.sums(whole), measure.sums(without)) for measure in MEASURES}
