"""Terms and standing packages in many games: ``exchange.py`` and ``standing.py`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist.exchange import insight_share, told_share
from negotiation.engine.deal.strategist.standing import SAME_WORTH


@dataclass(slots=True)
class Exchanges(Rows):
    """The terms as the personas weigh them; ``own`` and ``seen`` have shape ``(n, bundles)``."""

    own: Array
    typical: tuple[float, ...]
    """What each bundle is typically worth to the other side; the same in every game."""
    insight: Array
    seen: npt.NDArray[np.bool_]
    joint_gain: Array
    """What each believes the best terms to add for both together."""
    best: Ints
    """The terms that each would name now."""

    @classmethod
    def at_start(cls, own: Array, typical: Array) -> Exchanges:
        games = len(own)
        return cls(
            own,
            tuple(typical.tolist()),
            insight=np.zeros(games),
            seen=np.zeros(own.shape, dtype=np.bool_),
            joint_gain=np.zeros(games),
            best=np.zeros(games, dtype=np.int64),
        )

    @property
    def matters(self) -> bool:
        return bool(self.own.shape[1] > 1)

    def learn(
        self,
        tom_depth: float,
        progress: Array,
        trust: Array,
        bundles: Ints | None,
        needs_told: Ints | None = None,
    ) -> None:
        """Take in a turn; ``bundles`` are the terms put forward, -1 where none were, ``needs_told`` facts on the players'
        needs that they have told, where there is a case."""
        if not self.matters:
            return
        if bundles is not None:
            rows = np.flatnonzero(bundles >= 0)
            self.seen[rows, bundles[rows]] = True
        packages = self.seen.sum(axis=1).astype(np.float64)
        if needs_told is None:
            self.insight = insight_share(tom_depth, progress, trust, packages)
        else:
            self.insight = told_share(tom_depth, progress, packages, needs_told.astype(np.float64))
        joint = self.own + self.insight[:, None] * np.array(self.typical)
        self.best = joint.argmax(axis=1)
        self.joint_gain = joint[np.arange(len(joint)), self.best]

    def worth(self, bundles: Ints) -> Array:
        worth: Array = self.own[np.arange(len(bundles)), bundles]
        return worth

    def worth_to_other(self, bundles: Ints) -> Array:
        worth: Array = self.insight * np.array(self.typical)[bundles]
        return worth


@dataclass(slots=True)
class Standings(Rows):
    """What the personas have on the table; ``value`` is NaN where nothing is yet."""

    scenario: Scenario
    sign: int
    value: Array
    price: Array
    bundle: Ints
    conceded: Array

    @classmethod
    def at_start(cls, scenario: Scenario, sign: int, games: int) -> Standings:
        return cls(
            scenario,
            sign,
            value=np.full(games, np.nan),
            price=np.zeros(games),
            bundle=np.zeros(games, dtype=np.int64),
            conceded=np.zeros(games),
        )

    def value_of(self, exchange: Exchanges, price: Array, bundle: Ints) -> Array:
        return self.sign * price + exchange.worth(bundle)

    def put(self, exchange: Exchanges, value: Array, reservation: Array, where: Mask) -> tuple[Array, Ints]:
        """Put packages worth ``value`` on the table in the games of ``where``; returns price and terms."""
        price, bundle = self.next_packages(exchange, value, reservation)
        self._stand(exchange, price, bundle, where)
        return price, bundle

    def next_packages(self, exchange: Exchanges, value: Array, reservation: Array) -> tuple[Array, Ints]:
        """The packages that :meth:`put` would put."""
        price, bundle = self._on_grid(exchange, value, reservation)
        asks_more = self.value_of(exchange, price, bundle) > self.value + SAME_WORTH
        if asks_more.any():
            price, bundle = self._held_or_better(exchange, price, bundle, asks_more)
        return price, bundle

    def follow(self, exchange: Exchanges, price: Array, bundle: Ints, where: Mask) -> None:
        """Stand at packages that were decided elsewhere."""
        self._stand(exchange, price, bundle, where)

    def restate(self, exchange: Exchanges, value: Array, reservation: Array, where: Mask) -> None:
        """Events have overtaken the packages of ``where``: stand at ``value`` instead. Not a concession."""
        price, bundle = self._on_grid(exchange, value, reservation)
        self.value = np.where(where, self.value_of(exchange, price, bundle), self.value)
        self.price = np.where(where, price, self.price)
        self.bundle = np.where(where, bundle, self.bundle)

    def _stand(self, exchange: Exchanges, price: Array, bundle: Ints, where: Mask) -> None:
        new = self.value_of(exchange, price, bundle)
        moved = where & ~np.isnan(self.value)
        self.conceded = np.where(moved, self.conceded + (self.value - new), self.conceded)
        self.value = np.where(where, new, self.value)
        self.price = np.where(where, price, self.price)
        self.bundle = np.where(where, bundle, self.bundle)

    def _on_grid(self, exchange: Exchanges, value: Array, reservation: Array) -> tuple[Array, Ints]:
        bundle = exchange.best
        price = self.scenario.rounded(self.sign * (value - exchange.worth(bundle)))
        short = self.value_of(exchange, price, bundle) < reservation
        return np.where(short, price + self.sign * self.scenario.step, price), bundle

    def _held_or_better(
        self, exchange: Exchanges, price: Array, bundle: Ints, where: Mask
    ) -> tuple[Array, Ints]:
        lower = price - self.sign * self.scenario.step
        does = (bundle != self.bundle) & (self.value_of(exchange, lower, bundle) <= self.value)
        new_price = np.where(does, lower, self.price)
        new_bundle = np.where(does, bundle, self.bundle)
        return np.where(where, new_price, price), np.where(where, new_bundle, bundle)
