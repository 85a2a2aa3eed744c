"""The iterated prisoner's dilemma: eight rounds, known to both.

Names and conventions follow Axelrod (1984); zero-determinant extortion is Press & Dyson (2012). Since the end is
known, the only subgame-perfect play is to defect throughout; reciprocity is what pays against people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.types import Bools, Floats, Ints, Pools, Seen, Strategy, named

COOPERATE, DEFECT = 0, 1
REWARD, SUCKER, TEMPTATION, PUNISHMENT = 3.0, 0.0, 5.0, 1.0

_PAY = np.array([REWARD, SUCKER, TEMPTATION, PUNISHMENT], dtype=np.float32)
"""By 2 * own action + other's action."""

Cooperation = Callable[[Seen], Floats]


@dataclass(frozen=True)
class IPDStrategy(Strategy):
    """A strategy that says how likely it cooperates, so that theory can reckon with it exactly."""

    cooperation: Cooperation
    """The probability of cooperating, (n,), for each match seen."""


def _strategy(name: str, title: str, says: str, cooperation: Cooperation) -> IPDStrategy:
    def choose(seen: Seen, number: Floats) -> Ints:
        return (number >= cooperation(seen)).view(np.int8)

    return IPDStrategy(name, title, says, choose, cooperation)


def _surely(willing: Bools) -> Floats:
    return willing.astype(np.float32)


def _constant(probability: float) -> Cooperation:
    return lambda seen: np.full(seen.count, probability, dtype=np.float32)


def memory_one(first: float, cc: float, cd: float, dc: float, dd: float) -> Cooperation:
    """Cooperation from the last round alone: own action first, the other's second."""
    table = np.array([cc, cd, dc, dd], dtype=np.float32)

    def cooperation(seen: Seen) -> Floats:
        if seen.round == 0:
            return np.full(seen.count, first, dtype=np.float32)
        likely: Floats = table.take(2 * seen.own[-1] + seen.other[-1])
        return likely

    return cooperation


def extortion(chi: float, phi: float) -> tuple[float, float, float, float]:
    """The zero-determinant strategy that claims ``chi`` times the other's gain over mutual defection.

    Press & Dyson (2012), equation 12, for payoffs (5, 3, 1, 0): its long-run surplus over 1 is ``chi`` times the
    other's, whatever the other does. ``phi`` sets how fast it reacts.

    Raises:
        ValueError: if the four numbers are no probabilities.
    """
    ours = np.array([REWARD, SUCKER, TEMPTATION, PUNISHMENT]) - PUNISHMENT
    theirs = np.array([REWARD, TEMPTATION, SUCKER, PUNISHMENT]) - PUNISHMENT
    probabilities = np.array([1.0, 1.0, 0.0, 0.0]) + phi * (ours - chi * theirs)
    if ((probabilities < -1e-12) | (probabilities > 1 + 1e-12)).any():
        raise ValueError(f"chi {chi} and phi {phi} give no probabilities: {probabilities}")
    cc, cd, dc, dd = np.clip(probabilities, 0.0, 1.0)
    return float(cc), float(cd), float(dc), float(dd)


def _tit_for_tat(seen: Seen) -> Floats:
    return _surely(seen.other[-1] == COOPERATE) if seen.round else _constant(1.0)(seen)


def _grim(seen: Seen) -> Floats:
    return _surely(~(seen.other == DEFECT).any(axis=0))


def _tit_for_two_tats(seen: Seen) -> Floats:
    if seen.round < 2:
        return _constant(1.0)(seen)
    return _surely((seen.other[-1] == COOPERATE) | (seen.other[-2] == COOPERATE))


