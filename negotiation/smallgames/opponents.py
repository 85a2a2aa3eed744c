"""Who sits across in a small game: a strategy of the engine, or a trained model whose play is a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from negotiation.engine.drills import GAMES, Player
from negotiation.engine.drills.study import SUSPECTS
from negotiation.engine.drills.trained import Trained, offered, trained


@dataclass(frozen=True, slots=True)
class Opponent:
    """A name, what a person is told of it, and the player itself."""

    name: str
    title: str
    says: str
    player: Player[Any]
    model: Trained | None = None
    """Where it is a trained model: with where it comes from."""

    @property
    def provenance(self) -> str:
        """How large a trained model is, and how far it is from being unbeatable; empty for a strategy."""
        if self.model is None:
            return ""
        source = self.model.source
        size = f"{source['weights']:,} weights."
        if "nash_conv" in source:
            # Two players' possible gains are summed in NashConv; one of them is what somebody across can win.
            return (
                f"{size} The best play there can be wins {source['nash_conv'] / 2:.2f} chips a hand from it."
            )
        if "best_response" in source:
            return f"{size} The best play there can be earns {source['best_response']:.2f} a round from it."
        return f"{size} The worst opponent there can be ends {source['worst_margin']:.2f} points a round ahead of it."


def suspects_of(game: str) -> dict[str, Opponent]:
    """Those among whom somebody unknown is, in the order in which they are shown: named strategies only.

    They are ways to play that have a name, and that a person can know from what they do; a trained model's is not.
    """
    strategies = GAMES[game].strategies
    return {
        name: Opponent(name, strategies[name].title, strategies[name].says, strategies[name])
        for name in SUSPECTS[game]
    }


def opponents_of(game: str) -> dict[str, Opponent]:
    """Everybody that was ever to be met in a game: the suspects, then trained models, the latest last."""
    return suspects_of(game) | {name: _opponent(each) for name, each in trained().get(game, {}).items()}


def model_of(game: str) -> Opponent | None:
    """The trained model that is offered now."""
    found = offered(game)
    return None if found is None else _opponent(found)


def _opponent(each: Trained) -> Opponent:
    player = each.strategy
    return Opponent(player.name, player.title, player.says, player, each)
