"""An expert in the player's chair: the strategy that the personas are measured against, at the very same table."""

from __future__ import annotations

from collections.abc import Iterator

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.discoverer import Discoverer
from negotiation.engine.deal.expert import Expert
from negotiation.engine.deal.streams import stream


def expert_moves(table: Negotiation) -> Iterator[tuple[int, Action]]:
    """The expert's move on each turn, until the game is over. The caller plays each before asking for the next.

    The expert sees what a player sees, and talks where there is a case to talk about. It draws what a simulated player
    draws, so the same table gives the same game.
    """
    expert = Expert() if table.case is None else Discoverer()
    expert.told(table.scenario)
    while not table.done:
        turn = table.turn
        yield turn, expert.act(table.observe(), stream(table.seed, "player", turn))
