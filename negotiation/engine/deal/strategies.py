"""Reference strategies for the player's seat: yardsticks of the personas, from naive to expert.

A strategy sees :class:`Observation` and nothing else. Arithmetic is in the player's value space (money times
its sign): own offers come down from the opening towards the walk-away, the opponent's climb.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np

from negotiation.engine.deal.issues import bundle_worths, terms_of
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_file import scenarios
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Action, Observation

PLANNED_SHARE = 0.7
"""Strategies plan to have said their last by this share of the horizon."""
CLOSING_TURNS = 2


class Strategy(Protocol):
    """A player. One instance plays one game."""

    def told(self, scenario: Scenario) -> None:
        """What is public of the deal, before the first move: needed where the scenario is not one that ships."""

    def act(self, seen: Observation, rng: np.random.Generator) -> Action:
        """The next action, from what the player may see."""


class PricePlanner(ABC):
    """Shared by all price strategies: accept what beats the plan, close at the end, otherwise offer.

    Subclasses say what they want next, in value space, in :meth:`wish`.
    """

    considers = 0.0
    """How far it weighs what terms are typically worth to the other side: 0 takes the pie for fixed."""

    def __init__(self) -> None:
        self._mine: list[float] = []
        self._theirs: list[float] = []
        self._scenario: Scenario | None = None
        self._told: Scenario | None = None
        self._sign = 1
        self._worths = self._typical = np.zeros(1)
        self._bundle = 0

    def told(self, scenario: Scenario) -> None:
        self._told = scenario

    def act(self, seen: Observation, rng: np.random.Generator) -> Action:
        if self._scenario is None:
            self._sit_down(seen)
        floor = self._sign * seen.own.walk_away
        standing = None if seen.standing_worth is None else self._sign * seen.standing_worth
        if standing is not None:
            self._theirs.append(standing)
        wished = self._within(self.wish(seen, floor, rng), floor)
        if standing is not None and self.accepts(seen, standing, wished, floor):
            return Action(accept=True)
        if seen.turn >= seen.horizon:
            return (
                Action(accept=True) if standing is not None and standing >= floor else Action(walk_away=True)
            )
        self._mine.append(wished)
        terms = terms_of(self.scenario.issues, self._bundle) if self.scenario.issues else None
        return self.dress(Action(offer=self._money(wished, floor), terms=terms), seen, rng)

    @abstractmethod
    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        """The offer wanted next, in value space, before limits and monotony are applied."""

    def accepts(self, seen: Observation, standing: float, wished: float, floor: float) -> bool:
        if standing >= wished:
            return True
        return seen.turn > seen.horizon - CLOSING_TURNS and standing >= floor

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        """Words, cards and beliefs around the offer. Plain strategies have none."""
        return action

    def _sit_down(self, seen: Observation) -> None:
        """Learn the deal, and choose the terms to ask for beside the price."""
        self._scenario = scenario = self._told or scenarios()[seen.scenario]
        self._sign = SIGN[seen.seat]
        self._worths = bundle_worths(scenario.issues, seen.own.values)
        self._typical = scenario.nominal_worths(OTHER_SEAT[seen.seat])
        self._bundle = int(np.argmax(self._worths + self.considers * self._typical))

    # -- helpers -----------------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        if self._scenario is None:
            raise RuntimeError("a strategy learns its scenario with its first observation")
        return self._scenario

    @property
    def width(self) -> float:
        return self.scenario.nominal_width

    def opening(self, seen: Observation, floor: float) -> float:
        anchor = self._sign * self.scenario.seats[seen.seat].opening + float(self._worths[self._bundle])
        return max(anchor, floor + 0.3 * self.width)

    def progress(self, seen: Observation) -> float:
        return min(1.0, (seen.turn - 1) / (PLANNED_SHARE * seen.horizon - 1))

    def last_concession(self) -> float:
        """How far the opponent's last offer moved towards the player."""
        return self._theirs[-1] - self._theirs[-2] if len(self._theirs) > 1 else 0.0

    def _within(self, wished: float, floor: float) -> float:
        ceiling = self._mine[-1] if self._mine else np.inf
        return float(max(floor, min(wished, ceiling)))

    def _money(self, value: float, floor: float) -> float:
        worth = float(self._worths[self._bundle])
        price = self.scenario.round(self._sign * (value - worth))
        if self._sign * price + worth < floor:
            price += self._sign * self.scenario.step
        return float(price)


class TimePlanner(PricePlanner):
    """``O + (R - O) * progress ** (1 / beta)``: Boulware under 1, linear at 1, conceder above."""

    beta = 1.0
    keep = 0.04
    """Share of the nominal zone kept above the walk-away at the end."""

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        opening = self.opening(seen, floor)
        end = floor + self.keep * self.width
        return float(opening + (end - opening) * self.progress(seen) ** (1 / self.beta))


class Linear(TimePlanner):
    pass


class Conceder(TimePlanner):
    beta = 3.0


class Boulware(TimePlanner):
    beta = 0.3
    keep = 0.15


class Capitulator(PricePlanner):
    """Drops to its limit within three turns and takes the first offer that clears it."""

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        opening = self.opening(seen, floor)
        return float(opening + (floor - opening) * min(1.0, (seen.turn - 1) / 3))

    def accepts(self, seen: Observation, standing: float, wished: float, floor: float) -> bool:
        return standing >= floor


class TitForTat(PricePlanner):
    """Gives exactly what it got, with a token of good will to start from."""

    good_will = 0.04

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        if not self._mine:
            return self.opening(seen, floor)
        token = self.good_will * self.width if seen.turn <= 3 else 0.0
        return self._mine[-1] - max(0.0, self.last_concession()) - token


class Stonewaller(PricePlanner):
    """Names one number and repeats it; takes what is there on the last turns."""

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        return floor + 0.85 * (self.opening(seen, floor) - floor)


class RandomPlayer(PricePlanner):
    """Offers anything between its opening and its limit; sometimes accepts."""

    chance = 0.15

    def __init__(self) -> None:
        super().__init__()
        self._takes = False

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        self._takes = bool(rng.random() < self.chance)
        return float(rng.uniform(floor, self.opening(seen, floor)))

    def accepts(self, seen: Observation, standing: float, wished: float, floor: float) -> bool:
        return standing >= floor and self._takes

    def _within(self, wished: float, floor: float) -> float:
        return max(floor, wished)
