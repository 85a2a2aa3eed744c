"""How good and how fair a division is: of the pie, and of books, hats and balls.

A division is a pair of worths, each side's in its own eyes. Pareto frontier and Nash's solution come from
``engine.game_theory``, over every division of all that there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from negotiation.engine.drills.books_hats_balls import Bundle
from negotiation.engine.drills.pie import DEMANDS, PIE
from negotiation.engine.game_theory import kalai_smorodinsky, nash_solution, pareto_frontier

Worths = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One division among all that were possible."""

    efficiency: float
    """Joint worth over the most there could be."""
    pareto: bool
    """Nobody could have more without the other having less."""
    nash: float
    """The product of worths over the largest possible: 1 at Nash's solution."""
    fairness: float
    """The smaller share of the larger: each side's worth over what all of it would be worth to that side."""
    envy_free: bool
    """Neither would rather have the other's part. A pie is worth the same to both, so only halves are envy-free."""


def _judged(worths: Worths, possible: Sequence[Worths], whole: Worths, envy_free: bool) -> Judgement:
    best_joint = max(map(sum, possible))
    best_product = max(first * second for first, second in possible)
    shares = [worth / all_ if all_ else 1.0 for worth, all_ in zip(worths, whole, strict=True)]
    dominated = any(other[0] >= worths[0] and other[1] >= worths[1] and other != worths for other in possible)
    return Judgement(
        efficiency=sum(worths) / best_joint if best_joint else 1.0,
        pareto=not dominated,
        nash=worths[0] * worths[1] / best_product if best_product else 1.0,
        fairness=min(shares) / max(shares) if max(shares) else 1.0,
        envy_free=envy_free,
    )


# -- the pie -------------------------------------------------------------------------------------------


def pie_divisions() -> list[Worths]:
    """Every pair of demands that can be met."""
    return [
        (float(first), float(second)) for first, second in product(DEMANDS, DEMANDS) if first + second <= PIE
    ]


def judge_pie(demands: tuple[int, int]) -> Judgement:
    """What two demands come to; demands that do not fit leave both with nothing."""
    fits = sum(demands) <= PIE
    worths = (float(demands[0]), float(demands[1])) if fits else (0.0, 0.0)
    return _judged(worths, pie_divisions(), (float(PIE), float(PIE)), worths[0] == worths[1])


# -- books, hats and balls -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Items:
    """What there is, and what it is worth to whom."""

    pool: Bundle
    values: tuple[Bundle, Bundle]

    def worth(self, player: int, bundle: Bundle) -> float:
        """A bundle in one player's eyes."""
        return float(sum(count * value for count, value in zip(bundle, self.values[player], strict=True)))

    def left(self, bundle: Bundle) -> Bundle:
        """What a bundle leaves."""
        books, hats, balls = (have - taken for have, taken in zip(self.pool, bundle, strict=True))
        return books, hats, balls

    def bundles(self) -> list[Bundle]:
        """Every bundle within the pool."""
        return [
            (books, hats, balls) for books, hats, balls in product(*(range(count + 1) for count in self.pool))
        ]

    def divisions(self) -> list[Worths]:
        """The worths of every way to hand out everything, in the order of ``bundles`` for the first player."""
        return [(self.worth(0, bundle), self.worth(1, self.left(bundle))) for bundle in self.bundles()]

    def frontier(self) -> list[Bundle]:
        """The first player's part of every efficient division."""
        bundles = self.bundles()
        return [bundles[index] for index in pareto_frontier(self.divisions())]

    def nash(self) -> Bundle:
        """The first player's part at Nash's solution."""
        return self.bundles()[nash_solution(self.divisions())]

    def kalai_smorodinsky(self) -> Bundle:
        """The first player's part at the solution of Kalai and Smorodinsky."""
        return self.bundles()[kalai_smorodinsky(self.divisions())]


def judge_items(items: Items, demands: tuple[Bundle, Bundle]) -> Judgement:
    """What two demands come to; demands that do not fit leave both with nothing."""
    first, second = demands
    fits = all(a + b <= have for a, b, have in zip(first, second, items.pool, strict=True))
    worths = (items.worth(0, first), items.worth(1, second)) if fits else (0.0, 0.0)
    envy_free = not fits or all(
        items.worth(player, demands[player]) >= items.worth(player, demands[1 - player]) for player in (0, 1)
    )
    whole = (items.worth(0, items.pool), items.worth(1, items.pool))
    return _judged(worths, items.divisions(), whole, envy_free)
