"""Reads for spectators and debriefs."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from accounts.models import User
from accounts.selectors import leads_team
from coaching.models import SpectatorLink
from negotiation import catalogue
from negotiation.events import Role
from negotiation.models import Game
from negotiation.selectors import frames_after
from negotiation.table.links import LinkRefused, link_of

SHARED = frozenset({SpectatorLink.Scope.DEBRIEF, SpectatorLink.Scope.PLAYED})
"""Scopes of links that share a finished deal, as a page without a socket."""
LIVE = frozenset({SpectatorLink.Scope.WATCH, SpectatorLink.Scope.COACH})
"""Scopes of links onto a deal that is being played; they name its player unless it is said otherwise."""


@dataclass(frozen=True, slots=True)
class OpenedLink:
    """A link that opens, and what one sees through it."""

    link: SpectatorLink
    role: Role


def link_opened(token: str, *, viewer: User | None) -> OpenedLink:
    """The link that a token opens for this viewer at this moment, or ``LinkRefused``."""
    link = link_of(SpectatorLink, token, "game__player")
    if link.scope in SHARED:
        raise LinkRefused("unknown")
    if link.scope == SpectatorLink.Scope.WATCH:
        return OpenedLink(link, "watcher")
    if link.game.is_live:
        if viewer is not None and link.game.player_id == viewer.pk:
            raise LinkRefused("own_live_game")
        if link.scope == SpectatorLink.Scope.REPLAY:
            raise LinkRefused("not_over_yet")
    return OpenedLink(link, "coach")


def shared_opened(token: str) -> SpectatorLink:
    """The link to a shared deal that a token opens, or ``LinkRefused``. A link to watch by is not one."""
    link = link_of(SpectatorLink, token, "game__player")
    if link.scope not in SHARED:
        raise LinkRefused("unknown")
    if link.game.status != Game.Status.FINISHED:
        raise LinkRefused("not_over_yet")
    return link


def may_share(user: User, game: Game) -> bool:
    """Links are made by the player, and by those who lead the team that the game belongs to."""
    return game.player_id == user.pk or leads_team(user, game.team_id)


def game_to_share(game_id: uuid.UUID, user: User) -> Game | None:
    """The game, if this person may make links to it."""
    game = Game.objects.select_related("player").filter(pk=game_id).first()
    return game if game is not None and may_share(user, game) else None


def links_of(game: Game) -> list[dict[str, Any]]:
    """The links to a game that somebody made, without their tokens, which nobody knows any more."""
    links = game.links.annotate(seen=Count("views")).select_related("created_by").order_by("-created_at")
    return [
        {
            "id": str(link.id),
            "scope": link.scope,
            "named": link.named,
            "by": link.created_by.get_full_name(),
            "created_at": link.created_at.isoformat(),
            "expires_at": link.expires_at.isoformat(),
            "revoked": link.revoked_at is not None,
            "views": link.seen,
        }
        for link in links
    ]


def game_to_debrief(game_id: uuid.UUID, user: User) -> Game | None:
    """The game, if this person may read its debrief: the player, or who leads the team."""
    return game_to_share(game_id, user)


def debrief_of(game: Game) -> dict[str, Any]:
    """The whole debrief of a finished game."""
    # Analysis brings NumPy code that only this page needs.
    from coaching.analysis.debrief import debrief

    return debrief(frames_after(game.id, 0, "coach"), catalogue.for_game(game), catalogue.case_for(game))


def figures_of(debrief: dict[str, Any]) -> list[dict[str, Any]]:
    """The figures of a debrief, each with its data table."""
    from coaching.analysis.figures import figures

    return figures(debrief)
