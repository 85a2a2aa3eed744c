"""What the pages of the board show."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from accounts.models import User
from negotiation.diplomacy.chart.picture import picture
from negotiation.diplomacy.events import REVEAL
from negotiation.diplomacy.models import BoardGame
from negotiation.diplomacy.selectors import (
    Opened,
    Place,
    among_people,
    frames_of,
    games_of,
    log_after,
    options_of,
    power_of,
    seats_page,
    sitting_of,
    watchers_of,
)
from negotiation.diplomacy.services import SECONDS, YEARS
from negotiation.engine.diplomacy.geography import HOMES, POWER_NAMES, POWERS, PROVINCE_NAMES, PROVINCES

INVITE = "invite"
"""Chosen for a seat that a friend is to have."""
PLAYERS = {
    "envoy": ("Trust-aware", "Reads press, proposes peace, remembers who broke it. Some of them lie."),
    "dumbbot": ("DumbBot", "Plays for places, hears nothing."),
    "random": ("Random", "Any order that is possible."),
    "hold": ("Hold", "Never moves."),
}


def whole(words: str) -> int:
    """A whole number from a form; -1 where it is none, which every service refuses."""
    return int(words) if words.isascii() and words.isdigit() and len(words) < 7 else -1


def lobby(user: User) -> dict[str, Any]:
    """One's games, and the choices for a new one."""
    return {
        "games": games_of(user),
        "powers": [
            {"id": name, "name": POWER_NAMES[i], "homes": ", ".join(PROVINCE_NAMES[p] for p in HOMES[i])}
            for i, name in enumerate(POWERS)
        ],
        "players": PLAYERS,
        "invite": INVITE,
        "years": YEARS,
        "clocks": SECONDS,
    }


def table(place: Place, invitations: dict[str, str]) -> dict[str, Any]:
    """The table as its player sees it."""
    rows = log_after(place.game.pk, 0)
    sitting = sitting_of(place.game, rows)
    seats = seats_page(place.game)
    waiting = {name: link for name, link in invitations.items() if seats[name]["invited"]}
    page = {
        "socket": f"/ws/diplomacy/{place.game.pk}/",
        "role": place.role,
        "power": place.seat.power,
        "frames": frames_of(rows, place.role),
        "options": options_of(sitting.state, power_of(place.seat)) if place.game.is_live else None,
        "seats": seats,
        "invitations": waiting,
        "reveals": not among_people(place.seat),
        "watchers": watchers_of(place.game),
        "urls": {
            "forks": reverse("board-forks", args=[place.game.pk]),
            "link": reverse("board-link", args=[place.game.pk]),
            "revoke": reverse("board-links-revoke", args=[place.game.pk]),
        },
    }
    return {**_common(place.game), "place": place, "page": page}


def watch(opened: Opened, token: str) -> dict[str, Any]:
    """The table as a spectator sees it through a link."""
    game = opened.link.game
    page = {
        "socket": f"/ws/board-watch/{token}/",
        "role": opened.role,
        "power": None,
        "frames": frames_of(log_after(game.pk, 0), opened.role),
        "options": None,
        "seats": seats_page(game),
        "invitations": {},
        "urls": {},
    }
    seen_as = "" if opened.role == REVEAL else opened.role.title()
    return {**_common(game), "place": None, "page": page, "seen_as": seen_as}


def _common(game: BoardGame) -> dict[str, Any]:
    chart = picture()
    names = dict(zip(PROVINCES, PROVINCE_NAMES, strict=True))
    bots = {name: title for name, (title, _) in PLAYERS.items()}
    return {
        "game": game,
        "chart": chart,
        "map_data": {"spots": chart["spots"], "names": names, "bots": bots, "centres": _centres(chart)},
        "powers": [{"id": name, "name": POWER_NAMES[i]} for i, name in enumerate(POWERS)],
    }


def _centres(chart: dict[str, Any]) -> dict[str, Any]:
    return {row["id"]: row["star"] for row in chart["provinces"] if row["centre"]}
