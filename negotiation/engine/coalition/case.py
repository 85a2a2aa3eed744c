"""The world behind a deal for three: the same format as of deals for two, with three seats and their own figures."""

from __future__ import annotations

from functools import cache

from negotiation.engine.coalition.scenario import CoalitionScenario, coalition_scenarios
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.file import Ground, case_path, read_case


def ground_of(scenario: CoalitionScenario) -> Ground:
    """What the case of a deal for three stands on: the figures that each seat's chances name."""
    return Ground(scenario.id, {seat: tuple(spec.chances) for seat, spec in scenario.seats.items()})


@cache
def coalition_cases() -> dict[str, DealCase]:
    """The cases of the deals for three that ship, by the id of their scenario. They are not in play yet."""
    found = {}
    for id_, scenario in coalition_scenarios().items():
        path = case_path(id_)
        if path.exists():
            found[id_] = read_case(path.read_text(encoding="utf-8"), path.name, ground_of(scenario))
    return found
