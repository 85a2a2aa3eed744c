"""Who of a team plays now, and who could use a look. Only what any watcher may see: nothing hidden passes here."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zlib import crc32

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.timesince import timesince

from accounts.models import Team
from coaching.room import stuck
from coaching.room.assignment_selectors import AssignmentStanding, Matrix, matrix_of
from coaching.room.setting import currency_of, persona_name, title_of
from negotiation.events import visible_keys
from negotiation.models import Event, Game
from negotiation.services import SWAP
from negotiation.serving.selectors import voice_of

RECENT_EVENTS = 30
"""More than three whole turns add to a log."""


@dataclass(frozen=True, slots=True)
class LiveDeal:
    """One table with somebody at it."""

    id: str
    player_name: str
    scenario_title: str
    persona: str
    persona_name: str
    voice: str
    seat: str
    turn: int
    horizon: int
    band: str
    standing_offer: float | None
    own_offer: float | None
    currency: str
    assisted: bool
    branch_turn: int | None
    swapped: bool
    assignment: str
    moved_at: datetime
    idle_seconds: int
    stuck: list[str]
    held: bool = False
    """Whether the page that asks shows it already as it is."""

    @property
    def away(self) -> bool:
        """Left rather than stuck: nobody has moved for an hour."""
        return self.idle_seconds >= stuck.AWAY_SECONDS

    @property
    def idle_words(self) -> str:
        """How long ago the last move was."""
        return stuck.spell(self.idle_seconds)

    @property
    def mark(self) -> str:
        """What tells two states of a table apart that look different: all of it but the seconds, which the page counts."""
        shown = replace(self, idle_seconds=0, held=False)
        return f"{crc32(repr((shown, self.away)).encode()):08x}"


def with_held(deals: list[LiveDeal], marks: Collection[str]) -> list[LiveDeal]:
    """The tables, with those marked as held that a page shows already; ``marks`` are those of its rows."""
    return [replace(deal, held=deal.mark in marks) for deal in deals]


MOST_SHOWN = 100


def live_deals(team: Team, *, limit: int = MOST_SHOWN) -> list[LiveDeal]:
    """The team's open tables: the stuck ones first, then those in play, then those that were left."""
    return in_order(_rows(_live(team)[:limit]))


def live_deals_again(team: Team, shown: Iterable[LiveDeal], changed: Collection[uuid.UUID]) -> list[LiveDeal]:
    """The team's open tables where those of ``shown`` that are not among ``changed`` stand as they stood."""
    stayed = [deal for deal in shown if uuid.UUID(deal.id) not in changed]
    found = [*stayed, *_rows(_live(team).filter(pk__in=changed))]
    return in_order(sorted(found, key=lambda deal: deal.moved_at, reverse=True)[:MOST_SHOWN])


def in_order(rows: Iterable[LiveDeal]) -> list[LiveDeal]:
    """Who needs a look first, then who plays, then what was left; among each the latest move first."""
    return sorted(rows, key=lambda row: (row.away, not row.stuck, -row.moved_at.timestamp()))


def _live(team: Team) -> QuerySet[Game]:
    return (
        Game.objects.filter(team=team, status=Game.Status.LIVE)
        .select_related("player", "scenario_version", "attempt__assignment")
        .order_by("-updated_at")
    )


def _rows(found: Iterable[Game]) -> list[LiveDeal]:
    games = list(found)
    recent = _recent_events(games)
    now = timezone.now()
    return [_row(game, recent[game.pk], now) for game in games]


class SeenEvent(NamedTuple):
    """One recent event of a table, as any watcher may see it."""

    kind: str
    data: dict[str, Any]
    at: datetime


def _recent_events(games: list[Game]) -> defaultdict[Any, list[SeenEvent]]:
    rows = (
        Event.objects.filter(game__in=games, type__in=("player_moved", "turn_closed"))
        .filter(seq__gt=F("game__last_seq") - RECENT_EVENTS)
        .order_by("seq")
        .values_list("game_id", "type", "data", "created_at")
    )
    found: defaultdict[Any, list[SeenEvent]] = defaultdict(list)
    for game_id, kind, data, at in rows:
        shown = visible_keys(kind, "watcher")  # type: ignore[arg-type]  # one of the two asked for
        found[game_id].append(SeenEvent(kind, {key: data[key] for key in shown if key in data}, at))
    return found


