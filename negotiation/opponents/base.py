"""Who sits across: anything that can answer a move.

An opponent is asked outside every transaction and on the event loop, so one that needs a network waits
without holding a lock or a thread. Asking twice must be harmless: after a crash the same move is asked again.
"""

from __future__ import annotations

from typing import Protocol

from negotiation.engine.deal import Action, Negotiation, Reply


class Opponent(Protocol):
    """Answers one move of the player.

    ``instant`` opponents answer from within the engine and are never waited for: their turn is written in
    one go, without asking ``reply``.
    """

    instant: bool

    async def reply(self, *, table: Negotiation, action: Action) -> Reply | None:
        """The answer to ``action`` on ``table``, which stands before the move and must only be read.

        ``None`` leaves the answer to the engine's own persona.
        """
        ...