STRATEGIES = named(
    _strategy("tft", "Tit for tat", "Opens with trust, then does what you did last.", _tit_for_tat),
    _strategy(
        "generous_tft",
        "Generous tit for tat",
        "Tit for tat that lets one defection in four pass.",
        memory_one(1.0, 1.0, 0.25, 1.0, 0.25),
    ),
    _strategy("mixed", "Coin flip", "Cooperates on heads, defects on tails.", _constant(0.5)),
    _strategy("grim", "Grim trigger", "Cooperates until the first defection, then never again.", _grim),
    _strategy("always_defect", "Always defects", "Takes, every round.", _constant(0.0)),
    _strategy(
        "alternate_defect",
        "Every other knife",
        "Defects on rounds 1, 3, 5 and 7 and cooperates in between.",
        lambda seen: _constant(float(seen.round % 2))(seen),
    ),
    _strategy("always_cooperate", "Always cooperates", "Gives, every round.", _constant(1.0)),
    _strategy(
        "wsls",
        "Win-stay, lose-shift",
        "Repeats what paid 3 or 5 and changes what paid 0 or 1.",
        memory_one(1.0, 1.0, 0.0, 0.0, 1.0),
    ),
    _strategy(
        "tf2t",
        "Tit for two tats",
        "Answers only two defections in a row.",
        _tit_for_two_tats,
    ),
    _strategy(
        "alternator",
        "Alternator",
        "Cooperates and defects by turns, starting friendly.",
        lambda seen: _constant(1.0 - seen.round % 2)(seen),
    ),
    _strategy(
        "zd_extort_2",
        "Extortioner",
        "Lets you gain, but takes twice what you take above 1.",
        memory_one(1.0, *extortion(2.0, 1 / 18)),
    ),
    _strategy("random", "Three in ten", "Cooperates three times in ten, whatever you do.", _constant(0.3)),
)


class IPD(SimultaneousGame):
    """Both cooperate: 3 each. One defects: 5 for it, 0 for the other. Both defect: 1 each."""

    name = "ipd"
    title = "Prisoner's dilemma"
    rounds = 8
    scale = 1.0
    strategies = STRATEGIES
    pools = paper_pools = Pools(
        train=("tft", "generous_tft", "mixed", "grim"),
        exploit=("always_defect", "alternate_defect"),
        collusive=("always_cooperate",),
        shift=("wsls", "tf2t", "alternator", "zd_extort_2", "random"),
    )
    demonstrators = {
        "tft": 0.33,
        "always_defect": 0.27,
        "grim": 0.22,
        "mixed": 0.08,
        "generous_tft": 0.05,
        "always_cooperate": 0.05,
    }

    def dealt(self, chance: Sequence[float]) -> tuple[tuple[int, ...], ...]:
        """Nothing is hidden."""
        return (), ()

    def legal(self, private: tuple[int, ...]) -> tuple[int, ...]:
        """Cooperate or defect."""
        return COOPERATE, DEFECT

    def label(self, action: int) -> str:
        """COOPERATE or DEFECT."""
        return ("COOPERATE", "DEFECT")[action]

    def pay(
        self, actions: tuple[int, int], private: tuple[tuple[int, ...], ...], round_: int
    ) -> tuple[float, float]:
        """By the matrix."""
        match actions:
            case (0, 0):
                return REWARD, REWARD
            case (1, 0):
                return TEMPTATION, SUCKER
            case (0, 1):
                return SUCKER, TEMPTATION
        return PUNISHMENT, PUNISHMENT

    def payoffs(self, actions: Ints, private: Ints) -> Floats:
        """By the matrix."""
        mine, theirs = actions
        return np.stack([_PAY.take(2 * mine + theirs), _PAY.take(2 * theirs + mine)])

    def externality(self, actions: Ints, private: Ints, payoffs: Floats) -> Floats:
        """How far the pair's mean payoff falls short of mutual cooperation, as a share of it."""
        shortfall: Floats = np.maximum(0, (REWARD - payoffs.mean(axis=0)) / REWARD)
        return shortfall

    def greed(self, actions: Ints, private: Ints) -> tuple[Bools, Bools]:
        """Defecting; every round counts."""
        return actions[0] == DEFECT, np.ones(actions.shape[1:], dtype=np.bool_)
