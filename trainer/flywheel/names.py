"""What the ids in rows are called on a page."""

from __future__ import annotations

from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game
from negotiation.opponents.protocol import PERSON
from trainer.flywheel.models import Episode

SEATS = {"seller": "Seller", "buyer": "Buyer"}


def scenario_title(scenario_id: str) -> str:
    """The scenario's title; its id where it is not offered any more."""
    known = catalogue.playable().get(scenario_id)
    return known.title if known else scenario_id


def persona_name(persona_id: str) -> str:
    """The opponent's name."""
    if persona_id == PERSON:
        return "A person"
    known = personas().get(persona_id)
    return known.name if known else persona_id or "–"


def name_of(part: str, value: str) -> str:
    """A value of an episode's column in words."""
    if part == "scenario":
        return scenario_title(value)
    if part == "persona":
        return persona_name(value)
    tables: dict[str, dict[str, str]] = {
        "seat": SEATS,
        "source": {str(k): str(v) for k, v in Episode.Source.choices},
        "opponent": {str(k): str(v) for k, v in Game.Opponent.choices},
    }
    return tables.get(part, {}).get(value, "A person elsewhere" if part == "opponent" else value)


def scenario_choices() -> list[tuple[str, str]]:
    """Every scenario that episodes are of."""
    ids = Episode.objects.order_by().values_list("scenario", flat=True).distinct()
    return sorted(((each, scenario_title(each)) for each in ids), key=lambda pair: pair[1])


def persona_choices() -> list[tuple[str, str]]:
    """Every persona that episodes were played against."""
    ids = Episode.objects.exclude(persona="").order_by().values_list("persona", flat=True).distinct()
    return sorted(((each, persona_name(each)) for each in ids), key=lambda pair: pair[1])