def _row(game: Game, events: list[SeenEvent], now: datetime) -> LiveDeal:
    table = next(seen.data for seen in reversed(events) if seen.kind == "turn_closed")
    moved_at = events[-1].at
    idle = max(0.0, (now - moved_at).total_seconds())
    currency = currency_of(game)
    attempt = getattr(game, "attempt", None)
    return LiveDeal(
        id=str(game.pk),
        player_name=game.player.get_full_name(),
        scenario_title=title_of(game),
        persona=game.persona,
        persona_name=persona_name(game.persona),
        voice=voice_of(game),
        seat=game.seat,
        turn=game.turns,
        horizon=game.horizon,
        band=table["tension_band"],
        standing_offer=table["standing_offer"],
        own_offer=table["own_offer"],
        currency=currency,
        assisted=game.assisted,
        branch_turn=game.branch_turn,
        swapped=game.assisted_reason == SWAP,
        assignment=attempt.assignment.title if attempt else "",
        moved_at=moved_at,
        idle_seconds=int(idle),
        stuck=stuck.reasons(
            idle_seconds=idle,
            awaits_rep=not game.awaiting_reply,
            own_offers=[seen.data["offer"] for seen in events if seen.kind == "player_moved"],
            band=table["tension_band"],
            currency=currency,
        ),
    )


@dataclass(frozen=True, slots=True)
class EndedDeal:
    """A deal of the team that came to its end. ``share`` is of the zone; None where nothing could be won."""

    id: str
    player_name: str
    scenario_title: str
    persona_name: str
    share: float | None
    closed: bool
    comments: int
    ended_at: datetime

    @property
    def ago(self) -> str:
        """How long ago it ended, in one unit."""
        recent = timezone.now() - self.ended_at < timedelta(minutes=1)
        return "just now" if recent else f"{timesince(self.ended_at, depth=1)} ago"


def lately(team: Team, *, limit: int = 6) -> list[EndedDeal]:
    """The deals that ended last, the newest first: what a manager opens to coach from. Practice is left out."""
    games = (
        Game.objects.filter(team=team, status=Game.Status.FINISHED, parent=None)
        .select_related("player", "scenario_version")
        .annotate(said=Count("comments", filter=Q(comments__deleted_at=None)))
        .order_by("-finished_at")[:limit]
    )
    return [
        EndedDeal(
            id=str(game.pk),
            player_name=game.player.get_full_name(),
            scenario_title=title_of(game),
            persona_name=persona_name(game.persona),
            share=game.efficiency,
            closed=game.price is not None,
            comments=game.said,
            ended_at=game.finished_at,
        )
        for game in games
        if game.finished_at is not None
    ]


@dataclass(frozen=True, slots=True)
class Concern:
    """Somebody who does not get on with an assignment, and why."""

    player_name: str
    title: str
    assignment_id: int
    reason: str


def concerns(matrix: Matrix) -> list[Concern]:
    """Attempts used up without a pass, and deadlines that are near or over."""
    found = []
    for person, cells in matrix.rows:
        for cell in cells:
            reason = _concern(cell) if cell else None
            if cell and reason:
                found.append(
                    Concern(person.get_full_name(), cell.assignment.title, cell.assignment.pk, reason)
                )
    return found


def _concern(standing: AssignmentStanding) -> str | None:
    if standing.state == "failed":
        return f"All {standing.used} attempts used, not passed"
    if standing.state == "review":
        return "Played, and waits for your ticks"
    if standing.state != "passed" and standing.late:
        return "The deadline is over"
    if standing.due_soon and standing.assignment.deadline:
        left = (standing.assignment.deadline - timezone.now()).total_seconds()
        return f"Due in {stuck.spell(left)}, not passed"
    return None


def around(team: Team) -> dict[str, Any]:
    """What stands beside the tables in the part of the lobby that changes."""
    return {"team": team, "concerns": concerns(matrix_of(team)), "lately": lately(team)}
