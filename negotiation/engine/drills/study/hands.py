"""Kuhn poker for two from one seat: what passing and betting are worth now, and how likely a hand was."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.drills.kuhn.rules import (
    BET,
    CARDS,
    LETTERS,
    PASS,
    History,
    histories,
    is_terminal,
    payoffs,
    position_to_act,
)
from negotiation.engine.drills.kuhn.tables import Behaviour
from negotiation.engine.drills.kuhn.view import KuhnView

SEATS = 2
_ROWS = {history: row for row, history in enumerate(histories(SEATS)[0])}


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand, finished or not, as the player in ``position`` sees it."""

    position: int
    card: int
    history: History
    shown: int | None = None
    """The other's card, once it lies open."""

    def theirs(self) -> tuple[int, ...]:
        """The cards that the other may hold."""
        return (self.shown,) if self.shown is not None else _others(self.card)


def hands_seen(view: KuhnView) -> list[HandSeen]:
    """The finished hands of a view, then the one being played, if any action was taken in it."""
    past = [
        HandSeen(hand.position, hand.card, hand.history, hand.shown[1 - hand.position]) for hand in view.past
    ]
    if not view.history or is_terminal(view.history, SEATS):
        return past
    return [*past, HandSeen(view.position, view.card, view.history)]


def _others(card: int) -> tuple[int, ...]:
    return tuple(other for other in range(len(CARDS[SEATS])) if other != card)


def _taken(behaviour: Behaviour, history: History, card: int, letter: str) -> float:
    bet = float(behaviour[_ROWS[history], card])
    return bet if letter == LETTERS[BET] else 1 - bet


def likelihood(behaviour: Behaviour, hand: HandSeen) -> float:
    """How likely the other's part of the hand was, had they played by ``behaviour``."""
    total = 0.0
    for card in hand.theirs():
        likely = 1 / len(_others(hand.card))
        for turn, letter in enumerate(hand.history):
            if position_to_act(hand.history[:turn], SEATS) != hand.position:
                likely *= _taken(behaviour, hand.history[:turn], card, letter)
        total += likely
    return total


def worths(behaviour: Behaviour, hand: HandSeen) -> dict[int, float]:
    """Chips that passing and betting bring in the rest of the hand, against ``behaviour``, playing on best.

    Raises:
        ValueError: if the other could not have come here by this behaviour.
    """
    reach = {}
    for card in _others(hand.card):
        reach[card] = likelihood(behaviour, HandSeen(hand.position, hand.card, hand.history, card))
    total = sum(reach.values())
    if total <= 0:
        raise ValueError(f"'{hand.history}' cannot be reached by this behaviour")
    return {
        action: _value(behaviour, hand, hand.history + LETTERS[action], reach) / total
        for action in (PASS, BET)
    }


def _value(behaviour: Behaviour, hand: HandSeen, history: History, reach: dict[int, float]) -> float:
    """The player's chips from here on, summed over the other's cards by ``reach``."""
    if is_terminal(history, SEATS):
        return sum(likely * _paid(hand, history, card) for card, likely in reach.items())
    if position_to_act(history, SEATS) == hand.position:
        return max(_value(behaviour, hand, history + letter, reach) for letter in LETTERS)
    return sum(
        _value(
            behaviour,
            hand,
            history + letter,
            {card: likely * _taken(behaviour, history, card, letter) for card, likely in reach.items()},
        )
        for letter in LETTERS
    )


def _paid(hand: HandSeen, history: History, card: int) -> int:
    cards = (hand.card, card) if hand.position == 0 else (card, hand.card)
    return payoffs(history, cards)[hand.position]
