"""The strategic persona: the engine decides and speaks, no model weights needed."""

from __future__ import annotations

from negotiation.engine.deal import Action, Negotiation
from negotiation.opponents.base import Answer, Tell, nobody_listens


class StrategicOpponent:
    """Leaves every answer to the engine, which replays it bit for bit from the game's seed."""

    instant = True

    async def reply(
        self, *, table: Negotiation, action: Action, game: str = "", tell: Tell = nobody_listens
    ) -> Answer:
        """Nothing to wait for: the engine answers inside its step."""
        return Answer()
