"""What a rollout was worth, and what that makes of the samples of a group.

Hard: a win alone, an elimination, or progress, just after the second winter or earlier if the game or the power has
ended. Soft: a judge's marks. Each part is standardised within its group before it is weighted, so that neither can
drown the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from negotiation.engine.diplomacy.geography import CENTRES, HOMES, PROVINCE, REACH
from negotiation.engine.diplomacy.state import State

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RewardSettings:
    """Every coefficient."""

    hard_weight: float = 1.0
    soft_weight: float = 0.5
    tag_weight: float = 0.25
    """Of truth tags that turned out wrong, as a share of the promises made."""
    solo: float = 10.0
    elimination: float = -1.0
    centres: float = 1.0
    units: float = 0.2
    third: float = 0.1
    third_term: Literal["owned", "home", "forward"] = "owned"
    """What the third coefficient counts: centres once more, as first written; home centres still held; units that
    stand on or beside a centre that is not the power's own."""
    epsilon: float = 1e-6
    """Added to a spread before it divides."""


def hard(state: State, power: int, settings: RewardSettings) -> float:
    """The hard part of one rollout's reward."""
    if state.winner == power:
        return settings.solo
    owned = state.centres(power)
    if not owned and not state.units[power]:
        return settings.elimination
    third = {"owned": len(owned), "home": len(set(owned) & set(HOMES[power]))}.get(settings.third_term)
    if third is None:
        third = forward(state, power)
    return settings.centres * len(owned) + settings.units * len(state.units[power]) + settings.third * third


def forward(state: State, power: int) -> int:
    """Units that stand on or beside a centre of somebody else or of nobody."""
    targets = {place for place, owner in zip(CENTRES, state.owners, strict=True) if owner != power}
    return sum(bool(targets & {PROVINCE[node], *REACH[node]}) for node in state.units[power])


class GroupScore(NamedTuple):
    """The samples of one group against each other."""

    rewards: Floats
    """(G,): the weighted, standardised parts."""
    advantages: Floats
    """(G,): how far each stands from the group's mean, in its spreads; all 0 in a dropped group."""
    dropped: bool
    """Whether the group has no spread, and so nothing to teach."""


def score(hards: Floats, softs: Floats, mistagged: Floats, settings: RewardSettings) -> GroupScore:
    """Advantages of G samples from K rollouts each.

    Args:
        hards: (G, K) hard parts.
        softs: (G, K) the judge's means; one judge for the whole group.
        mistagged: (G,) the share of each sample's promises whose TRUTH turned out broken.
    """
    rewards = (
        settings.hard_weight * standardised(hards.mean(axis=1), settings.epsilon)
        + settings.soft_weight * standardised(softs.mean(axis=1), settings.epsilon)
        - settings.tag_weight * mistagged
    )
    dropped = bool(np.ptp(rewards) < settings.epsilon)
    advantages = np.zeros_like(rewards) if dropped else standardised(rewards, settings.epsilon)
    return GroupScore(rewards, advantages, dropped)


def standardised(values: Floats, epsilon: float) -> Floats:
    """(values - mean) / (spread + epsilon)."""
    result: Floats = (values - values.mean()) / (values.std() + epsilon)
    return result
