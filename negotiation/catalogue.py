"""The scenarios of this house: those that ship, and those that its admins have published.

The one place that the web asks. A game stays on the texts that it was started with, of the deal and of the world
behind it, whatever is edited, published, withdrawn or shipped later. Parsing is cached by the text itself, so no process
can hold a stale scenario.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache

import structlog

from negotiation.engine.deal import Scenario, ScenarioError, scenarios
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.file import case_texts, ground_of, read_case
from negotiation.engine.deal.scenario_file import read_scenario, scenario_texts
from negotiation.models import AuthoredScenario, Game, KeptText, ScenarioVersion

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Listed:
    """A scenario that a deal can be started with. ``version`` is None for one that ships."""

    scenario: Scenario
    version: ScenarioVersion | None


@lru_cache(maxsize=128)
def _read(text: str) -> Scenario:
    return read_scenario(text, "scenario")


@lru_cache(maxsize=128)
def _read_case(text: str, scenario: str) -> DealCase:
    return read_case(text, "case", ground_of(_read(scenario)))


def digest_of(text: str) -> str:
    """The name under which a text is kept."""
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _shipped_by_digest() -> dict[str, str]:
    return {digest_of(text): text for text in (*scenario_texts().values(), *case_texts().values())}


@lru_cache(maxsize=256)
def _kept(digest: str) -> str:
    """A kept text. Of those that ship today nobody needs to ask the database."""
    shipped_today = _shipped_by_digest().get(digest)
    return shipped_today if shipped_today is not None else KeptText.objects.get(pk=digest).text


def keep(text: str | None) -> KeptText | None:
    """Keep a text that ships, for the games that start with it."""
    if text is None:
        return None
    return KeptText.objects.get_or_create(pk=digest_of(text), defaults={"text": text})[0]


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
    return on_texts(game.scenario, game.scenario_version, game.scenario_text_id)


def on_texts(scenario: str, version: ScenarioVersion | None, text: str | None) -> Scenario:
    """The scenario that a table was set with: an author's version, a kept text, or the one that ships.

    Args:
        text: under which name the text is kept.

    Raises:
        KeyError: when it shipped once and does no more.
    """
    if version is not None:
        return _read(version.text)
    if text is not None:
        return _read(_kept(text))
    return scenarios()[scenario]


def case_for(game: Game) -> DealCase | None:
    """The world behind the deal that this game was started with, where there is one."""
    return case_on_texts(game.case_text_id, game.scenario_text_id)


def case_on_texts(case: str | None, text: str | None) -> DealCase | None:
    """The world behind a deal, by the names under which its text and the scenario's are kept."""
    if case is None or text is None:
        return None
    return _read_case(_kept(case), _kept(text))


def texts_for_new(listed: Listed) -> tuple[str | None, str | None]:
    """The texts that a new game is to be kept on: of the deal, and of the world behind it."""
    if listed.version is not None:
        return None, None
    id_ = listed.scenario.id
    return scenario_texts()[id_], case_texts().get(id_)


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
