"""What a manager takes away as CSV: games, attempts, ratings, comments. Written row by row, never held whole."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q

from accounts.models import Team
from coaching.live.models import Comment, Verdict
from coaching.room.models import Attempt, PersonRating
from coaching.room.setting import persona_name, scenario_choices, title_of
from negotiation.models import Game

Row = list[Any]

AT_ONCE = 500
"""Rows that are read together, with what belongs to them."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""


def safe(cell: Any) -> Any:
    """A cell that a spreadsheet shows and never runs: words that begin like a formula get an apostrophe in front."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="seconds")
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA):
        return "'" + cell
    return cell


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def lines(rows: Iterator[Row]) -> Iterator[str]:
    """The rows as CSV, with the mark by which spreadsheets know UTF-8."""
    writer = csv.writer(_Echo())
    yield "\ufeff"
    for row in rows:
        yield writer.writerow([safe(cell) for cell in row])


def games(team: Team) -> Iterator[Row]:
    """Every game of the team that is over."""
    yield [
        "rep", "email", "scenario", "opponent", "seat", "difficulty", "status", "assisted", "price",
        "efficiency", "points", "turns", "verdict", "in a sentence", "why we differ", "judged by", "comments",
        "started", "ended", "game",
    ]  # fmt: skip
    found = (
        Game.objects.filter(team=team)
        .exclude(status=Game.Status.LIVE)
        .select_related("player", "scenario_version")
        .annotate(said=Count("comments", filter=Q(comments__deleted_at=None)))
        .prefetch_related(Prefetch("verdicts", Verdict.objects.select_related("by")))
    )
    for game in found.order_by("finished_at").iterator(chunk_size=AT_ONCE):
        verdict = next(iter(game.verdicts.all()), None)
        judged = (
            (verdict.grade, verdict.sentence, verdict.differs, verdict.by) if verdict else ("", "", "", None)
        )
        yield [
            game.player.get_full_name(), game.player.email, title_of(game),
            persona_name(game.persona), game.seat, game.difficulty, game.status, game.assisted, game.price,
            game.efficiency, game.total_reward, game.turns, *judged[:3],
            judged[3].get_full_name() if judged[3] else "", game.said,
            game.created_at, game.finished_at, str(game.pk),
        ]  # fmt: skip


def comments(team: Team) -> Iterator[Row]:
    """What was said about the team's games that are over, turn by turn; deleted words are empty."""
    yield ["rep", "game", "turn", "comment", "answers", "by", "text", "written", "changed", "deleted"]
    found = Comment.objects.filter(game__team=team).exclude(game__status=Game.Status.LIVE)
    for one in found.select_related("game__player", "author").order_by("game_id", "turn", "pk").iterator():
        yield [
            one.game.player.get_full_name(), str(one.game_id), one.turn, one.pk, one.parent_id,
            one.author.get_full_name() if one.author else "", one.text, one.written_at, one.edited_at, one.deleted_at,
        ]  # fmt: skip


def attempts(team: Team) -> Iterator[Row]:
    """Every attempt at every assignment of the team."""
    yield [
        "assignment", "rep", "email", "attempt", "outcome", "late", "why", "efficiency", "pass mark", "rubric",
        "deadline", "started", "judged", "game",
    ]  # fmt: skip
    found = Attempt.objects.filter(assignment__team=team).select_related(
        "assignment", "user", "game", "rubric"
    )
    for one in found.order_by("assignment_id", "user_id", "number").iterator():
        yield [
            one.assignment.title, one.user.get_full_name(), one.user.email, one.number, one.outcome, one.late,
            one.why, one.game.efficiency, one.pass_efficiency, one.rubric.name if one.rubric else "",
            one.deadline, one.started_at, one.judged_at, str(one.game_id),
        ]  # fmt: skip


def ratings(team: Team) -> Iterator[Row]:
    """The ratings of the team's members, overall and by scenario."""
    yield ["rep", "email", "pool", "rating", "deviation", "low", "high", "games", "last rated"]
    titles = {"": "overall", **dict(scenario_choices())}
    found = PersonRating.objects.filter(user__memberships__team=team).select_related("user")
    for row in found.order_by("user_id", "pool").iterator():
        yield [
            row.user.get_full_name(), row.user.email, titles.get(row.pool, row.pool),
            round(row.rating), round(row.deviation, 1), round(row.rating - 2 * row.deviation),
            round(row.rating + 2 * row.deviation), row.games, row.rated_at,
        ]  # fmt: skip


KINDS: dict[str, Callable[[Team], Iterator[Row]]] = {
    "games": games,
    "attempts": attempts,
    "ratings": ratings,
    "comments": comments,
}
"""Every export by its name in the address."""
