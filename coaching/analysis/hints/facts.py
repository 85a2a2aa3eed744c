"""A live game as its player sees it, with what the reference observer makes of it: all that a hint may know.

Read from the frames of the player's role and the observer's posterior, which follows from public offers and headlines;
so hidden truth can't get in. Money is in whole currency units. *Worth* is what a package is worth to the player as
a price; *reach* is the observer's probability that the other side's limit covers a package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from coaching.analysis.hints.talked import TableTalk, read_talk
from negotiation.engine.deal import Persona, Scenario, Seat, personas
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.conduct import player_acts
from negotiation.engine.deal.issues import bundle_of
from negotiation.engine.deal.reward import BLUFF_TOLERANCE
from negotiation.engine.deal.types import OTHER_SEAT, SIGN
from negotiation.engine.language import understand


@dataclass(frozen=True, slots=True)
class NewsFact:
    """A headline and the turn from which it can be used."""

    id: str
    kind: str
    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Observer:
    """The reference observer's posterior over the other side's limit, as a price; ``grid`` ascends."""

    grid: Array
    density: Array

    def probability(self, where: npt.NDArray[np.bool_]) -> float:
        """The mass of the limits that a mask over ``grid`` picks."""
        return float(self.density[where].sum() / self.density.sum())

    def expected(self, values: Array) -> float:
        """The mean of a figure given for each limit of ``grid``."""
        return float((self.density * values).sum() / self.density.sum())

    def span(self, share: float = 0.8) -> tuple[float, float]:
        """The central interval that holds ``share`` of the mass, low end first."""
        mass = np.cumsum(self.density) / self.density.sum()
        ends = np.searchsorted(mass, ((1 - share) / 2, (1 + share) / 2))
        low, high = self.grid[np.minimum(ends, len(self.grid) - 1)].tolist()
        return low, high


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What can be known after a whole turn. Lists by turn begin with the opening, turn 0.

    ``own`` and ``theirs`` hold the worth of the package that stood after each turn, ``None`` before the first one.
    """

    scenario: Scenario
    persona: Persona
    seat: Seat
    horizon: int
    table: Mapping[str, Any]
    own: tuple[float | None, ...]
    theirs: tuple[float | None, ...]
    tension: tuple[float, ...]
    width: float
    asked: tuple[int, ...]
    claimed_on: int | None
    news: tuple[NewsFact, ...]
    observer: Observer
    talk: TableTalk | None = None
    """What was said at a table with a case; ``None`` where there is none."""

    @property
    def sign(self) -> int:
        return SIGN[self.seat]

    @property
    def turn(self) -> int:
        """Whole turns played."""
        return len(self.theirs) - 1

    @property
    def left(self) -> int:
        """Turns that are still to be played."""
        return self.horizon - self.turn

    @property
    def limit(self) -> float:
        walk_away: float = self.table["own"]["walk_away"]
        return walk_away

    @property
    def gain(self) -> float | None:
        """What their standing package is worth beyond the player's own limit; negative when it falls short."""
        return None if self.theirs[-1] is None else self.sign * (self.theirs[-1] - self.limit)

    @property
    def slack(self) -> float | None:
        """How much further than their standing package they would go, as the observer expects."""
        return self._expected_slack("standing_offer", "standing_terms")

    @property
    def reach(self) -> float | None:
        """The probability that their limit covers the player's own last package."""
        if self.table["own_offer"] is None:
            return None
        return self.observer.probability(self._room("own_offer", "own_terms") >= 0)

    @property
    def further(self) -> float | None:
        """The probability that they can go further than the limit that they state."""
        claim = self.table["open_claim"]
        return (
            None if claim is None else self.observer.probability(self.sign * (self.observer.grid - claim) > 0)
        )

    @property
    def bluff(self) -> float | None:
        """The probability that the limit they state is so far from the true one that calling it succeeds."""
        claim = self.table["open_claim"]
        if claim is None:
            return None
        grid = self.observer.grid
        return self.observer.probability(np.abs(claim - grid) > BLUFF_TOLERANCE * np.abs(grid))

    @property
    def own_steps(self) -> list[float]:
        """What each turn since the first package cost the player, oldest first; 0 where it held."""
        return _steps(self.own, -self.sign)

    @property
    def their_steps(self) -> list[float]:
        """What each turn since their first package gave the player, oldest first; 0 where they held."""
        return _steps(self.theirs, self.sign)

    def _room(self, offer: str, terms: str) -> Array:
        """For each limit of the grid, how much further it lies than a package on the table."""
        scenario, other = self.scenario, OTHER_SEAT[self.seat]
        bundle = bundle_of(scenario.issues, self.table[terms])
        bare = self.table[offer] - self.sign * float(scenario.nominal_worths(other)[bundle])
        room: Array = self.sign * (self.observer.grid - bare)
        return room

    def _expected_slack(self, offer: str, terms: str) -> float | None:
        if self.table[offer] is None:
            return None
        return self.observer.expected(np.maximum(0.0, self._room(offer, terms)))


def read_facts(
    frames: Sequence[Mapping[str, Any]], posterior: Mapping[str, Any], scenario: Scenario
) -> TurnFacts | None:
    """Read a live game after its last whole turn; ``None`` before there was one, and once it has ended.

    Args:
        frames: the log as the player's role sees it.
        posterior: the observer's latest, with ``grid`` (prices, ascending) and ``density``.
        scenario: the one that is played.
    """
    game: Mapping[str, Any] = {}
    closed: list[Mapping[str, Any]] = []
    asked, claimed_on, news = [], None, []
    for frame in frames:
        kind, data = frame.get("type"), frame.get("data", {})
        if kind == "game_started":
            game = data
        elif kind == "turn_closed":
            closed.append(data)
        elif kind == "news":
            news.append(NewsFact(data["id"], data["kind"], data["turn"], data["text"]))
        elif kind == "opponent_moved" and data["claim"] is not None:
            claimed_on = data["turn"]
        elif kind == "player_moved" and "question" in player_acts(
            understand(data["text"], money=scenario.money, seat=game["seat"])
        ):
            asked.append(data["turn"])
        elif kind == "game_ended":
            return None
    if not closed:
        return None
    return TurnFacts(
        scenario=scenario,
        persona=personas()[game["persona"]],
        seat=game["seat"],
        horizon=game["horizon"],
        table=closed[-1],
        own=tuple(each["own_worth"] for each in closed),
        theirs=tuple(each["standing_worth"] for each in closed),
        tension=tuple(each["tension"] for each in closed),
        width=closed[-1]["zopa_width_pct_remaining"],
        asked=tuple(asked),
        claimed_on=claimed_on,
        news=tuple(news),
        observer=Observer(np.array(posterior["grid"]), np.array(posterior["density"])),
        talk=read_talk(frames),
    )


def _steps(worths: tuple[float | None, ...], toward: int) -> list[float]:
    return [
        toward * (after - before)
        for before, after in pairwise(worths)
        if before is not None and after is not None
    ]
