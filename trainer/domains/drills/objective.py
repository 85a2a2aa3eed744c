"""The objective of SEPO as rewards and advantages: what each round of each rollout is worth to learn from.

    J = s*u - le*s*e - lc*c - lx*x

The paper (arXiv 2605.30854, equations 2 to 4) makes two errors that ``ObjectiveSettings`` can switch on:

* its penalties come from *auxiliary* episodes. They do not depend on the actions they are charged to, so their
  gradient is zero in expectation and they only add noise. Here each penalty is charged to the episode that incurred
  it: rollouts against the exploit and collusive pools are learnt from like any other (``credit = own``).
* a round is paid by what it earned itself, which teaches to betray whoever would have answered. Here a round is paid
  by what it and all later rounds earned (``returns = to_go``).

Groups are the rollouts against one opponent. Dividing each group by its own spread would also divide the weights
out (a penalty alone in its group counts the same whatever its weight), so under own credit the spread is that of
all groups together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills import Record
from trainer.domains.drills.weights import SafetyWeights

Array = npt.NDArray[np.float64]
Pool = Literal["train", "exploit", "collusive"]

NO_SPREAD = 1e-8
"""At or below this spread a group, or a round of it, teaches nothing: its advantages are 0."""


@dataclass(frozen=True, slots=True)
class ObjectiveSettings:
    """Defaults are ours; ``PAPER`` is the paper's."""

    credit: Literal["own", "paper"] = "own"
    """Whose actions a penalty is charged to: those of its own episode, or those of the training rollout beside it."""
    returns: Literal["to_go", "immediate"] = "to_go"
    normalise: Literal["round", "episode"] = "round"
    """Compare rollouts round by round, or by their total, every round of a rollout alike."""
    exploit: bool = True
    collusion: bool = True
    externality: bool = True
    """Which penalties count; none of them is reward only."""
    harm: Literal["train", "all"] = "train"
    """Where harm is charged. Cooperating with a defector does less harm than defecting back, so charging it beside
    adversaries too pays the learner to forgive whoever exploits it; that is the ablation."""
    constant: bool = False
    """The control: each penalty replaced by its mean over the group, which cancels."""


PAPER = ObjectiveSettings(credit="paper", returns="immediate")


@dataclass(frozen=True, slots=True)
class Group:
    """The rollouts against one opponent of one pool."""

    pool: Pool
    record: Record
    share: float = 1.0
    """One over how many opponents that pool has: every opponent counts alike within its pool."""
    auxiliary: Array | None = None
    """(n,) under paper credit: the penalties measured beside each training rollout, see ``auxiliary_penalty``."""
    ahead: bool | None = None
    """Whether an adversary came out ahead over all that was played against it; judged episode by episode unless
    given. In poker an episode's winner is mostly luck, and charging for bad luck teaches to avoid risk."""


def switched(weights: SafetyWeights, settings: ObjectiveSettings) -> SafetyWeights:
    """The weights with what is switched off at 0."""
    return SafetyWeights(
        weights.exploit * settings.exploit,
        weights.collusion * settings.collusion,
        weights.externality * settings.externality,
    )


def rewards(group: Group, weights: SafetyWeights, scale: float, settings: ObjectiveSettings) -> Array:
    """(rounds, n): what each round is paid, before comparing.

    Returns:
        For a training opponent the scaled payoff less the harm done; against an adversary what it took beyond the
        player, if it came out ahead over the episode, and no harm unless the settings say so; beside a collusive
        partner each greedy round.
    """
    record, on = group.record, switched(weights, settings)
    harm = on.externality * record.externality.astype(np.float64)
    if group.pool == "train":
        paid: Array = scale * record.payoffs[0].astype(np.float64)
        charge = harm if settings.credit == "own" else _auxiliary(group, paid)
        paid -= _charged(charge, settings)
        return paid
    if settings.credit == "paper":
        return np.zeros_like(harm)
    if group.pool == "collusive":
        greedy = (record.greedy & record.tempted).astype(np.float64)
        return -_charged(on.collusion * greedy, settings)
    margin = (record.payoffs[1] - record.payoffs[0]).astype(np.float64)
    ahead = margin.mean(axis=0) > 0 if group.ahead is None else np.bool_(group.ahead)
    lost = np.where(ahead, margin, 0.0)
    charge = on.exploit * scale * lost
    return -_charged(charge + harm if settings.harm == "all" else charge, settings)


def auxiliary_penalty(
    exploit: Sequence[Record], collusive: Sequence[Record], weights: SafetyWeights, scale: float
) -> Array:
    """(n,): the paper's penalties for n training rollouts, from one auxiliary episode each against every adversary
    and partner. Records hold n episodes each.
    """
    total = np.zeros(exploit[0].payoffs.shape[2])
    for record in exploit:
        margin = (record.payoffs[1] - record.payoffs[0]).mean(axis=0)
        total += weights.exploit * scale * np.maximum(0, margin) / len(exploit)
        total += weights.externality * record.externality.mean(axis=0) / len(exploit)
    for record in collusive:
        tempted = np.maximum(1, record.tempted.sum(axis=0))
        total += weights.collusion * (record.greedy & record.tempted).sum(axis=0) / tempted / len(collusive)
    return total


def advantages(
    groups: Sequence[Group], weights: SafetyWeights, scale: float, settings: ObjectiveSettings
) -> list[Array]:
    """(rounds, n) for each group: how much better each round went than it usually does against that opponent.

    Under own credit an advantage is multiplied by the group's share, so that opponents count alike within a pool.
    """
    centred = []
    for group in groups:
        paid = rewards(group, weights, scale, settings)
        if settings.normalise == "episode":
            paid = np.broadcast_to(paid.mean(axis=0), paid.shape)
        elif settings.returns == "to_go":
            paid = paid[::-1].cumsum(axis=0)[::-1]
        centred.append(paid - paid.mean(axis=1, keepdims=True))
    if settings.credit == "paper":
        return [_over_spread(each, each.std(axis=1, keepdims=True)) for each in centred]
    spread = np.sqrt(np.mean([(each**2).mean(axis=1, keepdims=True) for each in centred], axis=0))
    return [group.share * _over_spread(each, spread) for group, each in zip(groups, centred, strict=True)]


def _auxiliary(group: Group, paid: Array) -> Array:
    """The paper's penalty, the same in every round of a rollout."""
    if group.auxiliary is None:
        raise ValueError("paper credit needs the auxiliary penalties of every training group")
    return np.broadcast_to(group.auxiliary, paid.shape)


def _charged(penalty: Array, settings: ObjectiveSettings) -> Array:
    """The penalty, or under the control its mean over the group."""
    if not settings.constant:
        return penalty
    return np.broadcast_to(penalty.mean(axis=1, keepdims=True), penalty.shape)


def _over_spread(centred: Array, spread: Array) -> Array:
    return np.divide(
        centred,
        spread + NO_SPREAD,
        out=np.zeros_like(centred),
        where=np.broadcast_to(spread > NO_SPREAD, centred.shape),
    )
