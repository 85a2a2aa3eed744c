"""Games that the oracle learns from: a batch of one table at a time, every move with what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from negotiation.engine.deal.batch import BatchNegotiation
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.oracle.choice import Open, Picks, moves_of, open_to
from negotiation.engine.deal.oracle.features import features
from negotiation.engine.deal.oracle.memory import Memory
from negotiation.engine.deal.oracle.views import Deal, views_of
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import SIGN, Seat
from trainer.domains.deal.oracle.distribution import draw
from trainer.domains.deal.oracle.layers import Layers, Single

HIDDEN: Final = 6
"""Numbers of hidden truth that the critic reads beside the features. It judges in training and is thrown away."""


@dataclass(frozen=True, slots=True)
class TrainingTable:
    """A table to learn at."""

    scenario: Scenario
    persona: Persona
    seat: Seat
    difficulty: float


@dataclass(slots=True)
class Moments(Rows):
    """Moves that were made, a row each; ``game`` says in which of the batch's games, in order of time within each."""

    read: Single
    hidden: Single
    chosen: Picks
    there: Open
    likelihood: Single
    game: Ints
    turn: Ints


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """A batch played to its end."""

    persona: str
    moments: Moments
    share: Array
    deal: Mask
    open_zone: Mask
    """Where there was a deal to be had."""


def play(cell: TrainingTable, seeds: np.ndarray, policy: Layers, rng: np.random.Generator) -> PlayedGames:
    """Play the games of ``seeds`` with moves drawn from ``policy``."""
    batch = BatchNegotiation(cell.scenario, cell.persona, cell.seat, seeds, difficulty=cell.difficulty)
    deal = Deal(cell.scenario, cell.persona, cell.seat, batch.horizon)
    memory: Memory | None = None
    games, open_zone = batch.table.game, batch.table.zone > 0
    steps: list[Moments] = []
    while not batch.done:
        views = views_of(batch, deal)
        if memory is None:
            memory = Memory.at_start(deal, views)
        elif len(batch.table.game) < len(games):
            memory = memory.take(np.searchsorted(games, batch.table.game))
        games = batch.table.game
        memory.take_in(views)
        read = features(deal, views, memory).astype(np.float32)
        hidden = _hidden(batch, cell)
        there = open_to(views)
        drawn = draw(policy.forward(read), policy.free, there, rng)
        moves = moves_of(deal, views, memory, drawn.chosen)
        turn = np.full(len(games), views.turn)
        steps.append(Moments(read, hidden, drawn.chosen, there, drawn.likelihood, games, turn))
        batch.step(moves)
    moments = joined(steps)
    order = np.lexsort((moments.turn, moments.game))
    outcomes = batch.outcomes
    return PlayedGames(cell.persona.id, moments.take(order), outcomes.efficiency, outcomes.deal, open_zone)


def _hidden(batch: BatchNegotiation, cell: TrainingTable) -> Single:
    table, minds, width = batch.table, batch.minds, cell.scenario.nominal_width
    other = SIGN[cell.seat]
    limit = other * table.truths[batch.opponent_seat].walk_away
    own = other * table.truths[cell.seat].walk_away
    columns = (
        table.zone / width,
        (limit - own) / width,
        (minds.stay - table.turn) / batch.horizon,
        minds.impression.trust.value,
        minds.margin(table),
        np.full(len(limit), cell.difficulty),
    )
    return np.stack(columns, axis=1).astype(np.float32)


def joined(parts: list[Moments]) -> Moments:
    """Many as one."""

    def together(name: str) -> np.ndarray:
        return np.concatenate([getattr(each, name) for each in parts])

    def record(name: str, kind: type[Picks] | type[Open]) -> dict[str, np.ndarray]:
        return {
            field: np.concatenate([getattr(getattr(each, name), field) for each in parts])
            for field in kind.__dataclass_fields__
        }

    return Moments(
        together("read"),
        together("hidden"),
        Picks(**record("chosen", Picks)),
        Open(**record("there", Open)),
        together("likelihood"),
        together("game"),
        together("turn"),
    )
