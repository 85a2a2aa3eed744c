"""The games and the players by name, as the kind that a test knows them to be."""

from __future__ import annotations

from typing import Any

from negotiation.engine.drills import GAMES, Kuhn, SimultaneousGame
from negotiation.engine.drills.ipd import IPDStrategy
from negotiation.engine.drills.trained import Trained, offered


def simultaneous(name: str) -> SimultaneousGame:
    """A game in which both choose at once."""
    game = GAMES[name]
    assert isinstance(game, SimultaneousGame)
    return game


def poker() -> Kuhn:
    """Kuhn poker for two."""
    game = GAMES["kuhn"]
    assert isinstance(game, Kuhn)
    return game


def any_game(name: str) -> Any:
    """A game of either kind, for what is said of all games and played by strategies of the game itself."""
    return GAMES[name]


def dilemma_player(name: str) -> IPDStrategy:
    """A strategy of the dilemma, which says how likely it cooperates."""
    strategy = simultaneous("ipd").strategies[name]
    assert isinstance(strategy, IPDStrategy)
    return strategy


def model_of(game: str) -> Trained:
    """The trained model that ships for a game."""
    model = offered(game)
    assert model is not None
    return model
