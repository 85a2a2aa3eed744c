"""A match of Kuhn poker: a few hands, the first seat going round; the state machine and the simulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from negotiation.engine.drills.kuhn.rules import BET, PASS, Hand, deals, faces_bet, payoffs, shown
from negotiation.engine.drills.kuhn.strategies import STRATEGIES, KuhnStrategy
from negotiation.engine.drills.kuhn.tables import betting, roots, tree, walk
from negotiation.engine.drills.kuhn.theory import response_behaviour
from negotiation.engine.drills.kuhn.view import KuhnView, PastHand
from negotiation.engine.drills.types import Draws, Floats, Pools, Record, check_actions

BEST_RESPONSE = "best_response"


def position_of(player: int, hand: int, seats: int) -> int:
    """Where ``player`` sits in ``hand``: players move up one place from hand to hand."""
    return (player + hand) % seats


class Kuhn:
    """Kuhn poker for two or three; the named pools are for two."""

    name = "kuhn"
    title = "Kuhn poker"
    rounds = 6
    scale = 1.5
    strategies = STRATEGIES
    pools = Pools(
        train=("nash_approx", "tight_passive", "loose_aggressive"),
        exploit=("always_bet", "max_exploiter"),
        collusive=(),
        shift=("always_pass", "nash", BEST_RESPONSE),
    )
    paper_pools = Pools(
        train=("nash_approx", "tight_passive", "loose_aggressive"),
        exploit=("nash_approx", "always_bet"),
        collusive=(),
        shift=("always_pass", "nash", BEST_RESPONSE),
    )
    echoes: tuple[frozenset[str], ...] = ()
    demonstrators = {
        "nash_approx": 0.45,
        "tight_value": 0.25,
        "pot_control": 0.20,
        "random": 0.08,
        "always_pass_queen": 0.02,
    }

    def __init__(self, seats: int = 2) -> None:
        self.seats = seats

    def draws(self, count: int, seed: int, label: str) -> Draws:
        """The random numbers of ``count`` matches: a deal for each hand, then a number for each decision."""
        return Draws.of(self.rounds, self.rounds * tree(self.seats).depth, count, seed, label)

    def match(self, draws: Draws, index: int = 0) -> KuhnMatch:
        """Match ``index`` of the draws as a state machine."""
        return KuhnMatch(self, draws.chance[:, index], draws.moves[:, index].tolist())

    def label(self, action: int, *, facing_bet: bool) -> str:
        """PASS or BET; FOLD or CALL facing a bet."""
        return (("PASS", "BET"), ("FOLD", "CALL"))[facing_bet][action]

    def play(self, players: Sequence[KuhnStrategy], draws: Draws) -> Floats:
        """Payoffs (players, hands, n) of every match in ``draws``."""
        seats, depth = self.seats, tree(self.seats).depth
        turns = [
            [players[(position - hand) % seats].behaviour for position in range(seats)]
            for hand in range(seats)
        ]
        bets = [betting(behaviours, seats) for behaviours in turns]
        paid = np.empty((seats, self.rounds, draws.count), dtype=np.float32)
        for hand in range(self.rounds):
            moves = draws.moves[hand * depth : (hand + 1) * depth]
            ended = walk(roots(draws.chance[hand], seats), moves, bets[hand % seats], seats)
            for player in range(seats):
                paid[player, hand] = tree(seats).payoff[position_of(player, hand, seats)].take(ended)
        return paid

    def simulate(self, first: KuhnStrategy, second: KuhnStrategy, draws: Draws) -> Record:
        """Play every match and take its measures. A zero-sum game harms nobody outside and has no collusion."""
        return _record(self.play((first, second), draws))

    def record(self, matches: Sequence[KuhnMatch]) -> Record:
        """The record of finished state machines."""
        return _record(np.array([match.payoffs for match in matches], dtype=np.float32).transpose(2, 1, 0))

    def opponent(self, name: str, facing: KuhnStrategy | None = None) -> KuhnStrategy:
        """The named strategy; the best response is made to measure for whom it is ``facing``.

        Raises:
            ValueError: if a best response is asked for and nobody is faced.
        """
        if name != BEST_RESPONSE:
            return self.strategies[name]
        if facing is None:
            raise ValueError("a best response needs to know whom it faces")
        return KuhnStrategy(
            BEST_RESPONSE, "Best response", "Knows how you play.", response_behaviour(facing.behaviour)
        )


def _record(paid: Floats) -> Record:
    nothing = np.zeros(paid.shape[1:], dtype=np.bool_)
    return Record(paid, nothing.astype(np.float32), nothing, nothing)


class KuhnMatch:
    """One match, hand by hand."""

    def __init__(self, game: Kuhn, chance: Floats, numbers: Sequence[float]) -> None:
        self.game, self.seats = game, game.seats
        dealt = deals(game.seats)
        self._deals = [dealt[root // tree(game.seats).nodes] for root in roots(chance, game.seats)]
        self._numbers = numbers
        self.payoffs: list[tuple[float, ...]] = []
        self.hands = [Hand(self._deals[0])]

    @property
    def hand(self) -> Hand:
        """The hand being played, or the last."""
        return self.hands[-1]

    @property
    def done(self) -> bool:
        """Whether the last hand is over."""
        return len(self.payoffs) >= self.game.rounds

    @property
    def to_move(self) -> tuple[int, ...]:
        """The one player whose turn it is, until the end."""
        if self.done:
            return ()
        return ((self.hand.position - len(self.payoffs)) % self.seats,)

    def view(self, player: int) -> KuhnView:
        """What ``player`` knows now."""
        now = len(self.hands) - 1
        position = position_of(player, now, self.seats)
        return KuhnView(
            round=len(self.payoffs),
            payoffs=tuple(paid[player] for paid in self.payoffs),
            seats=self.seats,
            position=position,
            card=self.hand.cards[position],
            history=self.hand.history,
            past=tuple(
                PastHand(
                    seat := position_of(player, index, self.seats),
                    hand.cards[seat],
                    hand.history,
                    shown(hand.history, hand.cards),
                )
                for index, hand in enumerate(self.hands[: len(self.payoffs)])
            ),
        )

    def legal(self, player: int) -> tuple[int, ...]:
        """Pass or bet; fold or call."""
        return PASS, BET

    def label(self, action: int) -> str:
        """The action in words, as the hand stands."""
        return self.game.label(action, facing_bet=faces_bet(self.hand.history))

    def number(self, player: int) -> float:
        """The uniform number laid out for this decision."""
        return self._numbers[len(self.payoffs) * tree(self.seats).depth + len(self.hand.history)]

    def play(self, actions: Mapping[int, int]) -> None:
        """The choice of the player whose turn it is."""
        check_actions(self, actions)
        hand_number = len(self.payoffs)
        self.hand.act(*actions.values())
        if not self.hand.done:
            return
        paid = payoffs(self.hand.history, self.hand.cards)
        self.payoffs.append(
            tuple(float(paid[position_of(p, hand_number, self.seats)]) for p in range(self.seats))
        )
        if not self.done:
            self.hands.append(Hand(self._deals[len(self.payoffs)]))
