"""Links for spectators of a board: made, looked through, withdrawn."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from negotiation.diplomacy.models import BoardEvent, BoardGame, BoardLink, BoardLinkView
from negotiation.diplomacy.selectors import Opened, Place, hash_of
from negotiation.table.log import append
from negotiation.table.pings import announce_access

_LINK_LIFE = timedelta(days=7)


def link_create(*, place: Place, user: User) -> tuple[BoardLink, str]:
    """A new link for a spectator and its token, which is given out this once."""
    token = secrets.token_urlsafe(32)
    link = BoardLink.objects.create(
        game=place.game, created_by=user, token_hash=hash_of(token), expires_at=timezone.now() + _LINK_LIFE
    )
    return link, token


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
    gone = BoardLink.objects.filter(game=place.game, created_by=user, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    announce_access(place.game.pk)
    return gone
