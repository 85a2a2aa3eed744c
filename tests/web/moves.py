"""Playing a game through the services, without a socket."""

from __future__ import annotations

import asyncio
import uuid

from negotiation import answering, services
from negotiation.messages import ActData
from negotiation.models import Game
from negotiation.services import Submitted


def act(offer: float | None = 170_000.0, text: str = "What drives your timeline?", **more: object) -> ActData:
    fields: dict[str, object] = {
        "card": None,
        "claim": None,
        "belief": None,
        "challenge": None,
        "event_estimate": None,
        "confirmed": False,
    }
    return ActData(text=text, offer=offer, **{**fields, **more})  # type: ignore[arg-type]


def submit(game: Game, move: ActData, action_id: uuid.UUID | None = None) -> Submitted:
    answer = services.turn_submit(
        game_id=game.id, player=game.player, action_id=action_id or uuid.uuid4(), act=move
    )
    assert isinstance(answer, Submitted), answer
    return answer


def resolve(game: Game) -> bool:
    return asyncio.run(answering.turn_resolve(game_id=game.id))
