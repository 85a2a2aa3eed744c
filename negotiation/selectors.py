"""Reads of games and their logs."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Team, User
from negotiation import catalogue
from negotiation.engine.deal import CARDS, personas
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Seat
from negotiation.engine.language import CONFIDENCE_TO_BIND, named_terms
from negotiation.events import Frame, Role, Snapshot, fold, redact
from negotiation.models import Event, Game
from negotiation.public import card_shown, case_sheet, issue_card
from negotiation.reading import heard_in_preview, read_snapshot
from negotiation.serving.selectors import voice_of
from negotiation.table import log
from negotiation.table.models import Logged


class GameRow(TypedDict):
    """One line of a lobby."""

    id: str
    player_name: str
    scenario: str
    scenario_title: str
    persona: str
    persona_name: str
    voice: str
    seat: str
    turn: int
    horizon: int
    status: str
    difficulty: float
    efficiency: float | None
    price: float | None
    currency: str
    assisted: bool
    assisted_reason: str
    branch_turn: int | None
    idle_minutes: int
    updated_at: datetime


def game_of_player(game_id: uuid.UUID, user: User) -> Game | None:
    """The game, if this very person plays it."""
    return (
        Game.objects.select_related("player", "team", "scenario_version")
        .filter(pk=game_id, player=user)
        .first()
    )


def games_of(user: User, *, status: Game.Status, limit: int = 50) -> list[GameRow]:
    """A player's own games, latest first."""
    return _rows(Game.objects.filter(player=user, status=status).order_by("-updated_at")[:limit])


def games_of_teams(teams: Iterable[Team], *, limit: int = 50) -> list[GameRow]:
    """Who of these teams plays now, longest idle first: the one who is stuck stands on top."""
    games = Game.objects.filter(team__in=teams, status=Game.Status.LIVE)
    return _rows(games.order_by("updated_at")[:limit])


def _rows(games: QuerySet[Game]) -> list[GameRow]:
    now = timezone.now()
    return [row_of(game, now) for game in games.select_related("player", "scenario_version")]


def row_of(game: Game, now: datetime) -> GameRow:
    """One game as a line."""
    scenario = catalogue.known_for_game(game)
    persona = personas().get(game.persona)
    return {
        "id": str(game.id),
        "player_name": game.player.get_full_name(),
        "scenario": game.scenario,
        "scenario_title": scenario.title if scenario else game.scenario,
        "persona": game.persona,
        "persona_name": persona.name if persona else game.persona,
        "voice": voice_of(game),
        "seat": game.seat,
        "turn": game.turns,
        "horizon": game.horizon,
        "status": game.status,
        "difficulty": game.difficulty,
        "efficiency": game.efficiency,
        "price": game.price,
        "currency": scenario.currency if scenario else "$",
        "assisted": game.assisted,
        "assisted_reason": game.assisted_reason,
        "branch_turn": game.branch_turn,
        "idle_minutes": int((now - game.updated_at).total_seconds() // 60),
        "updated_at": game.updated_at,
    }


def log_after(game_id: uuid.UUID, seq: int) -> list[Logged]:
    """The events past ``seq``, oldest first."""
    return log.after(Event, game_id, seq)


def last_move(game: Game) -> Event:
    """The player's latest move."""
    return Event.objects.filter(game=game, type="player_moved").latest("seq")


def frames_after(game_id: uuid.UUID, seq: int, role: Role) -> list[Frame]:
    """The events past ``seq`` as ``role`` may see them."""
    return [redact(seq=row.seq, kind=row.type, data=row.data, role=role) for row in log_after(game_id, seq)]


def snapshot_of(game_id: uuid.UUID, role: Role) -> Snapshot:
    """The whole game as ``role`` may see it."""
    return fold(frames_after(game_id, 0, role))


def _setup_of(game_id: uuid.UUID) -> Snapshot:
    """The first event alone, as anybody who watches may see it."""
    return fold(frames_after(game_id, 0, "watcher")[:1])


def money_frame(scenario: Scenario) -> dict[str, Any]:
    """What a page needs to show and check figures of this scenario."""
    return {
        "id": scenario.id,
        "title": scenario.title,
        "low": scenario.plausible_low,
        "high": scenario.plausible_high,
        "step": scenario.step,
        "currency": scenario.currency,
        "per_label": scenario.per_label,
        "issues": [issue_card(issue) for issue in scenario.issues],
    }


def bootstrap_of(game: Game, *, role: Role, ws_url: str) -> dict[str, Any]:
    """What a table or a watch page starts from, before its socket is open.

    A page that will show hidden truth starts from the set-up alone: whatever fetches the address without opening
    the socket, such as a preview in a chat, gets nothing to show. ``head`` tells history from news.
    """
    snapshot = _setup_of(game.id) if role == "coach" else snapshot_of(game.id, role)
    persona = personas()[game.persona]
    return {
        "game_id": str(game.id),
        "ws_url": ws_url,
        "role": role,
        "snapshot": snapshot,
        "last_seq": snapshot["last_seq"],
        "head": game.last_seq,
        "status": game.status,
        "scenario": money_frame(catalogue.for_game(game)),
        "persona": {"id": persona.id, "name": persona.name},
        "cards": [card_shown(card) for card in CARDS.values()],
        "case": None if role == "watcher" else _case_of(game),
        "wordless": hasattr(game, "redaction"),
    }


def _case_of(game: Game) -> dict[str, Any] | None:
    case = catalogue.case_for(game)
    if case is None:
        return None
    return {**case_sheet(case, seat_of(game)), "width": catalogue.for_game(game).nominal_width}


def seat_of(game: Game) -> Seat:
    return "seller" if game.seat == "seller" else "buyer"


def games_awaiting(*, longer_than: timedelta) -> list[uuid.UUID]:
    """Live games whose reply is overdue: the process that owed it is gone."""
    due = Game.objects.filter(awaiting_reply=True, updated_at__lt=timezone.now() - longer_than)
    return list(due.values_list("id", flat=True)[:200])


def games_idle(*, longer_than: timedelta) -> list[uuid.UUID]:
    """Live games that nobody touched for so long."""
    idle = Game.objects.filter(status=Game.Status.LIVE, updated_at__lt=timezone.now() - longer_than)
    return list(idle.values_list("id", flat=True)[:500])


def reading_at(game: Game, text: str) -> dict[str, Any]:
    """What the player's words would be read as now: the data of a ``reading`` frame.

    Beside the parts of a :class:`Reading` it holds whether the words leave one meaning (``clear``), the ``terms`` that they
    name, and under ``case`` what they would be heard to do, where there is a case.
    """
    table = Event.objects.filter(game=game, type="turn_closed").latest("seq").data
    scenario, case, seat = catalogue.for_game(game), catalogue.case_for(game), seat_of(game)
    reading = read_snapshot(text, scenario=scenario, seat=seat, table=table)
    answers = Event.objects.filter(game=game, type="opponent_moved").order_by("seq")
    return {
        **asdict(reading),
        "clear": reading.confidence >= CONFIDENCE_TO_BIND,
        "terms": named_terms(text, scenario.option_names),
        "case": case
        and heard_in_preview(text, case, scenario, seat, list(answers.values_list("data", flat=True))),
    }
