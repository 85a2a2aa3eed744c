"""Kuhn poker (1950) for two, and for three (Szafron, Gibson & Sturtevant 2013): one hand, by its rules.

Everyone antes 1 and gets one card of a deck one larger than the table. In turn players pass or bet 1; after a bet
each of the others, in turn, calls or folds. The highest card among those who did not fold takes the pot.

A history is a word over ``p`` (pass, fold) and ``b`` (bet, call); ``position`` counts from the first to act.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

from negotiation.engine.drills.types import IllegalAction

PASS, BET = 0, 1
"""Facing a bet, the same two are fold and call."""
LETTERS = "pb"
CARDS = {2: ("Jack", "Queen", "King"), 3: ("Jack", "Queen", "King", "Ace")}

History = str


def faces_bet(history: History) -> bool:
    """Whether somebody has bet."""
    return "b" in history


def is_terminal(history: History, seats: int) -> bool:
    """All have passed, or all have answered the bet."""
    if not faces_bet(history):
        return len(history) == seats
    return len(history) == history.index("b") + seats


def position_to_act(history: History, seats: int) -> int:
    """Whose turn it is; players act in order, round and round."""
    return len(history) % seats


@cache
def histories(seats: int) -> tuple[tuple[History, ...], tuple[History, ...]]:
    """All (decisions, terminals) of a hand, shorter ones first."""
    decisions, terminals, layer = [], [], [""]
    while layer:
        terminals += [history for history in layer if is_terminal(history, seats)]
        layer = [history for history in layer if not is_terminal(history, seats)]
        decisions += layer
        layer = [history + letter for history in layer for letter in LETTERS]
    return tuple(decisions), tuple(terminals)


@cache
def deals(seats: int) -> tuple[tuple[int, ...], ...]:
    """Every way to deal, equally likely: a card by position, 0 the lowest."""
    return tuple(permutations(range(seats + 1), seats))


def payoffs(history: History, cards: Sequence[int]) -> tuple[int, ...]:
    """What a finished hand pays, by position: chips won or lost."""
    seats = len(cards)
    paid, folded = [1] * seats, set()
    for turn, letter in enumerate(history):
        position = turn % seats
        if letter == "b":
            paid[position] += 1
        elif faces_bet(history[:turn]):
            folded.add(position)
    winner = max((p for p in range(seats) if p not in folded), key=lambda p: cards[p])
    return tuple(sum(paid) * (position == winner) - paid[position] for position in range(seats))


def shown(history: History, cards: Sequence[int]) -> tuple[int | None, ...]:
    """The cards laid open at the end, by position: none where all but one folded, none of those who folded."""
    seats = len(cards)
    folded = {
        turn % seats for turn in range(len(history)) if history[turn] == "p" and faces_bet(history[:turn])
    }
    if len(folded) == seats - 1:
        return (None,) * seats
    return tuple(None if position in folded else card for position, card in enumerate(cards))


class Hand:
    """One hand as a state machine."""

    def __init__(self, cards: Sequence[int]) -> None:
        self.cards = tuple(cards)
        self.history: History = ""

    @property
    def done(self) -> bool:
        """Whether the hand is over."""
        return is_terminal(self.history, len(self.cards))

    @property
    def position(self) -> int:
        """Whose turn it is."""
        return position_to_act(self.history, len(self.cards))

    def act(self, action: int) -> None:
        """Pass or bet, fold or call.

        Raises:
            IllegalAction: if the hand is over or the action is neither.
        """
        if self.done or action not in (PASS, BET):
            raise IllegalAction(f"action {action} after '{self.history}'")
        self.history += LETTERS[action]
