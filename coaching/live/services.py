"""Writes of comments and verdicts."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from coaching.live.models import Comment, TalkSeen, Verdict
from coaching.room.models import Rubric
from negotiation.models import Game, Redaction

EDIT_WITHIN = timedelta(minutes=15)


class CommentRefused(ValueError):
    """This can't be written now; the message is for the person."""


def editable(comment: Comment) -> bool:
    """Whether its author may still change the words: within a quarter of an hour."""
    return bool(comment.text) and timezone.now() - comment.written_at < EDIT_WITHIN


@transaction.atomic
def comment_write(
    *, game: Game, author: User, text: str, turn: int, parent: Comment | None = None
) -> Comment:
    """Say something about a turn, or answer what was said about one; an answer keeps the turn of its thread.

    Raises:
        Refused: for a turn that was not played, an answer to another game's or to a deleted comment, or a game whose
            words were deleted.
    """
    game = _open(game)
    if parent is not None:
        parent = parent.parent or parent
        if parent.game_id != game.pk or parent.deleted_at is not None:
            raise CommentRefused("What you answer is no longer there.")
        turn = parent.turn
    last = game.turns + game.awaiting_reply
    if not 0 <= turn <= last:
        raise CommentRefused(f"Choose a turn from 0 to {last}.")
    return Comment.objects.create(game=game, author=author, turn=turn, parent=parent, text=text)


@transaction.atomic
def comment_edit(*, comment: Comment, text: str) -> None:
    """Change the words of a fresh comment; that it was changed is shown."""
    _open(comment.game)
    comment = Comment.objects.select_for_update().get(pk=comment.pk)
    if not editable(comment):
        raise CommentRefused("A comment can be changed for 15 minutes. Answer it instead.")
    if text != comment.text:
        comment.text, comment.edited_at = text, timezone.now()
        comment.save(update_fields=["text", "edited_at"])


def comment_delete(*, comment: Comment) -> None:
    """Empty a comment where it stands. Who deleted it, and when, stays."""
    Comment.objects.filter(pk=comment.pk, deleted_at=None).update(text="", deleted_at=timezone.now())


@transaction.atomic
def verdict_give(
    *, game: Game, by: User, grade: str, sentence: str, differs: str = "", rubric: Rubric | None = None
) -> Verdict:
    """Judge a finished game. A later verdict takes the place of an earlier one, which stays as history.

    The same verdict twice is one. Nothing here touches what the machine measured.
    """
    game = _open(game)
    if game.status != Game.Status.FINISHED:
        raise CommentRefused("A verdict can be given once the deal is over.")
    given = {"grade": grade, "sentence": sentence, "differs": differs, "rubric": rubric, "by": by}
    latest = Verdict.objects.filter(game=game).first()
    if latest is not None and all(getattr(latest, field) == value for field, value in given.items()):
        return latest
    return Verdict.objects.create(game=game, **given)


def talk_seen(*, game: Game, user: User) -> None:
    """From now on, whatever is there already is not new to this person."""
    TalkSeen.objects.update_or_create(game=game, user=user, defaults={"at": timezone.now()})


def words_forget(*, game: Game) -> None:
    """The words of comments and verdicts go with the transcript; that they were there, and the grades, stay."""
    Comment.objects.filter(game=game).update(text="")
    Verdict.objects.filter(game=game).update(sentence="", differs="")


def author_forget(*, author: User) -> None:
    """What a person who leaves wrote about others' games stays with those games, without a name."""
    Comment.objects.filter(author=author).update(author=None)
    Verdict.objects.filter(by=author).update(by=None)
    TalkSeen.objects.filter(user=author).delete()


def _open(game: Game) -> Game:
    """The game's row, locked, unless its words were deleted: new ones would outlive the old."""
    locked = Game.objects.select_for_update().get(pk=game.pk)
    if Redaction.objects.filter(table=locked).exists():
        raise CommentRefused(
            "The words of this deal were deleted, so nothing can be written about it any more."
        )
    return locked
