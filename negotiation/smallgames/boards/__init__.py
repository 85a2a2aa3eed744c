"""Each game as it lies on the table: its picture, what may be chosen, its rounds in words. All from the player's view.

What a board is given beside the view, the match itself, it touches only in ``lines(reveal=True)``, once the match is over.
"""

from __future__ import annotations

from collections.abc import Callable

from negotiation.smallgames.boards.auction import AuctionBoard
from negotiation.smallgames.boards.dilemma import DilemmaBoard
from negotiation.smallgames.boards.items import ItemsBoard
from negotiation.smallgames.boards.pie import PieBoard
from negotiation.smallgames.boards.poker import PokerBoard
from negotiation.smallgames.boards.types import Board, Choice, Line
from negotiation.smallgames.sitting import Sitting

__all__ = ["Board", "Choice", "Line", "board_of"]

_BOARDS: dict[str, Callable[[Sitting], Board]] = {
    "ipd": DilemmaBoard,
    "auction": AuctionBoard,
    "pie": PieBoard,
    "books_hats_balls": ItemsBoard,
    "kuhn": PokerBoard,
}


def board_of(sitting: Sitting) -> Board:
    """The board of a match as it stands."""
    return _BOARDS[sitting.game.name](sitting)
