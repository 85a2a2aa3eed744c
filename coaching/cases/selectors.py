"""Two cases side by side: which can be, and what they are."""

from __future__ import annotations

import uuid
from typing import Any, TypedDict

from accounts.models import User
from coaching.analysis.cases import beside, case_of
from coaching.cases.models import CaseNote
from coaching.selectors import debrief_of, game_to_debrief
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game
from negotiation.selectors import snapshot_of

OFFERED = 30
"""So many earlier deals stand in the list to compare with."""
WITH_EXPERT = "expert"


class Comparable(TypedDict):
    """A deal that can be laid beside another."""

    value: str
    title: str


def case_of_game(game: Game) -> dict[str, Any]:
    """A finished deal as a case."""
    scenario = catalogue.for_game(game)
    return case_of(debrief_of(game), snapshot_of(game.pk, "coach")["transcript"], scenario)


def title_of(game: Game) -> str:
    """A deal in one line."""
    scenario, persona = catalogue.known_for_game(game), personas().get(game.persona)
    practice = f", practice from turn {game.branch_turn}" if game.branch_turn else ""
    ended = game.finished_at
    when = f", {ended.day} {ended:%b %Y}" if ended else ""
    what = scenario.title if scenario else game.scenario
    return f"{what} against {persona.name if persona else game.persona}{practice}{when}"


def comparable_with(game: Game, user: User) -> list[Comparable]:
    """The player's other finished deals, the latest first, as far as this person may read them."""
    others = Game.objects.filter(player_id=game.player_id, status=Game.Status.FINISHED).exclude(pk=game.pk)
    if game.player_id != user.pk:
        others = others.filter(team=game.team)
    found = others.select_related("scenario_version").order_by("-finished_at")[:OFFERED]
    return [
        {"value": str(each.pk), "title": title_of(each)}
        for each in found
        if catalogue.known_for_game(each) is not None
    ]


def other_game(raw: str, game: Game, user: User) -> Game | None:
    """The deal named in an address, if it is another finished one of the same player that this person may read."""
    try:
        found = game_to_debrief(uuid.UUID(raw), user)
    except ValueError:
        return None
    if found is None or found.pk == game.pk or found.status != Game.Status.FINISHED:
        return None
    return found if found.player_id == game.player_id else None


def lines_beside(own: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """Both cases, turn against turn."""
    return beside(own["lines"], other["lines"])


def note_of(game: Game, other: Game | None) -> str:
    """What the player noted about these two."""
    note = CaseNote.objects.filter(game=game, other=other).first()
    return note.text if note else ""


def notes_of(game: Game) -> list[CaseNote]:
    """Every note kept with a deal."""
    return list(CaseNote.objects.filter(game=game).select_related("other").order_by("updated_at"))
