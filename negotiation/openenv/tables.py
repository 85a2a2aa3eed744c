"""Playing many deals side by side, wherever they stand: what a turn is, and the tables of this process.

A learner sees :class:`Turn` and nothing else. Tables here and tables behind a server (``client.py``) give equal turns
for equal setups and actions, so where the deals are played is a matter of machines, not of results.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from negotiation.engine.deal import (
    SIGN,
    Action,
    ActionRefused,
    Negotiation,
    Observation,
    Reply,
    Step,
    personas,
    scenarios,
)
from negotiation.engine.deal.types import EndReason
from negotiation.engine.personas import USUAL

DEFAULT_SCENARIO, DEFAULT_PERSONA, DEFAULT_SEAT = "saas_enterprise", USUAL, "seller"
MAX_SEED = 2**63 - 1
MIN_HORIZON, MAX_HORIZON = 2, 60
"""Speed is counted over ``horizon - 1`` turns, so one turn is too few."""
MAX_TRAINING_STEP = 10**9
WHEN_REWARDED = ("each", "end")


class SetupRefused(ValueError):
    """No such deal can be set up. ``field`` names the parameter at fault."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


@dataclass(frozen=True, slots=True)
class Setup:
    """One deal to be played: equal setups and equal actions give equal episodes.

    ``horizon`` is the scenario's where absent. ``speak`` off saves the persona's words where only moves matter.
    ``training_step`` softens the penalty for closing beyond one's limit at first (see ``engine/deal/reward.py``).
    ``case`` plays with the scenario's case: facts to find out and to tell, objections to answer.
    ``rewards`` says when they are told: after ``each`` move, or only at the ``end``, for they are made from hidden truth.
    """

    seed: int
    scenario: str = DEFAULT_SCENARIO
    persona: str = DEFAULT_PERSONA
    seat: str = DEFAULT_SEAT
    difficulty: float = 0.5
    horizon: int | None = None
    speak: bool = True
    training_step: int | None = None
    rewards: str = "each"
    case: bool = False

    def check(self) -> None:
        """Refuse what cannot be set up.

        Raises:
            SetupRefused: with a code, words for a person, and the parameter at fault.
        """
        _one_of("scenario", self.scenario, scenarios())
        _one_of("persona", self.persona, personas())
        _one_of("seat", self.seat, SIGN)
        if self.rewards not in WHEN_REWARDED:
            raise SetupRefused("bad_rewards", "rewards must be each or end.", "rewards")
        _whole("seed", self.seed, 0, MAX_SEED)
        if not _is_number(self.difficulty) or not 0 <= self.difficulty <= 1:
            raise SetupRefused("bad_difficulty", "difficulty must be a number from 0 to 1.", "difficulty")
        if self.horizon is not None:
            _whole("horizon", self.horizon, MIN_HORIZON, MAX_HORIZON)
        if self.training_step is not None:
            _whole("training_step", self.training_step, 0, MAX_TRAINING_STEP)
        if not isinstance(self.speak, bool):
            raise SetupRefused("bad_speak", "speak must be true or false.", "speak")
        if not isinstance(self.case, bool):
            raise SetupRefused("bad_case", "case must be true or false.", "case")

    def deal(self) -> Negotiation:
        """The deal, before its first move.

        Raises:
            SetupRefused: see :meth:`check`.
        """
        self.check()
        return Negotiation(
            self.scenario,
            self.persona,
            "seller" if self.seat == "seller" else "buyer",
            self.seed,
            difficulty=self.difficulty,
            horizon=self.horizon,
            speak=self.speak,
            training_step=self.training_step,
            case=self.case,
        )


@dataclass(frozen=True, slots=True)
class Earned:
    """One named part of a turn's reward. Without the engine's words for it: those tell what is hidden."""

    name: str
    value: float
    weight: float
    points: float


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended, as its player may know it; money in whole currency units."""

    reason: EndReason
    deal: bool
    price: float | None
    agreed: Mapping[str, str]
    turns: int
    efficiency: float
    floor_breached: bool
    total_reward: float


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player is told: before its first move (no ``reward`` then), and after each of its moves."""

    observation: Observation
    reply: Reply | None
    reward: float | None
    reward_terms: tuple[Earned, ...]
    ending: Ending | None

    @property
    def done(self) -> bool:
        return self.observation.done


def first_turn(game: Negotiation) -> Turn:
    """What the player is told when it sits down."""
    return Turn(game.observe(), game.opening, None, (), None)


def next_turn(game: Negotiation, step: Step, rewards: str = "each") -> Turn:
    """What the player is told after a move. Rewards that wait for the end are told in one sum, without their parts."""
    if rewards == "end":
        outcome = game.outcome
        earned = 0.0 if outcome is None else outcome.total_reward
        return Turn(step.observation, step.reply, earned, (), _ending(game))
    terms = tuple(Earned(term.name, term.value, term.weight, term.points) for term in step.terms)
    return Turn(step.observation, step.reply, step.reward, terms, _ending(game))


def _ending(game: Negotiation) -> Ending | None:
    outcome = game.outcome
    if outcome is None:
        return None
    return Ending(
        reason=outcome.reason,
        deal=outcome.deal,
        price=outcome.price,
        agreed=outcome.agreed,
        turns=outcome.turns,
        efficiency=outcome.efficiency,
        floor_breached=outcome.floor_breached,
        total_reward=outcome.total_reward,
    )


class Tables(Protocol):
    """Many deals side by side, numbered from 0 in the order of their setups."""

    def reset(self, setups: Sequence[Setup]) -> list[Turn]:
        """Clear all tables and set up these deals.

        Raises:
            SetupRefused: when one of them cannot be set up.
        """
        ...

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        """Play one action at each of the tables named. A refused action changed nothing at its table."""
        ...

    def close(self) -> None:
        """Leave all tables."""
        ...


class LocalTables:
    """Deals in this process."""

    def __init__(self) -> None:
        self._games: list[Negotiation] = []
        self._rewards: list[str] = []

    def reset(self, setups: Sequence[Setup]) -> list[Turn]:
        self._games = [setup.deal() for setup in setups]
        self._rewards = [setup.rewards for setup in setups]
        return [first_turn(game) for game in self._games]

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        return {
            table: self._play(self._games[table], action, self._rewards[table])
            for table, action in actions.items()
        }

    def close(self) -> None:
        self._games = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @staticmethod
    def _play(game: Negotiation, action: Action, rewards: str) -> Turn | ActionRefused:
        try:
            return next_turn(game, game.step(action), rewards)
        except ActionRefused as refusal:
            return refusal


def _one_of(field: str, value: object, known: Collection[str]) -> None:
    if not isinstance(value, str) or value not in known:
        choices = ", ".join(sorted(known))
        raise SetupRefused(f"unknown_{field}", f"There is no such {field}. There is: {choices}.", field)


def _whole(field: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SetupRefused(f"bad_{field}", f"{field} must be a whole number from {low} to {high}.", field)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
