"""What deals are called and which can be set: the one place where the room asks for scenarios and personas."""

from __future__ import annotations

from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game


def scenario_title(scenario_id: str) -> str:
    """The title that people know it by; the id where it is not played any more."""
    listed = catalogue.find(scenario_id)
    return listed.scenario.title if listed else scenario_id


def title_of(game: Game) -> str:
    """The title of the very text that this game is played on."""
    scenario = catalogue.known_for_game(game)
    return scenario.title if scenario else game.scenario


def currency_of(game: Game) -> str:
    """The sign of its money."""
    scenario = catalogue.known_for_game(game)
    return scenario.currency if scenario else "$"


def persona_name(persona_id: str) -> str:
    """The opponent's name; the id where nobody of that name plays any more."""
    persona = personas().get(persona_id)
    return persona.name if persona else persona_id


def scenario_choices() -> list[tuple[str, str]]:
    """Scenarios that can be set now, for a form."""
    return [(name, scenario.title) for name, scenario in catalogue.playable().items()]


def persona_choices() -> list[tuple[str, str]]:
    """Opponents that can be set, for a form."""
    return [(persona.id, f"{persona.name}, {persona.title}") for persona in personas().values()]
