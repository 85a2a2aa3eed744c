"""Who sits across in a small game. A strategy of the engine now; whatever answers a view with an action may join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from negotiation.engine.drills import GAMES, Player
from negotiation.engine.drills.study import SUSPECTS


@dataclass(frozen=True, slots=True)
class Opponent:
    """A name, what a person is told of it, and the player itself."""

    name: str
    title: str
    says: str
    player: Player[Any]


def opponents_of(game: str) -> dict[str, Opponent]:
    """Everybody that can be met in a game, in the order in which they are shown."""
    strategies = GAMES[game].strategies
    return {
        name: Opponent(name, strategies[name].title, strategies[name].says, strategies[name])
        for name in SUSPECTS[game]
    }
