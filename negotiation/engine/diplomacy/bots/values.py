"""How much a DumbBot wants each node: nearness to centres worth taking or keeping, and who can get there.

After David Norman's DumbBot, from its description: the size of a power that has c centres is c^2 + 4c + 16, all
neutral centres counting as one power. A centre that is another's is worth its owner's size in attack; one's own is
worth, in defence, the largest enemy that can move in. That worth spreads from node to node in nine steps; a place
that a fleet can enter by two coasts counts once, by the better. The weights below are his.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from negotiation.engine.diplomacy.geography import (
    CENTRES,
    NEUTRAL,
    NEXT,
    NODES,
    POWERS,
    PROVINCE,
    PROVINCES,
    REACH,
)
from negotiation.engine.diplomacy.state import FALL, FALL_RETREATS, SPRING, SPRING_RETREATS, WINTER, State

Floats = npt.NDArray[np.float64]

_STEPS = 10
_SPREAD = 5.0
_WEIGHTS = {
    "spring": np.array([100.0, 1000, 30, 10, 6, 5, 4, 3, 2, 1]),
    "fall": np.array([1000.0, 100, 30, 10, 6, 5, 4, 3, 2, 1]),
}
_WORTH, _FALL_WORTH = (700.0, 300.0), (600.0, 400.0)
"""Of attack and of defence."""
_OUT_OF_BOUNDS = -1e12
_STRENGTH = _COMPETITION = _WINTER_DEFENCE = 1000.0


class Desires(NamedTuple):
    """What one power wants in one position."""

    value: list[float]
    """By node."""
    competition: list[float]
    """By province: how many units the most numerous rival could move there."""


class _View(NamedTuple):
    """One power and, by power with neutrals last, whether it counts as a rival."""

    power: int
    rivals: tuple[bool, ...]


def _view(power: int, trusted: frozenset[int] = frozenset()) -> _View:
    return _View(power, tuple(other != power and other not in trusted for other in range(len(POWERS) + 1)))


_EVERYONE = tuple(_view(power) for power in range(len(POWERS)))


def _spreading() -> tuple[Floats, list[int]]:
    """One step of nearness as a matrix, and the nodes that have a second row: by a neighbour's other coast."""
    rows, second = [], {}
    for node, following in enumerate(NEXT):
        coasts: dict[int, list[int]] = {}
        for there in following:
            coasts.setdefault(PROVINCE[there], []).append(there)
        for take in (0, -1):
            row = np.zeros(len(NODES))
            row[[node, *(nodes[take] for nodes in coasts.values())]] = 1 / _SPREAD
            if take == 0:
                rows.append(row)
            elif len(coasts) < len(following):
                second[node] = row
    return np.vstack([*rows, *second.values()]), list(second)


_STEP, _TWICE = _spreading()
_ENTERS = np.zeros((len(NODES), len(PROVINCES)))
"""1 where the unit of a node can be in a province after moving: those it can enter, and its own."""
for _node, _provinces in enumerate(REACH):
    _ENTERS[_node, [*_provinces, PROVINCE[_node]]] = 1
_CENTRES = np.array(CENTRES)
_CENTRE_NODES = np.array([node for node in range(len(NODES)) if PROVINCE[node] in CENTRES])
_CENTRE_OF_NODE = np.array([CENTRES.index(PROVINCE[node]) for node in _CENTRE_NODES])
_PROVINCE = np.array(PROVINCE)


def desires(state: State, power: int, trusted: frozenset[int] = frozenset()) -> Desires:
    """What ``power`` wants, where ``trusted`` powers are no danger and no prey: their places are out of bounds."""
    if not trusted:
        return _everyone(state)[power]
    wanted = _all_desires(state, (_view(power, trusted),))[0]
    theirs = {PROVINCE[node] for other in trusted for node in state.units[other]}
    theirs |= {centre for centre, owner in zip(CENTRES, state.owners, strict=True) if owner in trusted}
    value = [_OUT_OF_BOUNDS if PROVINCE[node] in theirs else value for node, value in enumerate(wanted.value)]
    return wanted._replace(value=value)


@lru_cache(maxsize=4)
def _everyone(state: State) -> list[Desires]:
    return _all_desires(state, _EVERYONE)


def _all_desires(state: State, views: tuple[_View, ...]) -> list[Desires]:
    owners = np.array(state.owners)
    counts = np.bincount(owners, minlength=NEUTRAL + 1)
    size = (counts**2 + 4 * counts + 16).astype(float)
    present = np.zeros((len(POWERS), len(NODES)))
    for power, row in enumerate(state.units):
        present[power, list(row)] = 1
    entering = present @ _ENTERS
    powers, rivals = np.array([view.power for view in views]), np.array([view.rivals for view in views])
    threats = size[:NEUTRAL, None] * (entering[:, _CENTRES] > 0)
    defence = np.where(owners == powers[:, None], (threats * rivals[:, :NEUTRAL, None]).max(axis=1), 0.0)
    attack = size[owners] * rivals[:, owners]
    autumn = state.season in (FALL, FALL_RETREATS)
    attacking, defending = _FALL_WORTH if autumn else _WORTH
    worth = attacking * attack + defending * defence
    spring = state.season in (SPRING, SPRING_RETREATS)
    value = _nearness(worth, _WEIGHTS["spring" if spring else "fall"])
    competition = (entering * rivals[:, :NEUTRAL, None]).max(axis=1)
    if state.season == WINTER:
        value[_CENTRE_NODES] += _WINTER_DEFENCE * defence.T[_CENTRE_OF_NODE]
    else:
        value += (_STRENGTH * entering[powers] - _COMPETITION * competition).T[_PROVINCE]
    value = value.round(2)  # so that equal values tie, whatever the order in which they were summed
    return [Desires(*row) for row in zip(value.T.tolist(), competition.tolist(), strict=True)]


def _nearness(worth: Floats, weights: Floats) -> Floats:
    """(nodes, views): the weighted sum of what lies within nine steps of each node."""
    near = np.zeros((len(NODES), len(worth)))
    near[_CENTRE_NODES] = worth.T[_CENTRE_OF_NODE]
    total: Floats = weights[0] * near
    for weight in weights[1:]:
        spread = _STEP @ near
        near = spread[: len(NODES)]
        near[_TWICE] = np.maximum(near[_TWICE], spread[len(NODES) :])
        total += weight * near
    return total
