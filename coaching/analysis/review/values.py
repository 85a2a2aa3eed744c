"""What a move is worth: the mean outcome of playing on after it, against opponents that could be real."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coaching.analysis.review.candidates import Choices
from negotiation.engine.deal.batch import BatchNegotiation, Moves, Outcomes
from negotiation.engine.deal.batch.players import STYLES, Continuation
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.chance import Array

SAMPLES = 64
BREACH = 1.0
"""A deal beyond the own limit costs as much as the whole zone is worth."""


@dataclass(frozen=True, slots=True)
class Regret:
    """How much a move gave away against the best one, as a share of the zone, with its standard error.

    ``best`` is the index of the best candidate; ``value`` and ``best_value`` the expected shares.
    """

    mean: float
    error: float
    best: int
    value: float
    best_value: float


def joined(parts: list[Moves]) -> Moves:
    """Moves one after the other."""
    acts = sorted({act for part in parts for act in part.acts})
    lengths = [len(part.offer) for part in parts]
    names = ("offer", "bundle", "card", "claim", "challenge", "accept", "walk_away")
    made = Moves.nothing(sum(lengths))
    for name in names:
        setattr(made, name, np.concatenate([getattr(part, name) for part in parts]))
    if any(part.talk is not None for part in parts):
        said: list[tuple[Talk, ...]] = []
        for part, length in zip(parts, lengths, strict=True):
            said += [()] * length if part.talk is None else list(part.talk)
        made.say(said)
    for act in acts:
        made.acts[act] = np.concatenate(
            [
                part.acts.get(act, np.zeros(length, dtype=np.bool_))
                for part, length in zip(parts, lengths, strict=True)
            ]
        )
    return made


def shares(outcomes: Outcomes) -> Array:
    """What each game was worth to the player."""
    worth: Array = outcomes.efficiency - BREACH * outcomes.floor_breached
    return worth


def move_values(opponents: BatchNegotiation, choices: Choices, believed: float) -> Array:
    """Worth of every candidate under every style of playing on, against every opponent.

    All candidates meet the same opponents with the same chance (common random numbers).

    Returns:
        Shape ``(candidates, styles, opponents)``; candidate 0 is the move that was played.
    """
    others = choices.others()
    count, games = len(others) + 1, len(opponents.table.game)
    first = opponents.fork(np.tile(np.arange(games), count))
    played = choices.played_moves(games)
    weighed = [other.moves(games) for other in others]
    for other, moves in zip(others, weighed, strict=True):
        # What was said stays said: only what goes with it is weighed.
        moves.talk = None if other.kind in ("accept", "walk_away") else played.talk
    first.step(joined([played, *weighed]))
    values = np.empty((count, len(STYLES), games))
    for number, style in enumerate(STYLES):
        at_once = shares(first.outcomes)
        if not first.done:
            going_on = first.table.game
            rest = first.fork(np.arange(len(going_on)))
            player = Continuation(rest, style, believed)
            while not rest.done:
                rest.step(player.moves())
            at_once = at_once.copy()
            at_once[going_on] = shares(rest.outcomes)
        values[:, number] = at_once.reshape(count, games)
    return values


def regret_of(values: Array) -> Regret:
    """Regret of candidate 0.

    The best move and the way to play on are chosen on one half of the opponents and judged on the other, both
    ways round: what only looks best by chance earns nothing.
    """
    games = values.shape[2]
    differences, own, best_own = np.empty(games), np.empty(games), np.empty(games)
    halves = (np.arange(games) % 2 == 0, np.arange(games) % 2 == 1)
    for chosen_on, judged_on in (halves, halves[::-1]):
        means = values[:, :, chosen_on].mean(axis=2)
        best, style = divmod(int(np.argmax(means)), means.shape[1])
        own_style = int(np.argmax(means[0]))
        own[judged_on] = values[0, own_style][judged_on]
        best_own[judged_on] = values[best, style][judged_on]
        differences[judged_on] = best_own[judged_on] - own[judged_on]
    means = values.mean(axis=2)
    best = int(np.argmax(means.max(axis=1)))
    return Regret(
        mean=max(0.0, float(differences.mean())),
        error=float(differences.std(ddof=1) / np.sqrt(games)),
        best=best,
        value=float(own.mean()),
        best_value=float(best_own.mean()),
    )
