"""Deals for three as the learner plays them, one seat among personas and reference strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from bench.coalition_domain.menu import Menu
from bench.coalition_domain.safety import CoalitionRewards, others, pay, terms
from negotiation.engine.coalition import SEATS, Action, CoalitionGame, Outcome, Seat
from negotiation.engine.coalition.chance import stream
from negotiation.engine.coalition.strategies import STRATEGIES, Strategy
from negotiation.engine.deal import personas
from trainer.datasets import Example
from trainer.domains.games import EpisodePosition
from trainer.errors import BadInput

Pool = Literal["train", "exploit", "collusive"]
SCENARIO = "cold_store"
POOLS: dict[Pool, tuple[tuple[str, str], ...]] = {
    "train": (("diplomat", "shark"), ("shark", "veteran"), ("veteran", "diplomat")),
    "exploit": (("greedy", "diplomat"), ("veteran", "greedy")),
    "collusive": (("yielder", "fair"), ("fair", "yielder")),
}
"""Who has the two other seats, in their order. The greedy one asks for twice its fair value, always; with a yielder,
who takes the first thing that leaves it anything, and a partner that wants what is fair, somebody can be squeezed."""
RIVALS = ("greedy",)
FIRST_SEED = {"train": 0, "choose": 1_000_000_000, "measure": 2_000_000_000}
SEEDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class CoalitionTask:
    """One deal for three."""

    seat: Seat
    across: tuple[str, str]
    """A persona or a reference strategy for each of the other seats, in their order."""
    seed: int

    @property
    def players(self) -> dict[Seat, str]:
        """Who sits where, but for the learner."""
        return dict(zip(others(self.seat), self.across, strict=True))

    @property
    def rivals(self) -> tuple[Seat, ...]:
        """The seats of those who test the learner."""
        return tuple(seat for seat, who in self.players.items() if who in RIVALS)


@dataclass(frozen=True, slots=True)
class CoalitionCurriculum:
    """Deals by pool in an order that follows from the seed: every seat, everybody across, equally often."""

    seed: int
    shares: Mapping[Pool, float] = field(
        default_factory=lambda: {"train": 0.5, "exploit": 0.25, "collusive": 0.25}
    )

    def __post_init__(self) -> None:
        if set(self.shares) - set(POOLS) or min(self.shares.values()) < 0 or sum(self.shares.values()) <= 0:
            raise BadInput(f"shares must be at least 0 and of {', '.join(POOLS)}")

    def tasks(self, step: int, count: int) -> list[CoalitionTask]:
        """The tasks of a step."""
        return self._draw("train", np.random.default_rng([self.seed, 61, step]), count)

    def held_out(self, count: int) -> list[CoalitionTask]:
        """The tasks that checkpoints are chosen by."""
        return self._draw("choose", np.random.default_rng([self.seed, 62]), count)

    def _draw(self, split: str, rng: np.random.Generator, count: int) -> list[CoalitionTask]:
        whole, found = sum(self.shares.values()), []
        for pool, share in self.shares.items():
            cells = [(seat, across) for seat in SEATS for across in POOLS[pool]]
            number = round(count * share / whole)
            order = np.concatenate(
                [rng.permutation(len(cells)) for _ in range(-(-number // len(cells)) or 1)]
            )
            found += [
                CoalitionTask(seat, across, FIRST_SEED[split] + int(rng.integers(SEEDS)))
                for seat, across in (cells[place] for place in order[:number])
            ]
        return found


def measured(pool: Pool, each: int, seed: int) -> list[CoalitionTask]:
    """Held-out deals of the final measurement: ``each`` of every seat and everybody across."""
    rng = np.random.default_rng([seed, 63])
    return [
        CoalitionTask(seat, across, FIRST_SEED["measure"] + int(rng.integers(SEEDS)))
        for seat in SEATS
        for across in POOLS[pool]
        for _ in range(each)
    ]


@dataclass(slots=True)
class _Table:
    task: CoalitionTask
    game: CoalitionGame
    menu: Menu
    strategies: dict[Seat, Strategy]

    def advance(self) -> None:
        """Let reference strategies act until it is the learner's turn, or the end."""
        while (seat := self.game.table.to_move) in self.strategies and seat is not None:
            view = self.game.observe(seat)
            self.game.step(seat, self.strategies[seat].act(view, stream(self.task.seed, "player", view.turn)))


