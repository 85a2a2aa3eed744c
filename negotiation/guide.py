"""The first deal: what it is, and who is guided through it: a guest, until it is over or the guide is left."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db.models import F

from accounts.models import User
from negotiation import catalogue
from negotiation.engine.deal import Scenario, Seat, personas
from negotiation.engine.personas import USUAL
from negotiation.models import Game
from negotiation.public import persona_card, seat_brief


class FirstDeal(NamedTuple):
    """A table."""

    scenario: str
    persona: str
    seat: Seat


FIRST_DEAL: Final = FirstDeal("saas_enterprise", USUAL, "seller")
"""The deal that a guest begins with, one press from the landing page, which speaks of it."""


def guided_turns_of(player: User, scenario: Scenario) -> int | None:
    """How many turns of a new deal are guided: all of a guest's first; ``None`` for a deal without the guide.

    The guide is of deals over the price alone: with terms there is more on the table than it speaks of.
    """
    first = player.is_guest and not scenario.issues and not Game.objects.filter(player=player).exists()
    return scenario.horizon if first else None


def is_guided(game: Game) -> bool:
    """Whether this table is shown one control at a time."""
    return game.is_live and not game.assisted and game.turns < (game.guided_turns or 0)


def guide_leave(game: Game) -> None:
    """The rest of the deal is played at the whole table."""
    Game.objects.filter(pk=game.pk, guided_turns__isnull=False).update(guided_turns=F("turns"))


def first_deal_card() -> dict[str, Any]:
    """What the landing page tells of the first deal: who sits across, and what it is about."""
    scenario = catalogue.shipped()[FIRST_DEAL.scenario]
    return {
        **seat_brief(scenario, FIRST_DEAL.seat),
        "summary": scenario.summary,
        "persona": persona_card(personas()[FIRST_DEAL.persona]),
    }
