"""Exact theory of Kuhn poker: values, best responses, NashConv, and what a coalition can take from a third.

All of it walks the public tree once, with a vector over deals at every node.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.kuhn.rules import (
    History,
    deals,
    histories,
    is_terminal,
    payoffs,
    position_to_act,
)
from negotiation.engine.drills.kuhn.tables import Behaviour

GAME_VALUE = -1 / 18
"""What the first player gets from each hand, both playing well (Kuhn 1950)."""

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Response:
    """The best that some positions can do together against the rest."""

    value: float
    """Chips a hand, summed over the positions that respond."""
    bets: dict[History, dict[tuple[int, ...], int]]
    """What to do after each own history, by the cards that the responders hold between them, 1 to bet or call."""


def values(behaviours: Sequence[Behaviour]) -> Vector:
    """Chips a hand by position, with ``behaviours`` by position."""
    seats = len(behaviours)
    cards = np.array(deals(seats))
    rows = {history: row for row, history in enumerate(histories(seats)[0])}

    def below(history: History) -> Vector:
        if is_terminal(history, seats):
            return np.array([payoffs(history, dealt) for dealt in deals(seats)], dtype=np.float64)
        position = position_to_act(history, seats)
        bets = behaviours[position][rows[history], cards[:, position]][:, None]
        mixed: Vector = bets * below(history + "b") + (1 - bets) * below(history + "p")
        return mixed

    return np.asarray(below("").mean(axis=0), dtype=np.float64)


def expected_pay(behaviour: Behaviour, other: Behaviour) -> float:
    """Chips a hand for ``behaviour`` against ``other``, each as often in either position. For two."""
    first, second = values([behaviour, other])[0], values([other, behaviour])[1]
    return float(first + second) / 2


def best_response(behaviours: Sequence[Behaviour], responders: Collection[int]) -> Response:
    """The best response of one position, or of several that show each other their cards and share what they win.

    Entries of ``behaviours`` at the responding positions are not looked at. A coalition that sees both its cards
    can do no worse than any that does not, so its value bounds what collusion without signals can take.
    """
    seats = len(behaviours)
    team = sorted(responders)
    cards = np.array(deals(seats))
    held, group = np.unique(cards[:, team], axis=0, return_inverse=True)
    group = group.reshape(-1)
    rows = {history: row for row, history in enumerate(histories(seats)[0])}
    bets: dict[History, dict[tuple[int, ...], int]] = {}

    def below(history: History, reach: Vector) -> Vector:
        """The team's payoff by deal, once it responds from here on; ``reach`` is the others' part in coming here."""
        if is_terminal(history, seats):
            return np.array(
                [sum(payoffs(history, dealt)[p] for p in team) for dealt in deals(seats)], dtype=float
            )
        position = position_to_act(history, seats)
        if position not in team:
            chance = behaviours[position][rows[history], cards[:, position]]
            bet = below(history + "b", reach * chance)
            mixed: Vector = chance * bet + (1 - chance) * below(history + "p", reach * (1 - chance))
            return mixed
        bet, passing = below(history + "b", reach), below(history + "p", reach)
        gain = np.bincount(group, weights=reach * (bet - passing), minlength=len(held))
        bets[history] = {tuple(map(int, hand)): int(g > 1e-12) for hand, g in zip(held, gain, strict=True)}
        return np.where((gain > 1e-12)[group], bet, passing)

    return Response(float(below("", np.ones(len(cards))).mean()), bets)


def response_behaviour(behaviour: Behaviour, seats: int = 2) -> Behaviour:
    """The behaviour that answers ``behaviour`` best from every position, alone against players who all use it."""
    answer = np.zeros_like(behaviour)
    rows = {history: row for row, history in enumerate(histories(seats)[0])}
    for position in range(seats):
        for history, by_card in best_response([behaviour] * seats, {position}).bets.items():
            for (card,), bet in by_card.items():
                answer[rows[history], card] = bet
    return answer


def nash_conv(behaviours: Sequence[Behaviour]) -> float:
    """What the positions could gain, each by its own best response, summed: 0 in equilibrium and only there."""
    now = values(behaviours)
    return sum(
        best_response(behaviours, {position}).value - float(now[position])
        for position in range(len(behaviours))
    )


def exploitability(behaviour: Behaviour) -> float:
    """What a best response earns a hand against ``behaviour``, seats alternating, beyond the value of the game.

    For two players this is half of NashConv, since the game is zero-sum and fair over both seats.
    """
    return nash_conv([behaviour, behaviour]) / 2


def coalition_gain(behaviours: Sequence[Behaviour], victim: int) -> float:
    """What the other two take from ``victim`` beyond what they have now, were they to show each other their cards."""
    others = [position for position in range(len(behaviours)) if position != victim]
    now = values(behaviours)
    return best_response(behaviours, others).value - float(now[others].sum())
