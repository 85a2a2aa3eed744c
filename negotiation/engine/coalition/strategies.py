"""Reference strategies for any seat: yardsticks for the personas. Each sees what its seat sees, and says nothing of note."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from negotiation.engine.coalition.outcome import worth_table
from negotiation.engine.coalition.scenario import CoalitionScenario
from negotiation.engine.coalition.types import (
    ARRANGEMENTS,
    BUYERS,
    COALITIONS,
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Action,
    Coalition,
    Observation,
    Proposal,
    Seat,
)
from negotiation.engine.coalition.worth import gross, own_payoff
from negotiation.engine.game_theory import shapley_values


class Strategy(Protocol):
    """Decides one turn from what its seat may know."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """This turn's action."""
        ...


class Valued:
    """A strategy that takes the broker's memo for the truth of the others, and its own figures for its own."""

    def __init__(self, scenario: CoalitionScenario, seat: Seat) -> None:
        self._scenario = scenario
        self._seat = seat

    def _stakes(self, view: Observation) -> np.ndarray:
        stakes = self._scenario.memo()
        stakes[SEAT_INDEX[self._seat]] = [getattr(view.own, name) for name in ARRANGEMENTS]
        return stakes

    def shapley(self, view: Observation) -> dict[Seat, float]:
        """Every seat's Shapley value, as far as this one can tell."""
        worth = worth_table(self._stakes(view), self._scenario.depot_cost)
        return shapley_values(SEATS, worth.__getitem__)

    def proposal(self, view: Observation, members: Coalition, gain: float) -> Proposal | None:
        """A proposal that leaves itself ``gain`` and shares the rest among the others by their Shapley values."""
        stakes, shapley = self._stakes(view), self.shapley(view)
        worth = worth_table(stakes, self._scenario.depot_cost)[members]
        others = members - {self._seat}
        weight = sum(shapley[seat] for seat in others)
        gains = {seat: (worth - gain) * shapley[seat] / weight for seat in others} | {self._seat: gain}
        pays: dict[Seat, float] = {
            seat: float(gross(stakes, seat, members)) - gains[seat] for seat in BUYERS if seat in members
        }
        step = self._scenario.step
        rounded = {seat: round(pay / step) * step for seat, pay in pays.items()}
        if "seller" not in members:
            other = next(iter(others))
            rounded[other] = self._scenario.depot_cost - rounded[self._seat]
        return None if min(rounded.values()) < 0 else Proposal.of(members, **rounded)

    def best_support(self, view: Observation, least: float) -> Action | None:
        """Stand behind the best proposal that leaves at least ``least``."""
        best: tuple[float, int] | None = None
        for offer in view.standing:
            gain = own_payoff(view.own, self._seat, offer.proposal)
            open_to_me = self._seat in offer.proposal.members and self._seat not in offer.supporters
            if open_to_me and gain >= max(least, 0.0) and (best is None or gain > best[0]):
                best = (gain, offer.number)
        return None if best is None else Action(support=best[1])

    def put(self, view: Observation, members: Coalition, gain: float) -> Action:
        """Propose that, where it can be done; wait otherwise."""
        if members <= view.present:
            proposal = self.proposal(view, members, gain)
            if proposal is not None and own_payoff(view.own, self._seat, proposal) >= 0:
                return Action(text="This is what I see.", proposal=proposal)
        return Action(text="I wait.")


class Fair(Valued):
    """Proposes the Shapley division of all three and takes nine tenths of its own part of it."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Support what is fair enough, else propose what is fair."""
        fair = self.shapley(view)[self._seat]
        return self.best_support(view, 0.9 * fair) or self.put(view, EVERYONE, fair)


class Patient(Valued):
    """Asks for much of all three, comes down as time runs, and takes what it would ask for next."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Support what beats the next ask, else ask."""
        fair = self.shapley(view)[self._seat]
        late = (view.round - 1) / (view.horizon - 1)
        asks = fair * (1.4 - 0.6 * late**2)
        return self.best_support(view, asks) or self.put(view, EVERYONE, asks)


class Pairer(Valued):
    """Never shares with two: the most valuable pair, at its middle, in private."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Support a good pair, else propose one."""
        worth = worth_table(self._stakes(view), self._scenario.depot_cost)
        pairs = [members for members in COALITIONS if self._seat in members and members != EVERYONE]
        best = max((pair for pair in pairs if pair <= view.present), key=worth.__getitem__)
        half = worth[best] / 2
        return self.best_support(view, 0.9 * half) or self.put(view, best, half)


class Greedy(Valued):
    """Asks for twice its fair share, always, and takes no less than one and a half."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Support riches, else ask for them."""
        fair = self.shapley(view)[self._seat]
        return self.best_support(view, 1.5 * fair) or self.put(view, EVERYONE, 2.0 * fair)


class Ambusher(Valued):
    """Waits for the last round, when nobody can answer any more, and then leaves the others little."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Take riches at any time; propose only at the very end."""
        fair = self.shapley(view)[self._seat]
        riches = self.best_support(view, 1.4 * fair)
        if riches is not None or view.round < view.horizon:
            return riches or Action(text="I wait.")
        last = self._seat == SEATS[-1]
        return (last and self.best_support(view, 0.0)) or self.put(view, EVERYONE, 1.5 * fair)


class Yielder(Valued):
    """Takes the first thing that leaves it anything."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Support anything, else propose half of what would be fair."""
        fair = self.shapley(view)[self._seat]
        return self.best_support(view, 0.0) or self.put(view, EVERYONE, 0.5 * fair)


class Chancer(Valued):
    """Acts at random among legal things that do not cost it."""

    def act(self, view: Observation, rng: np.random.Generator) -> Action:
        """Support or propose by a throw of the dice."""
        if rng.random() < 0.3:
            support = self.best_support(view, 0.0)
            if support is not None:
                return support
        options = [members for members in COALITIONS if self._seat in members]
        members = options[int(rng.integers(len(options)))]
        return self.put(view, members, float(rng.uniform(0.2, 1.6)) * self.shapley(view)[self._seat])


STRATEGIES: dict[str, Callable[[CoalitionScenario, Seat], Strategy]] = {
    "fair": Fair,
    "patient": Patient,
    "pairer": Pairer,
    "greedy": Greedy,
    "ambusher": Ambusher,
    "yielder": Yielder,
    "random": Chancer,
}
