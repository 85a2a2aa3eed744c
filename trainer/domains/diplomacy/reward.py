"""What a rollout was worth, and what that makes of the samples of a group.

Hard: a win alone, an elimination, or progress, just after the second winter or earlier if the game or the power has
ended. Soft: a judge's marks. Each part is standardised within its group before it is weighted, so that neither can
drown the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from negotiation.engine.diplomacy.geography import CENTRES, HOMES, PROVINCE, REACH
from negotiation.engine.diplomacy.press.ledger import Entry
from negotiation.engine.diplomacy.press.tags import TagCheck, check
from negotiation.engine.diplomacy.state import State

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BoardRewardSettings:
    """Every coefficient."""

    hard_weight: float = 1.0
    soft_weight: float = 0.5
    tag_weight: float = 0.25
    """Of promises tagged TRUTH and broken, as a share of the promises made."""
    idle_weight: float = 0.25
    """Of promises tagged LIE and kept all the same. Without it LIE on everything would never be wrong."""
    right_weight: float = 0.0
    """Of promises whose tag said what came. Where tags only cost, the cheapest is to promise nothing."""
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


def hard(state: State, power: int, settings: BoardRewardSettings) -> float:
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


class Tags(NamedTuple):
    """What became of the tags of one sample's promises over its rollouts, as counts."""

    promises: int
    honest: int
    broken: int
    """Tagged TRUTH and broken."""
    lies: int
    unused: int
    """Tagged LIE and kept."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Tags:
        """Count the tagged ones among these promises."""
        checks = [found for found in map(check, entries) if found is not None]
        kinds = (TagCheck.HONEST, TagCheck.MISTAGGED, TagCheck.LIE, TagCheck.IDLE_LIE)
        return cls(len(checks), *(checks.count(kind) for kind in kinds))

    @property
    def mistagged(self) -> float:
        """The share of the promises whose TRUTH turned out broken."""
        return self.broken / self.promises if self.promises else 0.0

    @property
    def idle(self) -> float:
        """The share of the promises whose LIE was kept all the same."""
        return self.unused / self.promises if self.promises else 0.0


class GroupScore(NamedTuple):
    """The samples of one group against each other."""

    rewards: Floats
    """(G,): the weighted, standardised parts."""
    advantages: Floats
    """(G,): how far each stands from the group's mean, in its spreads; all 0 in a dropped group."""
    dropped: bool
    """Whether the group has no spread, and so nothing to teach."""


def score(hards: Floats, softs: Floats, tagged: Floats, settings: BoardRewardSettings) -> GroupScore:
    """Advantages of G samples from K rollouts each.

    Args:
        hards: (G, K) hard parts.
        softs: (G, K) the judge's means; one judge for the whole group.
        tagged: (G,) what each sample's tags earned, as :func:`of_tags` says.
    """
    rewards = (
        settings.hard_weight * standardised(hards.mean(axis=1), settings.epsilon)
        + settings.soft_weight * standardised(softs.mean(axis=1), settings.epsilon)
        + tagged
    )
    dropped = bool(np.ptp(rewards) < settings.epsilon)
    advantages = np.zeros_like(rewards) if dropped else standardised(rewards, settings.epsilon)
    return GroupScore(rewards, advantages, dropped)


def of_tags(tags: Tags, settings: BoardRewardSettings) -> float:
    """What tags earned, by shares of the promises that were made."""
    if not tags.promises:
        return 0.0
    right = (tags.honest + tags.lies) / tags.promises
    return (
        settings.right_weight * right
        - settings.tag_weight * tags.mistagged
        - settings.idle_weight * tags.idle
    )


def plain(hards: float, softs: float, tags: Tags, settings: BoardRewardSettings) -> float:
    """What a sample was worth by itself, nothing standardised: by it policies are compared across positions."""
    return settings.hard_weight * hards + settings.soft_weight * softs + of_tags(tags, settings)


def standardised(values: Floats, epsilon: float) -> Floats:
    """(values - mean) / (spread + epsilon)."""
    result: Floats = (values - values.mean()) / (values.std() + epsilon)
    return result
