"""The first deal: what it is, and who is guided through it: a guest, until it is over or the guide is left."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.http import HttpRequest

from negotiation import catalogue
from negotiation.engine.deal import Seat, personas
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

LEFT = "guide_left"
"""In the session, where a guest lives: the guide was left, and never comes back."""


def is_guided(request: HttpRequest, game: Game) -> bool:
    """Whether this table is shown one control at a time.

    The guide is of deals over the price alone: with terms there is more on the table than it speaks of.
    """
    player = game.player
    return (
        player.is_guest
        and game.is_live
        and game.parent_id is None
        and not game.assisted
        and not request.session.get(LEFT, False)
        and not Game.objects.filter(player=player).exclude(pk=game.pk).exists()
    )


def guide_leave(request: HttpRequest) -> None:
    """Never again for this guest."""
    request.session[LEFT] = True


def first_deal_card() -> dict[str, Any]:
    """What the landing page tells of the first deal: who sits across, and what it is about."""
    scenario = catalogue.shipped()[FIRST_DEAL.scenario]
    return {
        **seat_brief(scenario, FIRST_DEAL.seat),
        "summary": scenario.summary,
        "persona": persona_card(personas()[FIRST_DEAL.persona]),
    }