class CoalitionGames:
    """Many deals for three side by side."""

    def __init__(self, rewards: CoalitionRewards | None = None) -> None:
        self._rewards = rewards or CoalitionRewards()
        self._tables: list[_Table] = []

    def start(self, tasks: Sequence[CoalitionTask]) -> list[EpisodePosition]:
        """Clear all and set up these, each at the learner's first turn."""
        self._tables = [set_up(task) for task in tasks]
        return [self._position(table) for table in self._tables]

    def play(self, answers: Mapping[int, str]) -> dict[int, EpisodePosition | None]:
        """Play one answer at each of the tables named; ``None`` for one that is no move."""
        return {place: self._play(self._tables[place], text) for place, text in answers.items()}

    def close(self) -> None:
        """Leave all."""
        self._tables = []

    def _play(self, table: _Table, text: str) -> EpisodePosition | None:
        seat = table.task.seat
        action = table.menu.moves(table.game.observe(seat)).get(text.strip())
        if action is None:
            return None
        table.game.step(seat, action)
        table.advance()
        return self._position(table)

    def _position(self, table: _Table) -> EpisodePosition:
        seat, outcome = table.task.seat, table.game.outcome
        if outcome is not None:
            found = terms(outcome, seat, table.task.rivals, self._rewards)
            reward = sum(found.values())
            facts = {"score": reward / 100, "share": pay(outcome, seat)}
            return EpisodePosition([], reward=reward, terms=found, done=True, facts=facts)
        view = table.game.observe(seat)
        return EpisodePosition(table.menu.chat(view), table.menu.grammar(view))

    def outcomes(self) -> list[Outcome]:
        """How the deals ended.

        Raises:
            ValueError: while one of them goes on.
        """
        found = [table.game.outcome for table in self._tables]
        if any(each is None for each in found):
            raise ValueError("a deal is not done")
        return [each for each in found if each is not None]


def set_up(task: CoalitionTask) -> _Table:
    """A table at the learner's first turn.

    Raises:
        BadInput: for somebody across who is neither a persona nor a strategy.
    """
    for who in task.across:
        if who not in personas() and who not in STRATEGIES:
            raise BadInput(f"there is no {who!r}; there are {', '.join((*personas(), *STRATEGIES))}")
    seated = {seat: who for seat, who in task.players.items() if who in personas()}
    game = CoalitionGame(SCENARIO, seated, task.seed, speak=False)
    menu = Menu(game.scenario, task.seat)
    left = {
        seat: STRATEGIES[who](game.scenario, seat) for seat, who in task.players.items() if seat not in seated
    }
    table = _Table(task, game, menu, left)
    table.advance()
    return table


def examples(teachers: Sequence[str], tasks: Sequence[CoalitionTask]) -> list[Example]:
    """What reference strategies do in the learner's place, in the words of the menu. The move that is learnt is played."""
    found = []
    for number, task in enumerate(tasks):
        table = set_up(task)
        teacher = STRATEGIES[teachers[number % len(teachers)]](table.game.scenario, task.seat)
        while table.game.outcome is None:
            view = table.game.observe(task.seat)
            wanted: Action = teacher.act(view, stream(task.seed, "player", view.turn))
            move = table.menu.nearest(view, wanted)
            found.append(Example(table.menu.chat(view), move))
            table.game.step(task.seat, table.menu.moves(view)[move])
            table.advance()
    return found
