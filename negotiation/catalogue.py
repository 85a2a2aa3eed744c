"""The scenarios of this house: those that ship, and those that its admins have published.

The one place that the web asks. A game stays on the text that it was started with, whatever is edited,
published or withdrawn later. Parsing is cached by the text itself, so no process can hold a stale scenario.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import structlog

from negotiation.engine.deal import Scenario, ScenarioError, scenarios
from negotiation.engine.deal.scenario_file import read_scenario
from negotiation.models import AuthoredScenario, Game, ScenarioVersion

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Listed:
    """A scenario that a deal can be started with. ``version`` is None for one that ships."""

    scenario: Scenario
    version: ScenarioVersion | None


@lru_cache(maxsize=128)
def _read(text: str) -> Scenario:
    return read_scenario(text, "scenario")


def shipped() -> dict[str, Scenario]:
    """The scenarios of the product itself, by id."""
    return scenarios()


def playable() -> dict[str, Scenario]:
    """Every scenario that a new deal can be started with, by id: the shipped ones first."""
    return {name: listed.scenario for name, listed in _listed().items()}


def find(scenario_id: str) -> Listed | None:
    """The scenario to start a new deal with, and its version; None when there is none to play."""
    return _listed().get(scenario_id)


def for_game(game: Game) -> Scenario:
    """The scenario that this game was started with.

    Raises:
        KeyError: when it shipped once and does no more.
    """
    if game.scenario_version is not None:
        return _read(game.scenario_version.text)
    return scenarios()[game.scenario]


def of_version(version: ScenarioVersion) -> Scenario:
    """The scenario as this version has it."""
    return _read(version.text)


def known_for_game(game: Game) -> Scenario | None:
    """As ``for_game``, or None where this release can't read the scenario any more."""
    try:
        return for_game(game)
    except (KeyError, ScenarioError):
        return None


def _listed() -> dict[str, Listed]:
    found = {name: Listed(scenario, None) for name, scenario in scenarios().items()}
    published = AuthoredScenario.objects.filter(published__isnull=False).select_related("published")
    for authored in published:
        version = authored.published
        if version is None or authored.slug in found:
            continue
        try:
            found[authored.slug] = Listed(_read(version.text), version)
        except ScenarioError:
            # It was valid when it was published: the format has moved on since.
            log.exception("published_scenario_unreadable", scenario=authored.slug, version=version.number)
    return found
