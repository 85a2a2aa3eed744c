"""Tasks: which deal is played, against whom, from which seat, with which luck.

Seeds come in three ranges that never meet: those of training, of choosing between checkpoints, and of the final
measurement. A task of the last kind may also stand in a scenario whose numbers were moved (``jittered``), so that
what was learnt by heart is worth nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np

from negotiation.engine.deal import OTHER_SEAT, SIGN, Scenario, Seat, personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.openenv.tables import Setup
from negotiation.opponents.protocol import PERSON
from trainer.domains.deal.rivals import WIN
from trainer.errors import BadInput

Split = Literal["train", "choose", "measure"]
FIRST_SEED: dict[Split, int] = {"train": 0, "choose": 1_000_000_000, "measure": 2_000_000_000}
SEEDS = 1_000_000_000
JITTER = 0.25
"""A jittered scenario's money is scaled by up to this share, either way."""


@dataclass(frozen=True, slots=True)
class DealTask:
    """One deal to be played. ``persona`` is :data:`PERSON` where another model, or a rival, sits across."""

    scenario: str
    persona: str
    seat: Seat
    seed: int
    difficulty: float = 0.5
    training_step: int | None = None
    jitter: bool = False
    anchor: float = 0.0
    """How much farther from the middle the other side opens, as a share of its usual distance."""
    rival: str = ""
    """Who of the exploit pool has the other seat; see :mod:`trainer.domains.deal.rivals`."""

    case: bool = False
    """Whether there is a world behind the deal to talk about."""

    @property
    def against_model(self) -> bool:
        return self.persona == PERSON

    @property
    def board(self) -> Scenario:
        """The scenario, with its numbers moved where the task says so."""
        board = jittered(self.scenario, self.seed) if self.jitter else scenarios()[self.scenario]
        return anchored(board, OTHER_SEAT[self.seat], self.anchor) if self.anchor else board

    def setup(self) -> Setup:
        """The same deal for a table that stands elsewhere."""
        return Setup(
            seed=self.seed,
            scenario=self.scenario,
            persona=self.persona,
            seat=self.seat,
            difficulty=self.difficulty,
            speak=False,
            training_step=self.training_step,
            case=self.case,
        )


@lru_cache(maxsize=4096)
def jittered(scenario: str, seed: int) -> Scenario:
    """The scenario with all its money scaled by one factor: another size of deal, of the same shape."""
    board = scenarios()[scenario]
    factor = float(np.random.default_rng([seed, 77]).uniform(1 - JITTER, 1 + JITTER))
    seats = {
        seat: replace(
            spec,
            walk_away=board.round(spec.walk_away * factor),
            opening=board.round(spec.opening * factor),
        )
        for seat, spec in board.seats.items()
    }
    issues = tuple(
        replace(
            issue,
            options=tuple(
                replace(option, value={seat: worth * factor for seat, worth in option.value.items()})
                for option in issue.options
            ),
        )
        for issue in board.issues
    )
    return replace(
        board,
        seats=seats,
        issues=issues,
        plausible_low=board.plausible_low * factor,
        plausible_high=board.plausible_high * factor,
    )


def anchored(board: Scenario, seat: Seat, farther: float) -> Scenario:
    """The scenario with a harder opening of one seat's: an anchor, and nothing else."""
    spec, middle = board.seats[seat], board.nominal_middle
    opening = board.round(middle + (spec.opening - middle) * (1 + farther))
    return replace(board, seats={**board.seats, seat: replace(spec, opening=opening)})


@dataclass(frozen=True, slots=True)
class Mixture:
    """Which deals are mixed. Every combination comes equally often."""

    scenarios: tuple[str, ...] = ("saas_enterprise", "hiring_package")
    personas: tuple[str, ...] = ("diplomat", "shark", "veteran")
    seats: tuple[str, ...] = ("seller", "buyer")
    difficulty: float = 0.5
    case: bool = False
    """Whether there is a world behind the deals; off, so that results compare with older ones."""
    self_play: float = 0.0
    """Share of groups that face an earlier, frozen self instead of a persona."""
    rivals: tuple[str, ...] = ()
    """The exploit pool: reference strategies in the other seat."""
    rival_share: float = 0.0
    """Share of groups, and of the deals that checkpoints are chosen by, that face a rival, all of them equally often."""

    def __post_init__(self) -> None:
        _known("scenarios", self.scenarios, tuple(scenarios()))
        _known("personas", self.personas, tuple(personas()))
        _known("seats", self.seats, tuple(SIGN))
        if not 0 <= self.self_play <= 1:
            raise ValueError("self_play must lie in [0, 1]")
        if not 0 <= self.rival_share <= 1:
            raise ValueError("rival_share must lie in [0, 1]")
        if self.rival_share + self.self_play > 1:
            raise ValueError("self_play and rival_share must add up to at most 1")
        if self.rivals:
            _known("rivals", tuple(r for r in self.rivals if not r.startswith(WIN)), tuple(STRATEGIES))
        if not 0 <= self.difficulty <= 1:
            raise ValueError("difficulty must lie in [0, 1]")


