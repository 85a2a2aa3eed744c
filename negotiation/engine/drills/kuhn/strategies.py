"""Named ways to play Kuhn poker for two, and the equilibria that theory knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.kuhn.rules import faces_bet, histories
from negotiation.engine.drills.kuhn.tables import Behaviour
from negotiation.engine.drills.kuhn.view import KuhnView

JACK, QUEEN, KING = range(3)


@dataclass(frozen=True, eq=False)
class KuhnStrategy:
    """A behaviour with a name."""

    name: str
    title: str
    says: str
    behaviour: Behaviour

    def act(self, view: KuhnView, number: float) -> int:
        """Bet or call where the number falls below the probability."""
        decision = histories(view.seats)[0].index(view.history)
        return int(np.float32(number) < np.float32(self.behaviour[decision, view.card]))


def by_card(bet: tuple[float, ...], call: tuple[float, ...], seats: int = 2) -> Behaviour:
    """Play that looks at its card and at whether there is a bet, and at nothing else."""
    return np.array([call if faces_bet(history) else bet for history in histories(seats)[0]])


def equilibrium(alpha: float) -> Behaviour:
    """The equilibria of the game for two (Kuhn 1950): one for every ``alpha`` from 0 to 1/3.

    The first player bluffs a Jack with ``alpha``, bets a King three times as often, and calls with a Queen with
    ``alpha + 1/3``; the second player has one optimal strategy.

    Raises:
        ValueError: if ``alpha`` lies outside [0, 1/3].
    """
    if not 0 <= alpha <= 1 / 3:
        raise ValueError("alpha must lie in [0, 1/3]")
    rows = {
        "": (alpha, 0.0, 3 * alpha),
        "pb": (0.0, alpha + 1 / 3, 1.0),
        "p": (1 / 3, 0.0, 1.0),
        "b": (0.0, 1 / 3, 1.0),
    }
    return np.array([rows[history] for history in histories(2)[0]])


def _as_printed() -> Behaviour:
    """The paper's "Nash": at ``alpha`` = 1/3 the first player's Queen should call 2/3 after passing, not 1/3."""
    behaviour = equilibrium(1 / 3)
    behaviour[histories(2)[0].index("pb"), QUEEN] = 1 / 3
    return behaviour


def _never_risking_a_queen() -> Behaviour:
    behaviour = equilibrium(1 / 3)
    behaviour[:, QUEEN] = 0.0
    return behaviour


def _table(name: str, title: str, says: str, behaviour: npt.ArrayLike) -> KuhnStrategy:
    return KuhnStrategy(name, title, says, np.asarray(behaviour, dtype=np.float64))


STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        _table(
            "nash_approx", "Near balance", "Bluffs and calls by thirds, one of them wrong.", _as_printed()
        ),
        _table(
            "tight_passive",
            "Rock",
            "Puts chips in with a King and otherwise folds.",
            by_card(bet=(0, 0, 1), call=(0, 0, 1)),
        ),
        _table(
            "loose_aggressive",
            "Maniac",
            "Bets most hands and calls with most.",
            by_card(bet=(0.5, 0.75, 1), call=(0.25, 0.75, 1)),
        ),
        _table("always_bet", "All in", "Bets and calls, whatever it holds.", by_card((1, 1, 1), (1, 1, 1))),
        _table(
            "max_exploiter",
            "Bully",
            "Bets Queens and Kings and calls only with a King.",
            by_card(bet=(0, 1, 1), call=(0, 0, 1)),
        ),
        _table("always_pass", "Mouse", "Never puts in a chip.", by_card((0, 0, 0), (0, 0, 0))),
        _table("nash", "Balanced", "Plays the equilibrium with the fewest bluffs.", equilibrium(0.0)),
        _table(
            "nash_third",
            "Balanced bluffer",
            "Plays the equilibrium with the most bluffs.",
            equilibrium(1 / 3),
        ),
        _table(
            "tight_value",
            "Value bettor",
            "Bets a King, calls a Queen one time in three.",
            by_card(bet=(0, 0, 1), call=(0, 1 / 3, 1)),
        ),
        _table(
            "pot_control",
            "Pot controller",
            "Keeps the pot small: bets a King half the time, calls a Queen half the time.",
            by_card(bet=(0, 0, 0.5), call=(0, 0.5, 1)),
        ),
        _table("random", "Dice", "Flips a coin.", by_card((0.5,) * 3, (0.5,) * 3)),
        _table(
            "always_pass_queen",
            "Shy Queen",
            "Balanced, but never puts in a chip with a Queen.",
            _never_risking_a_queen(),
        ),
    )
}
