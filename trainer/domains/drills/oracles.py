"""Players whose figures are known: what any measure is checked against first."""

from __future__ import annotations

from negotiation.engine.drills import GAMES, Game, KuhnStrategy, Strategy
from trainer.errors import BadInput

ORACLES: dict[str, dict[str, str]] = {
    "ipd": {name: name for name in ("tft", "grim", "wsls", "always_cooperate", "always_defect")},
    "auction": {"equilibrium": "equilibrium"},
    "pie": {"fair": "fair", "counter": "tft"},
    "books_hats_balls": {"proportional": "proportional", "fair": "fair", "counter": "tft"},
    "kuhn": {"nash": "nash_third"},
}
"""By game: the oracle's name and the strategy it is. ``counter`` asks for what the other side left last time;
``nash`` is the equilibrium at ``alpha`` = 1/3."""


def game_named(name: str) -> Game:
    """The game, or bad input."""
    if name not in GAMES:
        raise BadInput(f"there is no game {name!r}; there are {', '.join(GAMES)}")
    return GAMES[name]


def policy_named(game: Game, policy: str) -> Strategy | KuhnStrategy:
    """``oracle:NAME``, or ``strategy:NAME`` for any strategy of any pool.

    Raises:
        BadInput: for a policy that this game does not have.
    """
    kind, _, name = policy.partition(":")
    known = {"oracle": ORACLES[game.name], "strategy": {name: name for name in game.strategies}}
    if kind not in known or not name:
        raise BadInput(f"policy {policy!r} is neither oracle:NAME nor strategy:NAME")
    if name not in known[kind]:
        raise BadInput(f"{game.name} has no {kind} {name!r}; it has {', '.join(known[kind])}")
    return game.strategies[known[kind][name]]
