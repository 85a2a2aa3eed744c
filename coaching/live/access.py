"""Who may read, write and judge: the one place that decides. Whatever is not yours does not exist for you."""

from __future__ import annotations

import uuid

from django.http import Http404

from accounts.models import User
from coaching.live.models import Comment
from coaching.room.access import may_tick
from negotiation.models import Game


def may_judge(user: User, game: Game) -> bool:
    """Verdicts are given by those who lead the team, and by nobody on a deal of their own."""
    return may_tick(user, game)


def may_talk(user: User, game: Game) -> bool:
    """Who leads the team reads and writes at any time, the player once the deal is over.

    While it is live a comment may rest on hidden truth, so its player must not see that there is one.
    """
    if game.player_id == user.pk:
        return not game.is_live
    return may_judge(user, game)


def talked_about(user: User, game_id: uuid.UUID) -> Game:
    """The game, if this person may read what is said about it; 404 for everybody else."""
    game = Game.objects.select_related("player", "team").filter(pk=game_id).first()
    if game is None or not may_talk(user, game):
        raise Http404("There is no such deal of yours.")
    return game


def judged_by(user: User, game_id: uuid.UUID) -> Game:
    """The game, if this person may give a verdict on it; 404 for everybody else."""
    game = Game.objects.select_related("player", "team").filter(pk=game_id).first()
    if game is None or not may_judge(user, game):
        raise Http404("There is no such deal of yours.")
    return game


def own_comment(user: User, game: Game, comment_id: int) -> Comment:
    """A comment that this very person wrote and that still stands."""
    found = Comment.objects.filter(game=game, pk=comment_id, author=user, deleted_at=None).first()
    if found is None:
        raise Http404("There is no such comment of yours.")
    return found
