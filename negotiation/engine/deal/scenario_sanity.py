"""What is unwise in a scenario that can be played: told to its author, refused to nobody."""

from __future__ import annotations

from negotiation.engine.deal.issues import labels
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_fields import Problem
from negotiation.engine.deal.tension import GRACE_TURNS
from negotiation.engine.deal.types import OTHER_SEAT, SIGN
from negotiation.engine.language import format_money

FEWEST_STEPS = 10
"""A price zone of fewer steps than this leaves hardly a figure to offer."""


def sanity(scenario: Scenario) -> tuple[Problem, ...]:
    """Warnings that the file alone can tell. ``negotiation.scenario_preview`` finds more by playing."""
    return (
        *_openings(scenario),
        *_steps(scenario),
        *_erosion(scenario),
        *_events(scenario),
        *_sweeteners(scenario),
        *_issues(scenario),
    )


def price_width(scenario: Scenario) -> float:
    """Money between the centres of both walk-aways, terms left out."""
    return scenario.seats["buyer"].walk_away - scenario.seats["seller"].walk_away


def _openings(scenario: Scenario) -> list[Problem]:
    found = []
    for seat, spec in scenario.seats.items():
        limit = scenario.seats[OTHER_SEAT[seat]].walk_away
        if SIGN[seat] * (spec.opening - limit) < 0:
            opening, theirs = format_money(spec.opening, scenario.money), format_money(limit, scenario.money)
            text = f"the {seat} opens at {opening}, inside the other side's limit of {theirs}: that much is given away"
            found.append(Problem((seat, "opening"), text))
    return found


def _steps(scenario: Scenario) -> list[Problem]:
    steps = price_width(scenario) / scenario.step
    if steps >= FEWEST_STEPS:
        return []
    return [Problem(("step",), f"the price zone is only {steps:g} steps wide, {FEWEST_STEPS} would be few")]


def _erosion(scenario: Scenario) -> list[Problem]:
    most = scenario.erosion_rate * max(0, scenario.horizon - GRACE_TURNS)
    if most >= 1:
        return []
    text = f"no conflict can collapse the zone: it takes at most {most:.0%} of it in {scenario.horizon} turns"
    return [Problem(("erosion_rate",), text)]


def _events(scenario: Scenario) -> list[Problem]:
    found = []
    if not scenario.drift:
        found.append(Problem(("drift",), "there is none: nothing tests whether the player adapts"))
    if scenario.market_events_per_game[1] == 0:
        found.append(Problem(("market_events_per_game",), "no headline ever falls"))
    return found


def _sweeteners(scenario: Scenario) -> list[Problem]:
    found = []
    for place, gift in enumerate(scenario.sweeteners, 1):
        if gift.cost >= gift.worth:
            text = f"{gift.cost:g} is not below its worth of {gift.worth:g}: giving it makes nobody richer"
            found.append(Problem(("sweetener", place, "cost"), text))
    found.extend(
        Problem(("sweetener",), f"the {seat} has none: the sweetener card is dead in that seat")
        for seat in SIGN
        if not scenario.sweeteners_of(seat)
    )
    return found


def _issues(scenario: Scenario) -> list[Problem]:
    found = []
    for place, issue in enumerate(scenario.issues, 1):
        for seat in SIGN:
            values = [option.value[seat] for option in issue.options]
            if max(values) - min(values) > price_width(scenario):
                text = f"to the {seat} it outweighs the price: {max(values) - min(values):g} is more than the price zone"
                found.append(Problem(("issue", place), text))
    best = {int(scenario.nominal_worths(seat).argmax()) for seat in SIGN}
    if scenario.issues and len(best) == 1:
        terms = ", ".join(labels(scenario.issues, best.pop()))
        found.append(
            Problem(("issue",), f"one bundle dominates: {terms} is best for both sides, nothing is traded")
        )
    return found
