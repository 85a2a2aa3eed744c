"""A case as it was drawn for one game: both sides' worlds, and what each seat knows of its own."""

from __future__ import annotations

import numpy as np

from negotiation.engine.deal import hidden
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.drawn import SeatWorld, cells, clause, draw_world, option_factors
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.state import Sheet, ToldFact
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Seat, SeatTruth


def case_for(scenario: Scenario, wanted: bool | DealCase) -> DealCase | None:
    """The case to play with.

    Raises:
        ValueError: when one is wanted and the scenario has none, or the case is of another scenario.
    """
    if wanted is False:
        return None
    case = cases().get(scenario.id) if wanted is True else wanted
    if case is None or case.scenario != scenario.id:
        raise ValueError(f"there is no case of {scenario.id}")
    return case


def drawn_truths(
    play: CaseWorlds | None, scenario: Scenario, chances: Chances
) -> dict[Seat, hidden.SeatTruths]:
    """Both seats' truth, in a draw of one; with a case, terms are worth what the needs behind them make of them."""
    if play is None:
        return hidden.draw_truths(scenario, chances)
    factors = {seat: np.array([each]) for seat, each in play.option_factors.items()}
    return hidden.draw_truths(scenario, chances, factors)


class CaseWorlds:
    """The case of one game, whoever sits there."""

    def __init__(self, case: DealCase, scenario: Scenario, chances: Chances) -> None:
        self.case = case
        self._scenario = scenario
        self.worlds: dict[Seat, SeatWorld] = draw_world(case, chances)
        self._sheets: dict[Seat, tuple[tuple[bool, ...], Sheet]] = {}
        """Each seat's own side by its cells, which hardly ever change."""

    @property
    def option_factors(self) -> dict[Seat, tuple[float, ...]]:
        """What each seat's needs do to the worth of each option of all issues."""
        return {
            seat: option_factors(self._scenario, self.case.seats[seat], world)
            for seat, world in self.worlds.items()
        }

    def own_side(self, seat: Seat, truth: SeatTruth) -> Sheet:
        """What a seat knows of its own side."""
        now = self._cells(seat, truth)
        if seat not in self._sheets or self._sheets[seat][0] != now:
            self._sheets[seat] = now, self._own_side(seat, now)
        return self._sheets[seat][1]

    def _own_side(self, seat: Seat, now: tuple[bool, ...]) -> Sheet:
        side, world = self.case.seats[seat], self.worlds[seat]
        return Sheet(
            facts=tuple(
                ToldFact(
                    0, fact.id, fact.topic, clause(fact, high), high if fact.value or fact.need else None
                )
                for fact, high in zip(side.facts, now, strict=True)
            ),
            needs={need.id: world.weight(side, need.id) for need in side.needs},
            raised=(),
        )

    def _cells(self, seat: Seat, truth: SeatTruth) -> tuple[bool, ...]:
        return cells(self.case.seats[seat], seat, self.worlds[seat], truth, self._scenario.seats[seat])
