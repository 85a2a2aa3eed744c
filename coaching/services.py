"""Writes of spectators: links, views of links, whispers."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db import transaction

from accounts.models import User
from coaching.models import LinkView, SpectatorLink
from coaching.selectors import LIVE, OpenedLink
from negotiation.models import Game
from negotiation.services import Submitted, game_watched, game_whisper
from negotiation.table import links
from negotiation.table.errors import MoveRefused

LIFETIME = timedelta(hours=24)
LIFETIMES = (1, 7, 30)
"""For how many days a link can be made to open."""
MAX_WHISPER = 500


def link_create(
    *, game: Game, created_by: User, scope: str, lifetime: timedelta = LIFETIME, named: bool = True
) -> tuple[SpectatorLink, str]:
    """A new link and its token. The token is given out this once; only its hash is kept.

    Args:
        named: whether the link says whose deal it is; of a finished one only its player can say so.
    """
    own = scope in LIVE or game.player_id == created_by.pk
    columns = {"game": game, "scope": scope, "named": named and own}
    return links.link_create(SpectatorLink, created_by=created_by, lifetime=lifetime, **columns)


@transaction.atomic
def link_revoke(*, link: SpectatorLink) -> None:
    """Withdraw a link; whoever watches through it is shown out at once."""
    links.links_revoke(SpectatorLink.objects.filter(pk=link.pk))


@transaction.atomic
def link_view(*, opened: OpenedLink, viewer: User | None, kind: LinkView.Kind) -> None:
    """Note that somebody looked. Whoever sees the truth of a live game makes it an assisted one, and is told at the table:
    by name, and where nobody is signed in by who made the link. Once for each viewer of a link.

    The page by itself holds no truth; it comes over the socket.
    """
    link = opened.link
    seen = LinkView.objects.filter(link=link, viewer=viewer, kind=LinkView.Kind.SOCKET).exists()
    LinkView.objects.create(link=link, viewer=viewer, kind=kind)
    if opened.role == "coach" and kind == LinkView.Kind.SOCKET and link.game.is_live and not seen:
        by = viewer.get_full_name() if viewer else ""
        game_watched(game_id=link.game_id, by=by, maker=link.created_by.get_full_name())


def shared_view(*, link: SpectatorLink, viewer: User | None) -> None:
    """Note that somebody read a shared deal."""
    LinkView.objects.create(link=link, viewer=viewer, kind=LinkView.Kind.PAGE)


def whisper(*, opened: OpenedLink, viewer: User | None, action_id: uuid.UUID, text: str) -> Submitted:
    """A coach's note to the player."""
    text = text.strip()
    if not text:
        raise MoveRefused("empty_whisper", "Write the note first.", "text")
    if len(text) > MAX_WHISPER:
        raise MoveRefused("text_too_long", f"A note has at most {MAX_WHISPER} characters.", "text")
    author = viewer.get_full_name() if viewer else "Coach"
    return game_whisper(game_id=opened.link.game_id, action_id=action_id, author=author, text=text)
