"""The typed API of deals: for integrations that run in a signed-in browser or with its session."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from accounts import quotas
from accounts.selectors import team_of
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game
from negotiation.public import persona_card, scenario_card
from negotiation.selectors import game_of_player, games_of, snapshot_of
from negotiation.services import game_create
from negotiation.serving.choices import STRATEGIST, at_hand, named
from negotiation.table.errors import MoveRefused
from negotiation.views import signed_in

router = Router(tags=["deals"])


class SeatOut(Schema):
    """Who sits there."""

    role: str
    company: str


class OptionOut(Schema):
    """One way to settle an issue."""

    id: str
    label: str


class IssueOut(Schema):
    """Something to agree on beside the price; ``terms`` of a move name an option of each by id."""

    id: str
    title: str
    options: list[OptionOut]


class ScenarioOut(Schema):
    """A deal that can be played."""

    id: str
    title: str
    summary: str
    stakes_label: str
    currency: str
    per_label: str
    step: float
    low: float
    high: float
    horizon: int
    issues: list[IssueOut]
    seats: dict[str, SeatOut]


class PersonaOut(Schema):
    """Who can sit across."""

    id: str
    name: str
    title: str
    tagline: str
    advice: str


class DealIn(Schema):
    """A new deal."""

    scenario: str
    persona: str
    seat: Literal["seller", "buyer"]
    difficulty: float = Field(0.5, ge=0, le=1)
    voice: str = Field(
        STRATEGIST.value,
        max_length=90,
        description="Who decides and speaks across the table, by an id that GET /voices lists: strategic, narrated, or "
        "negotiator:NAME for a trained model.",
        examples=["strategic", "narrated", "negotiator:shark-3"],
    )


class VoiceOut(Schema):
    """Who may speak across a new deal now. ``model`` is the model or adapter by its server's name, empty without
    one; ``by_persona`` names those that speak for a persona in its place."""

    id: str
    title: str
    words: str
    opponent: Literal["strategic", "narrated", "negotiator"]
    model: str
    by_persona: dict[str, str]


class DealCreated(Schema):
    """Where to play it."""

    id: uuid.UUID
    url: str


class DealRow(Schema):
    """One of your deals."""

    id: uuid.UUID
    scenario: str
    scenario_title: str
    persona: str
    persona_name: str
    seat: str
    turn: int
    horizon: int
    status: Literal["live", "finished", "abandoned"]
    difficulty: float
    efficiency: float | None
    price: float | None
    currency: str
    assisted: bool
    branch_turn: int | None
    updated_at: datetime


class DealOut(Schema):
    """One deal as its player sees it: the fold of its log."""

    id: uuid.UUID
    status: str
    snapshot: dict[str, Any]


class Problem(Schema):
    """What was wrong, and with which field."""

    code: str
    message: str
    field: str | None = None


@router.get("/scenarios", response=list[ScenarioOut])
def scenario_list(request: HttpRequest) -> Any:
    """Every deal that can be played."""
    return [scenario_card(scenario) for scenario in catalogue.playable().values()]


@router.get("/personas", response=list[PersonaOut])
def persona_list(request: HttpRequest) -> Any:
    """Every opponent."""
    return [persona_card(persona) for persona in personas().values()]


@router.get("/voices", response=list[VoiceOut])
def voice_list(request: HttpRequest) -> Any:
    """Who may speak across a new deal now: the strategist, always, and the models that answer."""
    return [{"id": voice.value, **asdict(voice)} for voice in at_hand()]


@router.get("/deals", response=list[DealRow])
def deal_list(request: HttpRequest, status: Literal["live", "finished", "abandoned"] = "live") -> Any:
    """Your own deals, latest first."""
    return games_of(signed_in(request), status=Game.Status(status))


@router.post("/deals", response={201: DealCreated, 422: Problem, 429: Problem})
def deal_create(request: HttpRequest, deal: DealIn) -> Any:
    """Sit down at a new table."""
    user = signed_in(request)
    voice = named(deal.voice, at_hand())
    if voice is None:
        return Status(422, _no_such_voice(deal.voice))
    setup = deal.dict(exclude={"voice"})
    try:
        with quotas.spending(request, "deals"):
            game = game_create(
                player=user,
                team=team_of(user),
                opponent=voice.opponent,
                opponent_model=voice.model_for(deal.persona),
                **setup,
            )
    except MoveRefused as refused:
        return Status(422, {"code": refused.code, "message": refused.message, "field": refused.field})
    except quotas.TooMuch as spent:
        return Status(429, {"code": "too_much", "message": spent.message})
    return Status(201, {"id": game.id, "url": f"/deals/{game.id}/"})


def _no_such_voice(value: str) -> dict[str, str]:
    """Whether there could be such a voice, and where those that there are stand."""
    kind, _, name = value.partition(":")
    known = value in (STRATEGIST.value, Game.Opponent.NARRATED) or (kind == Game.Opponent.NEGOTIATOR and name)
    if known:
        code, told = (
            "voice_not_at_hand",
            f"{value} is not at hand at the moment; GET /api/voices lists who is.",
        )
    else:
        code, told = "unknown_voice", "A voice is strategic, narrated, or negotiator:NAME."
    return {"code": code, "message": told, "field": "voice"}


@router.get("/deals/{game_id}", response={200: DealOut, 404: Problem})
def deal_detail(request: HttpRequest, game_id: uuid.UUID) -> Any:
    """One of your deals, as its table shows it."""
    game = game_of_player(game_id, signed_in(request))
    if game is None:
        return Status(404, {"code": "no_such_game", "message": "There is no such deal of yours."})
    return Status(200, {"id": game.id, "status": game.status, "snapshot": snapshot_of(game.id, "player")})
