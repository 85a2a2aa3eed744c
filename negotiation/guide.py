"""Who is guided through a deal: a guest, on the very first one, until it is over or the guide is left."""

from __future__ import annotations

from django.http import HttpRequest

from negotiation.models import Game

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
