"""What a persona makes of the issues beside the price: what they are worth to it, and what it thinks of the other.

A persona sees only part of the other's interests: who negotiates takes the pie for fixed until shown otherwise
(Bazerman & Neale 1992). Its ``insight`` grows with its theory of mind, with time, with trust and with each
different package that it is offered (Leonardelli, Gu, McRuer, Medvec & Galinsky 2019). At a given worth to
itself it names the terms that it believes are best for the other: the trade-off move of Faratin, Sierra &
Jennings (2002).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from negotiation.engine.deal.chance import Array, Number
from negotiation.engine.deal.strategist.pace import greater, lesser

_AT_ONCE, _WITH_TIME, _WITH_TRUST = 0.35, 0.35, 0.3
"""Shares of its theory of mind that a persona applies from the start, by the end of its stay, at full trust."""
_PER_PACKAGE = 0.12
_UNTOLD_AT_ONCE, _UNTOLD_WITH_TIME, _PER_NEED_TOLD = 0.10, 0.10, 0.20
"""With a case: what it guesses at once and with time, and what it learns from a fact on a need that it is told."""


def insight_share(tom_depth: float, progress: Number, trust: Number, packages: Number) -> Number:
    """The share of the other's interests that a persona sees, in [0, 1].

    Args:
        progress: share of its stay that has passed.
        packages: how many different sets of terms the other side has put forward.
    """
    seen = _AT_ONCE + _WITH_TIME * progress + _WITH_TRUST * trust
    return lesser(tom_depth * seen + _PER_PACKAGE * greater(packages - 1, 0.0), 1.0)


def told_share(tom_depth: float, progress: Number, packages: Number, needs_told: Number) -> Number:
    """As :func:`insight_share`, with a case: it hardly guesses, it has to be told."""
    seen = _UNTOLD_AT_ONCE + _UNTOLD_WITH_TIME * progress
    told = _PER_PACKAGE * greater(packages - 1, 0.0) + _PER_NEED_TOLD * needs_told
    return lesser(tom_depth * seen + told, 1.0)


@dataclass(slots=True)
class Exchange:
    """The terms as one persona weighs them.

    Args:
        own: what each bundle is worth to it, shape ``(bundles,)``.
        typical: what each bundle is typically worth to the other side, shape ``(bundles,)``.
    """

    own: Array
    typical: Array
    insight: float = 0.0
    seen: set[int] = field(default_factory=set)

    @property
    def matters(self) -> bool:
        return len(self.own) > 1

    def learn(
        self,
        tom_depth: float,
        progress: float,
        trust: float,
        bundle: int | None,
        needs_told: int | None = None,
    ) -> None:
        """Take in a turn: the time that passed, the trust there is, the terms that were put forward.

        Args:
            needs_told: facts on its needs that the other side has told, at a table with a case.
        """
        if not self.matters:
            return
        if bundle is not None:
            self.seen.add(bundle)
        packages = float(len(self.seen))
        if needs_told is None:
            self.insight = float(insight_share(tom_depth, progress, trust, packages))
        else:
            self.insight = float(told_share(tom_depth, progress, packages, float(needs_told)))

    @property
    def joint_gain(self) -> float:
        """What it believes the best terms to add for both together."""
        return float(np.maximum.reduce(self._together)) if self.matters else 0.0

    def best_bundle(self) -> int:
        """The terms that it would name now."""
        return int(self._together.argmax()) if self.matters else 0

    @property
    def _together(self) -> Array:
        """What it believes each bundle to be worth to both together."""
        return self.own + self.insight * self.typical

    def worth_to_other(self, bundle: int) -> float:
        """What it believes a bundle to be worth to the other, in money."""
        return float(self.insight * self.typical[bundle]) if self.matters else 0.0

    def worth(self, bundle: int) -> float:
        return float(self.own[bundle])
