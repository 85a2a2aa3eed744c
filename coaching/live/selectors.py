"""Reads of comments and verdicts: threads by turn, the verdict beside the machine's score, what is new."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from accounts.selectors import teams_led_by
from coaching.live.access import may_judge, may_talk
from coaching.live.models import Comment, TalkSeen, Verdict
from coaching.live.services import editable
from coaching.reviews.selectors import review_of
from coaching.room.models import Rubric
from coaching.room.rubrics import rubrics_of
from coaching.room.setting import persona_name, title_of
from negotiation.models import Game

FAULTS = ("blunder", "mistake", "inaccuracy")


@dataclass(frozen=True, slots=True)
class ReadComment:
    """A comment as one reader sees it."""

    comment: Comment
    fresh: bool
    mine: bool
    editable: bool
    replies: tuple[ReadComment, ...] = ()

    @property
    def state(self) -> str:
        """``there``, ``deleted`` by its author, or ``gone`` with the transcript."""
        if self.comment.deleted_at is not None:
            return "deleted"
        return "there" if self.comment.text else "gone"


@dataclass(frozen=True, slots=True)
class CommentedTurn:
    """What was said about one turn."""

    turn: int
    threads: tuple[ReadComment, ...]


def talk_of(game: Game, reader: User) -> dict[str, Any] | None:
    """Everything that a page needs to show and take comments; ``None`` for those who may not read them."""
    if not may_talk(reader, game):
        return None
    seen = TalkSeen.objects.filter(game=game, user=reader).values_list("at", flat=True).first()
    comments = list(Comment.objects.filter(game=game).select_related("author"))
    replies: dict[int, list[Comment]] = {}
    for comment in comments:
        if comment.parent_id is not None:
            replies.setdefault(comment.parent_id, []).append(comment)

    def said(comment: Comment) -> ReadComment:
        mine = comment.author_id == reader.pk
        fresh = not mine and bool(comment.text) and (seen is None or comment.written_at > seen)
        below = tuple(said(reply) for reply in replies.get(comment.pk, ()))
        return ReadComment(comment, fresh, mine, mine and editable(comment), below)

    turns: dict[int, list[ReadComment]] = {}
    for comment in comments:
        if comment.parent_id is None:
            turns.setdefault(comment.turn, []).append(said(comment))
    return {
        "turns": [CommentedTurn(turn, tuple(threads)) for turn, threads in sorted(turns.items())],
        "count": sum(bool(comment.text) for comment in comments),
        "last_turn": game.turns + game.awaiting_reply,
        "choices": range(game.turns + game.awaiting_reply + 1),
        "closed": hasattr(game, "redaction"),
    }


def verdict_of(game: Game, reader: User) -> dict[str, Any]:
    """The manager's verdict and its history, with what the machine found beside it."""
    given = list(Verdict.objects.filter(game=game).select_related("by", "rubric"))
    judges = may_judge(reader, game)
    return {
        "standing": given[0] if given else None,
        "earlier": given[1:],
        "may_judge": judges and not hasattr(game, "redaction"),
        "grades": Verdict.Grade.choices,
        "rubrics": _rubrics(game) if judges else [],
        "faults": faults_of(game),
    }


def _rubrics(game: Game) -> list[Rubric]:
    """Those that the deal was checked by, then the others that the team uses."""
    checked = Rubric.objects.filter(checks__results__game=game).distinct()
    others = rubrics_of(game.team) if game.team else Rubric.objects.none()
    return list(dict.fromkeys([*checked, *others]))


def faults_of(game: Game) -> list[tuple[int, str]] | None:
    """What the machine's review found, by severity: how many of which; ``None`` while there is no review."""
    review = review_of(game.pk)
    if review is None:
        return None
    counted = Counter(move["label"] for move in review["moves"])
    return [(counted[label], label) for label in FAULTS if counted[label]]


@dataclass(frozen=True, slots=True)
class Unread:
    """A deal about which something new was said."""

    game: Game
    title: str
    persona: str
    comments: int
    verdict: bool


def unread_of(reader: User) -> list[Unread]:
    """What is new to this person: about own deals, and about deals of a led team on which they have said something."""
    took_part = Q(team__in=teams_led_by(reader)) & (Q(comments__author=reader) | Q(verdicts__by=reader))
    games = Game.objects.filter(Q(player=reader) | took_part, status=Game.Status.FINISHED)
    comments = Comment.objects.exclude(author=reader).exclude(text="")
    verdicts = Verdict.objects.exclude(by=reader)
    said, judged = _fresh(comments, "written_at", games, reader), _fresh(verdicts, "at", games, reader)
    rows = Game.objects.filter(pk__in={*said, *judged}).select_related("player", "scenario_version")
    return [
        Unread(game, title_of(game), persona_name(game.persona), said[game.pk], bool(judged[game.pk]))
        for game in rows.order_by("-finished_at")
    ]


def _fresh(rows: QuerySet[Any], when: str, games: QuerySet[Game], reader: User) -> Counter[Any]:
    """How many of the rows about each game were written since its reader last looked."""
    seen = TalkSeen.objects.filter(game=OuterRef("game"), user=reader).values("at")[:1]
    new = rows.filter(game__in=games).annotate(seen=Subquery(seen))
    new = new.filter(Q(seen=None) | Q(**{f"{when}__gt": F("seen")}))
    return Counter(new.order_by().values_list("game", flat=True))


def said_about(game: Game) -> dict[str, Any]:
    """The comments and verdicts on a game, for its player to take along."""
    comments = Comment.objects.filter(game=game).select_related("author")
    verdicts = Verdict.objects.filter(game=game).select_related("by", "rubric")
    return {
        "comments": [_kept(one) | {"by": _name(one.author)} for one in comments],
        "verdicts": [_judged(one) | {"by": _name(one.by)} for one in verdicts],
    }


def written_by(author: User) -> dict[str, Any]:
    """The comments and verdicts that somebody gave, for themselves to take along."""
    comments = Comment.objects.filter(author=author)
    verdicts = Verdict.objects.filter(by=author).select_related("rubric")
    return {
        "comments": [_kept(one) | {"game": str(one.game_id)} for one in comments],
        "verdicts": [_judged(one) | {"game": str(one.game_id)} for one in verdicts],
    }


def _kept(comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.pk,
        "answers": comment.parent_id,
        "turn": comment.turn,
        "text": comment.text,
        "written": comment.written_at,
        "edited": comment.edited_at,
        "deleted": comment.deleted_at,
    }


def _judged(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": verdict.grade,
        "sentence": verdict.sentence,
        "why_it_differs": verdict.differs,
        "rubric": verdict.rubric.name if verdict.rubric else None,
        "at": verdict.at,
    }


def _name(person: User | None) -> str:
    return person.get_full_name() if person else ""
