"""Five small strategic games: rules, simulators over arrays, pools of opponents, exact theory.

``GAMES`` holds them by name. Kuhn poker for three is ``Kuhn(seats=3)``.
"""

from negotiation.engine.drills.auction import Auction
from negotiation.engine.drills.books_hats_balls import BooksHatsBalls
from negotiation.engine.drills.ipd import IPD
from negotiation.engine.drills.kuhn.game import Kuhn, KuhnMatch
from negotiation.engine.drills.kuhn.strategies import KuhnStrategy
from negotiation.engine.drills.kuhn.view import KuhnView
from negotiation.engine.drills.pie import Pie
from negotiation.engine.drills.pools import Game, check
from negotiation.engine.drills.simultaneous import SimultaneousGame, SimultaneousMatch
from negotiation.engine.drills.types import (
    Draws,
    IllegalAction,
    Match,
    Player,
    Pools,
    Record,
    RoundView,
    Seen,
    Strategy,
    View,
    play_out,
)

GAMES: dict[str, Game] = {game.name: game for game in (IPD(), Auction(), Pie(), BooksHatsBalls(), Kuhn())}

__all__ = [
    "GAMES",
    "IPD",
    "Auction",
    "BooksHatsBalls",
    "Draws",
    "Game",
    "IllegalAction",
    "Kuhn",
    "KuhnMatch",
    "KuhnStrategy",
    "KuhnView",
    "Match",
    "Pie",
    "Player",
    "Pools",
    "Record",
    "RoundView",
    "Seen",
    "SimultaneousGame",
    "SimultaneousMatch",
    "Strategy",
    "View",
    "check",
    "play_out",
]
