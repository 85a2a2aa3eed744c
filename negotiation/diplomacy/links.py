"""Links for spectators of a board: made, looked through, withdrawn."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from negotiation.diplomacy.models import BoardEvent, BoardGame, BoardLink, BoardLinkView
from negotiation.diplomacy.selectors import Opened, Place
from negotiation.table import links
from negotiation.table.log import append

_LINK_LIFE = timedelta(days=7)


def link_create(*, place: Place, user: User) -> tuple[BoardLink, str]:
    """A new link for a spectator and its token, which is given out this once."""
    return links.link_create(BoardLink, created_by=user, lifetime=_LINK_LIFE, game=place.game)


@transaction.atomic
def link_view(*, opened: Opened, viewer: User | None) -> None:
    """Somebody looks through a link: where it shows the truth of a live game, all at the table are told and the game is
    marked."""
    if not opened.reveals:
        return
    game = BoardGame.objects.select_for_update().get(pk=opened.link.game_id)
    if not game.is_live or BoardLinkView.objects.filter(link=opened.link, viewer=viewer).exists():
        return
    BoardLinkView.objects.create(link=opened.link, viewer=viewer)
    game.assisted = True
    power = game.seats.get(user=opened.link.created_by_id).power
    append(BoardEvent, game, [("watched", {"power": power})])
    game.save()


@transaction.atomic
def links_revoke(*, place: Place, user: User) -> int:
    """Withdraw the links that somebody made; who watches through them is shown out."""
    return links.links_revoke(BoardLink.objects.filter(game=place.game, created_by=user))
