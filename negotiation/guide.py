"""The first deal: what it is, and who is guided through it: a guest, until it is over or the guide is left."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db.models import F

from accounts.models import User
from negotiation import catalogue
from negotiation.engine.deal import Negotiation, Scenario, Seat, personas
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


FIRST_DEAL_DRAWS: Final = 20
"""How often at most a guest's first deal is drawn anew for one with room: somebody may write a case that never has any."""


def guided_turns_of(player: User, scenario: Scenario) -> int | None:
    """How many turns of a new deal are guided: all of a guest's first; ``None`` for a deal without the guide.

    The guide is of deals over the price alone: with terms there is more on the table than it speaks of.
    """
    first = player.is_guest and not scenario.issues and not Game.objects.filter(player=player).exists()
    return scenario.horizon if first else None


def teaches_nothing(game: Game, table: Negotiation) -> bool:
    """Whether this is a first deal in which nothing can be closed: a guide to closing has nothing to show there.

    Such a table is drawn anew. That there is room in a first deal is no secret (docs/game.md); how much is.
    """
    return game.guided_turns is not None and table.truth.original_zone <= 0


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
