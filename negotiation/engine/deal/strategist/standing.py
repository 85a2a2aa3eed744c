"""What a persona has on the table: a package, what it is worth to it, and how far it has come."""

from __future__ import annotations

from typing import Literal

from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist.exchange import Exchange
from negotiation.engine.deal.strategist.types import Decision

SAME_WORTH = 1e-9


class Standing:
    """The persona's standing package. Values are in its value space, ``sign`` times money."""

    def __init__(self, scenario: Scenario, sign: int, exchange: Exchange) -> None:
        self._scenario = scenario
        self._sign = sign
        self._exchange = exchange
        self._package = (0.0, 0)
        self.value: float | None = None
        self.conceded = 0.0

    def value_of(self, price: float, bundle: int) -> float:
        """What a package is worth to the persona."""
        return self._sign * price + self._exchange.worth(bundle)

    def revealed_by(self, price: float, bundle: int) -> float:
        """How far towards its limit the other side goes with a package, as the persona sees it."""
        return self._sign * price - self._exchange.worth_to_other(bundle)

    def put(self, value: float, reservation: float) -> tuple[float, int]:
        """Put a package worth ``value`` on the table, never beyond the reservation, never asking for more again.

        Returns:
            The price in money and the terms that go with it.
        """
        price, bundle = self.next_package(value, reservation)
        self.stand_at(price, bundle)
        return price, bundle

    def next_package(self, value: float, reservation: float) -> tuple[float, int]:
        """The package that :meth:`put` would put."""
        price, bundle = self._on_grid(value, reservation)
        if self.value is not None and self.value_of(price, bundle) > self.value + SAME_WORTH:
            return self._held_or_better(price, bundle)
        return price, bundle

    def stand_at(self, price: float, bundle: int) -> None:
        """Stand by a package that somebody else put on the table in its name, whatever it is worth."""
        new = self.value_of(price, bundle)
        if self.value is not None:
            self.conceded += self.value - new
        self.value, self._package = new, (price, bundle)

    def restate(self, value: float, reservation: float) -> None:
        """Events have overtaken the package: stand at ``value`` instead. Not a concession."""
        self._package = self._on_grid(value, reservation)
        self.value = self.value_of(*self._package)

    def decision(self, act: Literal["accept", "walk_away"]) -> Decision:
        """To end it, one way or the other, with what is on the table."""
        price, bundle = (None, 0) if self.value is None else self._package
        return Decision(act, offer=price, bundle=bundle, accept=act == "accept", walk_away=act == "walk_away")

    def _on_grid(self, value: float, reservation: float) -> tuple[float, int]:
        """The package nearest to ``value`` with the terms that it would name now."""
        bundle = self._exchange.best_bundle()
        price = self._scenario.round(self._sign * (value - self._exchange.worth(bundle)))
        if self.value_of(price, bundle) < reservation:
            price += self._sign * self._scenario.step
        return price, bundle

    def _held_or_better(self, price: float, bundle: int) -> tuple[float, int]:
        """A package that asks for no more than the one on the table: the new terms, where one step does it."""
        lower = price - self._sign * self._scenario.step
        if (
            self.value is not None
            and bundle != self._package[1]
            and self.value_of(lower, bundle) <= self.value
        ):
            return lower, bundle
        return self._package
