"""Reads of the board: whose a game is, its log, how it stands, what can be ordered."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from negotiation.diplomacy.events import REVEAL, Frame, shown
from negotiation.diplomacy.models import (
    BoardEvent,
    BoardFork,
    BoardGame,
    BoardLink,
    BoardLinkView,
    BoardSeat,
)
from negotiation.diplomacy.sitting import Sitting, replay
from negotiation.diplomacy.wording import phase_title
from negotiation.engine.diplomacy import possible_orders, text
from negotiation.engine.diplomacy.geography import NODES, POWER_ID
from negotiation.engine.diplomacy.state import WINTER, State
from negotiation.table import log
from negotiation.table.links import LinkRefused, hash_of, link_of
from negotiation.table.models import Logged


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody's place at a table."""

    game: BoardGame
    seat: BoardSeat

    @property
    def role(self) -> str:
        """What one may see: one's own side of it, and all of it once it is over."""
        return self.seat.power if self.game.is_live else REVEAL


def place_of(game_id: uuid.UUID, user: User) -> Place | None:
    """The seat of this very person; whether somebody else's game exists is not told."""
    seat = BoardSeat.objects.select_related("game").filter(game_id=game_id, user=user).first()
    return Place(seat.game, seat) if seat else None


def log_after(game_id: uuid.UUID, seq: int) -> list[Logged]:
    """Rows after ``seq``, oldest first."""
    return log.after(BoardEvent, game_id, seq)


def frames_of(rows: Iterable[Logged], role: str) -> list[Frame]:
    """Rows as a role may see them."""
    return [shown(seq=row.seq, kind=row.type, data=row.data, role=role) for row in rows]


def sitting_of(game: BoardGame, rows: Iterable[Logged] | None = None) -> Sitting:
    """The game as its log has it."""
    read = log_after(game.pk, 0) if rows is None else rows
    return replay(game.start, ((row.seq, row.type, row.data) for row in read))


def options_of(state: State, power: int) -> dict[str, Any]:
    """What a power can be ordered now: by unit, from the same possible orders that mask a model."""
    possible = possible_orders(state, power)
    return {
        "phase": state.phase,
        "delta": state.delta(power) if state.season == WINTER else 0,
        "units": {NODES[node]: [text(order) for order in possible[node]] for node in sorted(possible)},
    }


def invitation_of(token: str) -> BoardSeat | None:
    """The seat that an invitation is for, while nobody has taken it."""
    return (
        BoardSeat.objects.select_related("game", "game__host")
        .filter(invite_hash=hash_of(token), user=None)
        .first()
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """A link that opens, and what is seen through it."""

    link: BoardLink
    role: str

    @property
    def reveals(self) -> bool:
        """Whether it shows the truth of a game that is on."""
        return self.role == REVEAL and self.link.game.is_live


def link_opened(token: str, viewer: User | None) -> Opened:
    """The link that a token opens now, or ``LinkRefused``: while several people play it shows no more than its maker
    sees, and it shows nobody the truth of a game that they play themselves."""
    link = link_of(BoardLink, token)
    seat = link.game.seats.filter(user=link.created_by_id).first()
    if seat is None:
        raise LinkRefused("revoked")
    if plays_live(link.game, viewer):
        raise LinkRefused("own_live_game")
    return Opened(link, seat.power if link.game.is_live and among_people(seat) else REVEAL)


def among_people(seat: BoardSeat) -> bool:
    """Whether other people sit at this table, did so once, or are invited to it."""
    others = BoardSeat.objects.filter(game=seat.game_id).exclude(pk=seat.pk)
    came = BoardEvent.objects.filter(game=seat.game_id, type="joined").exclude(data__power=seat.power)
    return others.exclude(user=None, invite_hash="").exists() or came.exists()


def watchers_of(game: BoardGame) -> list[str]:
    """Who has seen the truth of this game while it was on, by name; "" for those who were not signed in."""
    views = BoardLinkView.objects.filter(link__game=game).select_related("viewer").order_by("at")
    return list(dict.fromkeys(view.viewer.get_full_name() if view.viewer else "" for view in views))


def plays_live(game: BoardGame, user: User | None) -> bool:
    """Whether this person is playing this game now, and so may not look at its truth."""
    return bool(user and game.is_live and game.seats.filter(user=user).exists())


def games_of(user: User) -> list[dict[str, Any]]:
    """Somebody's games for the lobby, those that are on first, then the latest."""
    seats = BoardSeat.objects.select_related("game").filter(user=user).order_by("-game__updated_at")
    rows = [_row(seat) for seat in seats[:40]]
    return sorted(rows, key=lambda row: not row["live"])


def _row(seat: BoardSeat) -> dict[str, Any]:
    game = seat.game
    return {
        "id": game.pk,
        "power": seat.get_power_display(),
        "slug": seat.power,
        "live": game.is_live,
        "phase": phase_title(game.phase),
        "updated_at": game.updated_at,
        "parent_phase": phase_title(game.parent_phase) if game.parent_phase else "",
        "deadline": game.deadline,
    }


def live_count(user: User) -> int:
    """How many games wait for this person."""
    return BoardSeat.objects.filter(user=user, game__status=BoardGame.Status.LIVE).count()


def forks_of(game: BoardGame, user: User) -> list[dict[str, Any]]:
    """What somebody asked of the future, latest first."""
    return [
        fork_page(fork)
        for fork in BoardFork.objects.filter(game=game, owner=user).order_by("-created_at")[:12]
    ]


def fork_page(fork: BoardFork) -> dict[str, Any]:
    """A question and how far its answer has come."""
    return {
        "id": str(fork.pk),
        "power": fork.power,
        "number": fork.number,
        "phase": fork.phase,
        "orders": fork.orders,
        "rollouts": fork.rollouts,
        "years": fork.years,
        "done": fork.done,
        "status": fork.status,
        "result": fork.result,
    }


def seats_page(game: BoardGame) -> dict[str, dict[str, Any]]:
    """Who sits where, as it is now."""
    return {
        seat.power: {
            "bot": seat.bot,
            "person": seat.user.get_full_name() if seat.user else None,
            "away": seat.away,
            "invited": bool(seat.invite_hash) and seat.user_id is None,
        }
        for seat in game.seats.select_related("user")
    }


def power_of(seat: BoardSeat) -> int:
    """The number of a seat's power."""
    return POWER_ID[seat.power]


def archive_of(user: User) -> list[dict[str, Any]]:
    """Somebody's games to take along, as they may see them."""
    return [
        _archived(Place(seat.game, seat))
        for seat in BoardSeat.objects.select_related("game").filter(user=user)
    ]


def _archived(place: Place) -> dict[str, Any]:
    return {
        "power": place.seat.power,
        "status": place.game.status,
        "assisted": place.game.assisted,
        "started": place.game.created_at,
        "ended": place.game.finished_at,
        "log": frames_of(log_after(place.game.pk, 0), place.role),
    }
