"""One player against a strategy that it knows: what is best, what equilibrium play would bring, what a move costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.auction import HIGH_VALUE, LOW, MEDIUM
from negotiation.engine.drills.ipd import DEFECT, IPD, IPDStrategy
from negotiation.engine.drills.kuhn.game import Kuhn
from negotiation.engine.drills.kuhn.rules import BET, PASS, histories
from negotiation.engine.drills.kuhn.strategies import KuhnStrategy, equilibrium
from negotiation.engine.drills.kuhn.theory import response_behaviour, values
from negotiation.engine.drills.kuhn.view import KuhnView
from negotiation.engine.drills.pie import PIE
from negotiation.engine.drills.pools import Game
from negotiation.engine.drills.remembering import TableStrategy
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.study.hands import HandSeen
from negotiation.engine.drills.study.hands import worths as hand_worths
from negotiation.engine.drills.study.minds import Mind
from negotiation.engine.drills.study.remembered import Remembered
from negotiation.engine.drills.study.rounds import Policy, Rounds
from negotiation.engine.drills.theory.ipd_response import worths as ipd_worths
from negotiation.engine.drills.trained import player_of
from negotiation.engine.drills.types import RoundView, Strategy, Taken, View

BALANCED = equilibrium(1 / 3)
"""The equilibrium of poker that is shown to people: the one with the most bluffs."""


class Facing(Protocol[Taken]):
    """What can be said of a match against a known strategy, from the player's seat alone."""

    @property
    def best(self) -> float:
        """What a best response expects a round, before the first."""

    @property
    def balanced(self) -> float | None:
        """What equilibrium play expects a round against this strategy; none where no equilibrium is known."""

    def worths(self, view: Taken) -> dict[int, float]:
        """Each action now by what it brings, with all that follows it, playing on best."""

    def advice(self, view: Taken) -> dict[int, float]:
        """What equilibrium play does now, by probability; empty where none is known."""


@lru_cache(maxsize=64)
def facing(game: Game, name: str, view: View) -> Facing[Any]:
    """The strategy or trained model ``name`` across from the player who sees ``view`` in the first round."""
    strategy = player_of(game, name)
    if isinstance(strategy, KuhnStrategy):
        return FacingKuhn(strategy)
    if isinstance(strategy, IPDStrategy):
        return FacingIPD(strategy)
    if isinstance(game, Kuhn):
        raise TypeError(f"{name} does not play {game.name}")
    if isinstance(strategy, TableStrategy):
        return FacingTable(game, strategy)
    if not isinstance(view, RoundView):
        raise TypeError(f"{game.name} is not seen as {type(view).__name__}")
    return FacingRounds(game, strategy, view)


@lru_cache(maxsize=32)
def _ipd_tables(strategy: IPDStrategy, always: int | None) -> tuple[npt.NDArray[np.float64], ...]:
    return ipd_worths(strategy.cooperation, always=always)


@dataclass(frozen=True, slots=True)
class FacingIPD:
    """With a known end the only equilibrium is to defect throughout."""

    strategy: IPDStrategy

    @property
    def best(self) -> float:
        """By dynamic programming over all histories."""
        return float(_ipd_tables(self.strategy, None)[0].max()) / IPD.rounds

    @property
    def balanced(self) -> float:
        """Defecting throughout."""
        return float(_ipd_tables(self.strategy, DEFECT)[0][0, DEFECT]) / IPD.rounds

    def worths(self, view: RoundView) -> dict[int, float]:
        """Cooperating and defecting, to the end of the match."""
        code = 0
        for own, other in zip(view.own, view.other, strict=True):
            code = 4 * code + 2 * own + other
        return dict(enumerate(map(float, _ipd_tables(self.strategy, None)[view.round][code])))

    def advice(self, view: RoundView) -> dict[int, float]:
        """Defect."""
        return {DEFECT: 1.0}


def _shading(mine: Mind) -> int:
    """The strict equilibrium of the auction."""
    return MEDIUM if mine[-1] == HIGH_VALUE else LOW


def _halving(mine: Mind) -> int:
    """Of all equilibria of the pie the even one."""
    return PIE // 2


_POLICIES: dict[str, Policy] = {"auction": _shading, "pie": _halving}


class FacingRounds:
    """The auction, the pie, and books, hats and balls, for which last no equilibrium is known."""

    def __init__(self, game: SimultaneousGame, strategy: Strategy, view: RoundView) -> None:
        self._rounds = Rounds(game, strategy, view)
        self._policy = _POLICIES.get(game.name)
        self._balanced = Rounds(game, strategy, view, self._policy).value if self._policy else None
        self._count = game.rounds

    @property
    def best(self) -> float:
        """By dynamic programming."""
        return self._rounds.value / self._count

    @property
    def balanced(self) -> float | None:
        """By the same, holding to the equilibrium."""
        return None if self._balanced is None else self._balanced / self._count

    def worths(self, view: RoundView) -> dict[int, float]:
        """Every action, to the end of the match."""
        return self._rounds.worths(view)

    def advice(self, view: RoundView) -> dict[int, float]:
        """The equilibrium's action."""
        return {self._policy(view.private): 1.0} if self._policy else {}


class FacingTable:
    """The auction and the pie against a player that remembers the last rounds."""

    def __init__(self, game: SimultaneousGame, strategy: TableStrategy) -> None:
        self._policy = _POLICIES[game.name]
        self._best = Remembered(game, strategy)
        self._balanced = self._best.holding(self._policy)
        self._count = game.rounds

    @property
    def best(self) -> float:
        """Over every history."""
        return self._best.value / self._count

    @property
    def balanced(self) -> float:
        """By the same, holding to the equilibrium."""
        return self._balanced / self._count

    def worths(self, view: RoundView) -> dict[int, float]:
        """Every action, to the end of the match."""
        return self._best.worths(view)

    def advice(self, view: RoundView) -> dict[int, float]:
        """The equilibrium's action."""
        return {self._policy(view.private): 1.0}


class FacingKuhn:
    """Poker: hands are independent, so a move is weighed within its hand."""

    def __init__(self, strategy: KuhnStrategy) -> None:
        self._behaviour = strategy.behaviour

    @property
    def best(self) -> float:
        """Exact, over both seats."""
        return self._over_seats(response_behaviour(self._behaviour))

    @property
    def balanced(self) -> float:
        """The equilibrium with the most bluffs, over both seats."""
        return self._over_seats(BALANCED)

    def _over_seats(self, mine: npt.NDArray[np.float64]) -> float:
        first = values([mine, self._behaviour])[0]
        second = values([self._behaviour, mine])[1]
        return float(first + second) / 2

    def worths(self, view: KuhnView) -> dict[int, float]:
        """Passing and betting, to the end of the hand."""
        return hand_worths(self._behaviour, HandSeen(view.position, view.card, view.history))

    def advice(self, view: KuhnView) -> dict[int, float]:
        """How often the equilibrium bets or calls here."""
        bet = float(BALANCED[histories(2)[0].index(view.history), view.card])
        return {action: chance for action, chance in ((PASS, 1 - bet), (BET, bet)) if chance > 0}