@dataclass(frozen=True, slots=True)
class DealCurriculum:
    """Deals of a mixture in an order that follows from the seed."""

    mixture: Mixture
    seed: int
    omega_warm_up: bool = True

    def tasks(self, step: int, count: int) -> list[DealTask]:
        rng = np.random.default_rng([self.seed, 11, step])
        tasks = self._draw("train", rng, count)
        if self.omega_warm_up:
            tasks = [replace(task, training_step=step) for task in tasks]
        frozen = rng.random(count) < self.mixture.self_play
        tasks = [
            replace(task, persona=PERSON) if face else task for task, face in zip(tasks, frozen, strict=True)
        ]
        return self._tested(tasks, np.random.default_rng([self.seed, 14, step]))

    def held_out(self, count: int) -> list[DealTask]:
        tasks = self._draw("choose", np.random.default_rng([self.seed, 12]), count)
        return self._tested(tasks, np.random.default_rng([self.seed, 15]))

    def _tested(self, tasks: list[DealTask], rng: np.random.Generator) -> list[DealTask]:
        """The same, a share of those against personas against rivals instead."""
        rivals, against = self.mixture.rivals, [i for i, task in enumerate(tasks) if not task.against_model]
        if not rivals or not self.mixture.rival_share:
            return tasks
        number = min(len(against), round(self.mixture.rival_share * len(tasks)))
        first = int(rng.integers(len(rivals)))
        chosen = sorted(rng.choice(against, size=number, replace=False).tolist())
        faced = {place: rivals[(first + turn) % len(rivals)] for turn, place in enumerate(chosen)}
        return [
            replace(task, persona=PERSON, rival=faced[place]) if place in faced else task
            for place, task in enumerate(tasks)
        ]

    def _draw(self, split: Split, rng: np.random.Generator, count: int) -> list[DealTask]:
        cells = tables_of(self.mixture)
        order = np.concatenate([rng.permutation(len(cells)) for _ in range(-(-count // len(cells)))])[:count]
        seeds = FIRST_SEED[split] + rng.integers(0, SEEDS, size=count)
        return [
            DealTask(scenario, persona, seat, int(seed), self.mixture.difficulty, case=self.mixture.case)
            for (scenario, persona, seat), seed in zip((cells[place] for place in order), seeds, strict=True)
        ]


def tables_of(mixture: Mixture) -> list[tuple[str, str, Seat]]:
    """Every combination of a mixture."""
    seats: tuple[Seat, ...] = tuple(seat for seat in SIGN if seat in mixture.seats)
    return [(s, p, seat) for s, p, seat in product(mixture.scenarios, mixture.personas, seats)]


def measured(mixture: Mixture, each: int, seed: int, *, jitter: bool = True) -> list[DealTask]:
    """Held-out tasks of the final measurement: ``each`` of every combination, the same for every player."""
    rng = np.random.default_rng([seed, 13])
    return [
        DealTask(
            scenario,
            persona,
            seat,
            FIRST_SEED["measure"] + int(rng.integers(0, SEEDS)),
            mixture.difficulty,
            jitter=jitter,
            case=mixture.case,
        )
        for scenario, persona, seat in tables_of(mixture)
        for _ in range(each)
    ]


def _known(name: str, given: tuple[str, ...], known: tuple[str, ...]) -> None:
    if not given:
        raise BadInput(f"{name} must name at least one of {', '.join(known)}")
    for each in given:
        if each not in known:
            raise BadInput(f"{name}: there is no {each!r}; there are {', '.join(known)}")
