"""Bargaining and behavioural game theory, each formula with its source.

Where popular summaries differ from the literature, the literature is followed: see ``docs/adr/0004``.
Utilities are pairs ``(u1, u2)`` with the disagreement point at ``(0, 0)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, product
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Outcome = tuple[float, float]
Player = TypeVar("Player", bound=Hashable)

EXACT_SHAPLEY_LIMIT = 10


# -- bargaining over a price -----------------------------------------------------------------------


def nash_price(floor: float, ceiling: float, seller_power: float = 0.5) -> float:
    """Nash's solution for linear utilities: the power-weighted point of the zone.

    The midpoint only for equal power (Nash 1950; Kalai 1977 for the asymmetric case).

    Raises:
        ValueError: if the zone is empty or the power lies outside [0, 1].
    """
    if ceiling < floor:
        raise ValueError("there is no zone of agreement: ceiling lies below floor")
    if not 0 <= seller_power <= 1:
        raise ValueError("seller_power must lie in [0, 1]")
    return floor + seller_power * (ceiling - floor)


def _check_discount(*discounts: float) -> None:
    if any(not 0 <= d <= 1 for d in discounts):
        raise ValueError("a discount factor must lie in [0, 1]")


def rubinstein_shares(d1: float, d2: float) -> tuple[float, float]:
    """Shares of (proposer, responder) in alternating offers without end (Rubinstein 1982).

    The proposer, of discount ``d1``, gets ``(1 - d2) / (1 - d1*d2)``. Under a common ``d`` the *responder*
    gets ``d / (1 + d)``. Two players who do not discount at all share equally, the limit of equal patience.
    """
    _check_discount(d1, d2)
    if d1 * d2 == 1:
        return 0.5, 0.5
    proposer = (1 - d2) / (1 - d1 * d2)
    return proposer, 1 - proposer


def rubinstein_limit_share(r1: float, r2: float) -> float:
    """The first player's share as offers follow each other without delay: ``r2 / (r1 + r2)``.

    ``r1`` and ``r2`` are the players' continuous discount rates (Binmore, Rubinstein & Wolinsky 1986).
    """
    if r1 < 0 or r2 < 0 or r1 + r2 == 0:
        raise ValueError("discount rates must be non-negative and not both zero")
    return r2 / (r1 + r2)


def stahl_share(delta: float, rounds: int) -> float:
    """First proposer's share with ``rounds`` alternating offers left (Stahl 1972).

    Backward induction gives ``(1 - (-delta)**n) / (1 + delta)``: 1 with one round, ``1 - delta`` with two.
    """
    _check_discount(delta)
    if rounds < 1:
        raise ValueError("rounds must be at least 1")
    return (1 - (-delta) ** rounds) / (1 + delta)


# -- bargaining over outcomes ----------------------------------------------------------------------


def _as_array(outcomes: Sequence[Outcome]) -> Array:
    if not len(outcomes):
        raise ValueError("no outcomes to choose from")
    return np.asarray(outcomes, dtype=np.float64)


def _rational(utilities: Array) -> npt.NDArray[np.bool_]:
    rational = np.asarray((utilities >= 0).all(axis=1))
    if not rational.any():
        raise ValueError("no outcome is individually rational for both sides")
    return rational


def pareto_frontier(outcomes: Sequence[Outcome]) -> list[int]:
    """Indices, in the order given, of the individually rational outcomes that no other dominates.

    Outcomes that leave a side worse than the disagreement point are no agreement anybody would sign.
    """
    utilities = _as_array(outcomes)
    frontier = []
    for index, point in enumerate(utilities):
        if (point < 0).any():
            continue
        no_worse = (utilities >= point).all(axis=1)
        better = (utilities > point).any(axis=1)
        if not (no_worse & better).any():
            frontier.append(index)
    return frontier


def nash_solution(outcomes: Sequence[Outcome]) -> int:
    """Index of the individually rational outcome with the largest product of utilities (Nash 1950)."""
    utilities = _as_array(outcomes)
    product = np.where(_rational(utilities), utilities.prod(axis=1), -np.inf)
    return int(np.argmax(product))


def _lexicographic_best(first: Array, second: Array) -> int:
    return int(np.lexsort((-second, -first))[0])


def kalai_smorodinsky(outcomes: Sequence[Outcome]) -> int:
    """Index of ``argmax min(u_i / u_i^max)`` over individually rational outcomes (Kalai & Smorodinsky 1975).

    Ties go to the larger sum of both shares.
    """
    utilities = _as_array(outcomes)
    rational = _rational(utilities)
    ideal = utilities[rational].max(axis=0)
    share = utilities / np.where(ideal > 0, ideal, 1.0)
    worst = np.where(rational, share.min(axis=1), -np.inf)
    return _lexicographic_best(worst, share.sum(axis=1))


def egalitarian(outcomes: Sequence[Outcome]) -> int:
    """Index of the individually rational outcome with the largest smaller utility (Kalai 1977)."""
    utilities = _as_array(outcomes)
    worst = np.where(_rational(utilities), utilities.min(axis=1), -np.inf)
    return _lexicographic_best(worst, utilities.sum(axis=1))


# -- more than two parties -------------------------------------------------------------------------


def shapley_values(
    players: Sequence[Player], value: Callable[[frozenset[Player]], float]
) -> dict[Player, float]:
    """Exact Shapley values: marginal contributions averaged over all orders (Shapley 1953).

    Raises:
        ValueError: for more than ten players; use :func:`shapley_sample` there.
    """
    n = len(players)
    if n > EXACT_SHAPLEY_LIMIT:
        raise ValueError(f"exact values are offered to {EXACT_SHAPLEY_LIMIT} players; sample beyond")
    worth = {
        frozenset(members): value(frozenset(members))
        for size in range(n + 1)
        for members in combinations(players, size)
    }
    weight = [math.factorial(s) * math.factorial(n - s - 1) / math.factorial(n) for s in range(n)]
    return {
        player: sum(
            weight[len(coalition)] * (worth[coalition | {player}] - worth[coalition])
            for coalition in worth
            if player not in coalition
        )
        for player in players
    }


def shapley_sample(
    players: Sequence[Player],
    value: Callable[[frozenset[Player]], float],
    permutations: int,
    rng: np.random.Generator,
) -> dict[Player, tuple[float, float, float]]:
    """Shapley values by sampled orders: ``(mean, low, high)`` with a 95% normal interval for each player."""
    if permutations < 2:
        raise ValueError("an interval needs at least two permutations")
    gains: dict[Player, list[float]] = {player: [] for player in players}
    for _ in range(permutations):
        coalition: frozenset[Player] = frozenset()
        before = value(coalition)
        for index in rng.permutation(len(players)):
            coalition = coalition | {players[int(index)]}
            after = value(coalition)
            gains[players[int(index)]].append(after - before)
            before = after
    result = {}
    for player, samples in gains.items():
        mean = float(np.mean(samples))
        half = 1.96 * float(np.std(samples, ddof=1)) / math.sqrt(permutations)
        result[player] = (mean, mean - half, mean + half)
    return result


def in_core(
    players: Sequence[Player],
    value: Callable[[frozenset[Player]], float],
    payoffs: Mapping[Player, float],
    tolerance: float = 1e-9,
) -> bool:
    """Whether the payoffs share out exactly ``value(all)`` and no coalition earns more alone (Gillies 1959)."""
    coalitions = (frozenset(c) for size in range(len(players)) for c in combinations(players, size))
    total = sum(payoffs[player] for player in players)
    return abs(total - value(frozenset(players))) <= tolerance and all(
        value(coalition) - sum(payoffs[player] for player in coalition) <= tolerance
        for coalition in coalitions
    )


def _trio_limits(
    players: Sequence[Player], value: Callable[[frozenset[Player]], float]
) -> tuple[Array, Array, float]:
    """What three players ask for alone, the most that each pair leaves the third, and the whole.

    With three players every coalition but the whole bounds one player's payoff: a single one from below, a
    pair, since the rest goes to the third, from above. All solutions below follow from these two bounds.
    """
    if len(set(players)) != 3:
        raise ValueError("these closed forms are for three players")
    everyone = frozenset(players)
    whole = value(everyone)
    alone = np.array([value(frozenset({player})) for player in players], dtype=np.float64)
    most = np.array([whole - value(everyone - {player}) for player in players], dtype=np.float64)
    if (alone > most + 1e-9).any():
        raise ValueError("some pair and the third earn more apart than all three together")
    return alone, most, whole


def core_bounds(
    players: Sequence[Player], value: Callable[[frozenset[Player]], float]
) -> dict[Player, tuple[float, float]] | None:
    """The least and the most that each of three players gets in the core; ``None`` when the core is empty."""
    alone, most, whole = _trio_limits(players, value)
    low = np.maximum(alone, whole - (most.sum() - most))
    high = np.minimum(most, whole - (alone.sum() - alone))
    if (low > high + 1e-9).any():
        return None
    return {p: (float(a), float(max(a, b))) for p, a, b in zip(players, low, high, strict=True)}


def core_polygon(
    players: Sequence[Player], value: Callable[[frozenset[Player]], float]
) -> list[tuple[float, float, float]]:
    """Corners of the three-player core in order round its edge; none when it is empty, one for a point."""
    alone, most, whole = _trio_limits(players, value)
    corners: list[tuple[float, float, float]] = []
    # At a corner two players stand at a bound of theirs and the third takes the rest.
    for one, two in combinations(range(3), 2):
        for first, second in product((alone[one], most[one]), (alone[two], most[two])):
            point = np.empty(3)
            point[one], point[two] = first, second
            point[3 - one - two] = whole - first - second
            inside = (point >= alone - 1e-9).all() and (point <= most + 1e-9).all()
            if inside and not any(np.allclose(point, corner) for corner in corners):
                corners.append((float(point[0]), float(point[1]), float(point[2])))
    if corners:
        x, y, _ = np.mean(corners, axis=0)
        corners.sort(key=lambda corner: math.atan2(corner[1] - y, corner[0] - x))
    return corners


def least_core(players: Sequence[Player], value: Callable[[frozenset[Player]], float]) -> float:
    """The smallest excess that every coalition of three can be held to (Maschler, Peleg & Shapley 1979).

    Negative inside a core with room, zero where the core is a single face, positive when it is empty: the tax
    on breaking away that would make the whole hold together.
    """
    alone, most, whole = _trio_limits(players, value)
    meeting = float(((alone - most) / 2).max())
    return max(meeting, float(alone.sum() - whole) / 3, float(whole - most.sum()) / 3)


def nucleolus(players: Sequence[Player], value: Callable[[frozenset[Player]], float]) -> dict[Player, float]:
    """The division whose worst-off coalition is best off, then the next worst, and so on (Schmeidler 1969).

    Closed form for three players: at the least core either all bounds of one kind bind, which settles every
    payoff, or one player's two bounds meet, and the other two share the rest in the middle of what is left.
    """
    alone, most, whole = _trio_limits(players, value)
    excess = least_core(players, value)
    low, high = alone - excess, most + excess
    if math.isclose(low.sum(), whole, abs_tol=1e-9):
        return dict(zip(players, map(float, low), strict=True))
    if math.isclose(high.sum(), whole, abs_tol=1e-9):
        return dict(zip(players, map(float, high), strict=True))
    fixed = int(np.argmin(high - low))
    one, two = (index for index in range(3) if index != fixed)
    payoffs = np.empty(3)
    payoffs[fixed] = (alone[fixed] + most[fixed]) / 2
    rest = whole - payoffs[fixed]
    payoffs[one] = (max(alone[one], rest - most[two]) + min(most[one], rest - alone[two])) / 2
    payoffs[two] = rest - payoffs[one]
    return dict(zip(players, map(float, payoffs), strict=True))


# -- how people depart from theory -----------------------------------------------------------------


def prospect_value(x: float, alpha: float = 0.88, loss_aversion: float = 2.25) -> float:
    """Felt value of a gain or loss from the reference point (Tversky & Kahneman 1992)."""
    felt: float = abs(x) ** alpha
    return felt if x >= 0 else -loss_aversion * felt


def prospect_values(x: Array, alpha: float = 0.88, loss_aversion: float = 2.25) -> Array:
    """As :func:`prospect_value`, for many outcomes at once."""
    felt = np.power(np.abs(x), alpha)
    values: Array = np.where(x >= 0, felt, -loss_aversion * felt)
    return values


def anchored_estimate(prior: float, anchor: float, weight: float = 0.65) -> float:
    """An estimate drawn towards an anchor: ``prior + weight * (anchor - prior)``.

    Insufficient adjustment is Tversky & Kahneman's (1974); the weight is a parameter of ours.
    """
    if not 0 <= weight <= 1:
        raise ValueError("weight must lie in [0, 1]")
    return prior + weight * (anchor - prior)


def _best_response(payoff: Array, against: Array) -> Array:
    """Uniform over the best replies to a mixed strategy; ``payoff`` is own (own actions x other's)."""
    expected = payoff @ against
    best = np.isclose(expected, expected.max(), rtol=1e-9, atol=1e-12)
    response: Array = best / best.sum()
    return response


def level_k(
    payoff: npt.ArrayLike, other_payoff: npt.ArrayLike, level: int, level_0: npt.ArrayLike | None = None
) -> Array:
    """Strategy of a level-k player: a best response to level k-1 (Stahl & Wilson 1995; Nagel 1995).

    Args:
        payoff: own payoffs, shape (own actions, other's actions).
        other_payoff: the other's payoffs, shape (other's actions, own actions).
        level: k >= 0.
        level_0: the other's (and own) level-0 mix where action counts agree; uniform by default.

    Returns:
        Probabilities over own actions.
    """
    if level < 0:
        raise ValueError("level must be at least 0")
    mine, theirs = np.asarray(payoff, dtype=np.float64), np.asarray(other_payoff, dtype=np.float64)
    if level == 0:
        naive = np.ones(mine.shape[0]) if level_0 is None else np.asarray(level_0, dtype=np.float64)
        mix: Array = naive / naive.sum()
        return mix
    return _best_response(mine, level_k(theirs, mine, level - 1, level_0))


def cognitive_hierarchy(
    payoff: npt.ArrayLike, other_payoff: npt.ArrayLike, level: int, tau: float = 1.5
) -> Array:
    """Strategy of a step-k thinker, who best-responds to a Poisson mix of *all* lower levels.

    Camerer, Ho & Chong (2004); a different model from :func:`level_k`. ``tau`` is the mean number of steps.
    """
    if level < 0:
        raise ValueError("level must be at least 0")
    mine, theirs = np.asarray(payoff, dtype=np.float64), np.asarray(other_payoff, dtype=np.float64)
    if level == 0:
        return np.full(mine.shape[0], 1 / mine.shape[0])
    frequency = np.array([math.exp(-tau) * tau**h / math.factorial(h) for h in range(level)])
    frequency = frequency / frequency.sum()
    belief = sum(f * cognitive_hierarchy(theirs, mine, h, tau) for h, f in enumerate(frequency))
    return _best_response(mine, np.asarray(belief))
