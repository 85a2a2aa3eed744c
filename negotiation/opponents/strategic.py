"""The strategic persona: the engine decides and speaks, no model weights needed."""

from __future__ import annotations

from negotiation.engine.deal import Action, Negotiation, Reply


class StrategicOpponent:
    """Leaves every answer to the engine, which replays it bit for bit from the game's seed."""

    instant = True

    async def reply(self, *, table: Negotiation, action: Action) -> Reply | None:
        """Nothing to wait for: the engine answers inside its step."""
        return None
