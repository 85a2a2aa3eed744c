"""What a move is worth: the mean outcome of playing on after it, against opponents that could be real.

Every move that could be played meets a few opponents; the best of them, and the move that was played, meet more, as long
as it is open whether the played one was a fault (successive elimination: Even-Dar, Mannor & Mansour 2006).
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from coaching.analysis.review.candidates import Candidate, Choices
from negotiation.engine.deal.batch import BatchNegotiation, Moves, Outcomes
from negotiation.engine.deal.batch.players import STYLES, Continuation, Style
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.rows import Index

Pairs = npt.NDArray[np.bool_]
"""Which candidates are played on in which style; shape ``(candidates, styles)``."""

SAMPLES: Final = 48
"""Opponents that every candidate meets."""
MORE_SAMPLES: Final = 208
"""Opponents that the best few meet besides, where it is open whether a move was a fault."""
CONTENDERS: Final = 5
"""Candidates that are looked at more closely, the played one besides."""
OPEN_WITHIN: Final = 2.0
"""Standard errors of the edge of a fault within which it is open."""
EDGE: Final = 0.03
"""From this regret on a move is a fault, as a share of the zone."""
BREACH = 1.0
"""A deal beyond the own limit costs as much as the whole zone is worth."""
DRAWN_TOO: Final = 1.7
"""What the stated error is multiplied by for the draw of the opponents themselves (``bench.labels``)."""


@dataclass(frozen=True, slots=True)
class Regret:
    """How much a move gave away against the best one, as a share of the zone, with its standard error.

    Attributes:
        mean: what the best move brings more, when both are played on in the best way.
        best: the index of the best candidate; ``value`` and ``best_value`` the expected shares.
        alone: what the best move brings more when the player goes on as it did, and nothing else changes.
    """

    mean: float
    error: float
    best: int
    value: float
    best_value: float
    alone: float = 0.0


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


class Weighing:
    """One position being weighed.

    All candidates meet the same opponents with the same chance (common random numbers).

    Attributes:
        values: the worth of every candidate under every style of playing on, against every opponent; shape
            ``(candidates, styles, opponents)``, NaN where it was not played on. Candidate 0 is the move that was played.
        own: the same where the player goes on at its own pace; shape ``(candidates, opponents)``.

    Args:
        believed: where the other's limit is believed to be, in the player's value space.
        pace: what the player gives a turn, as a share of the zone.
    """

    def __init__(
        self, opponents: BatchNegotiation, choices: Choices, believed: float, pace: float | None = None
    ) -> None:
        self._opponents, self._choices, self._believed, self._pace = opponents, choices, believed, pace
        self._others: list[Candidate] = choices.others()
        self._games = len(opponents.table.game)
        count = len(self._others) + 1
        self.values: Array = np.full((count, len(STYLES), self._games), np.nan)
        self.own: Array = np.full((count, self._games), np.nan)

    @property
    def everything(self) -> Pairs:
        """All candidates in all styles."""
        return np.ones(self.values.shape[:2], dtype=np.bool_)

    def play(self, opponents: Index, pairs: Pairs) -> None:
        """Play the candidates on against some of the opponents, in the styles that ``pairs`` names."""
        rows = np.flatnonzero(pairs.any(axis=1))
        found = self._played_on(
            self._after(rows, opponents), STYLES, np.repeat(pairs[rows], len(opponents), 0)
        )
        blocks = found.reshape(len(rows), len(opponents), len(STYLES))
        for number in range(len(STYLES)):
            wanted = pairs[rows, number]
            self.values[np.ix_(rows[wanted], np.array([number]), opponents)] = blocks[wanted, None, :, number]

    def play_as_before(self, opponents: Index, candidates: Index) -> None:
        """Play candidates on at the player's own pace."""
        everything = np.ones((len(candidates) * len(opponents), 1), dtype=np.bool_)
        found = self._played_on(self._after(candidates, opponents), ("own",), everything)
        self.own[np.ix_(candidates, opponents)] = found.reshape(len(candidates), len(opponents))

    def _after(self, candidates: Index, opponents: Index) -> BatchNegotiation:
        """The games in which each of the candidates has been played against each of the opponents."""
        games = len(opponents)
        first = self._opponents.fork(np.tile(opponents, len(candidates)))
        played = self._choices.played_moves(games)
        made = []
        for index in candidates.tolist():
            if index == 0:
                made.append(played)
                continue
            other = self._others[index - 1]
            moves = other.moves(games)
            # What was said stays said: only what goes with it is weighed.
            moves.talk = None if other.kind in ("accept", "walk_away") else played.talk
            made.append(moves)
        first.step(joined(made))
        return first

    def _played_on(self, first: BatchNegotiation, styles: tuple[Style, ...], wanted: Pairs) -> Array:
        """What the wanted games come to, all styles at once; of the others, what has come of them so far.

        Args:
            wanted: which games are played on in which style; shape ``(games, styles)``, as is what is returned.
        """
        worth = np.repeat(shares(first.outcomes)[:, None], len(styles), 1)
        going_on = first.table.game
        rows, numbers = np.nonzero(wanted[going_on])
        if len(rows):
            rest = first.fork(rows)
            player = Continuation(rest, np.array(styles)[numbers], self._believed, self._pace)
            while not rest.done:
                rest.step(player.moves())
            worth[going_on[rows], numbers] = shares(rest.outcomes)
        return worth

    # -- more opponents ----------------------------------------------------------------------------

    def against(self, opponents: BatchNegotiation, believed: float) -> Weighing:
        """The best few candidates of this position against other opponents."""
        other = Weighing(opponents, self._choices, believed, self._pace)
        everybody = np.arange(len(opponents.table.game))
        pairs = self.contenders()
        other.play(everybody, pairs)
        best = int(np.argmax(worths(self.values).max(axis=1)))
        other.play_as_before(everybody, np.array(sorted({0, best})))
        return other

    def together(self, other: Weighing) -> Weighing:
        """This position with what other opponents made of it."""
        both = copy.copy(self)
        both.values = np.concatenate([self.values, other.values], axis=2)
        both.own = np.concatenate([self.own, other.own], axis=1)
        return both

    # -- what is worth a closer look ---------------------------------------------------------------

    def contenders(self) -> Pairs:
        """The best few candidates that may be as good as the best, and the played one, in the styles that may be theirs."""
        met = np.flatnonzero(np.isfinite(self.values[0]).any(axis=0))
        values = self.values[:, :, met]
        means = _means(values, _complete(values))
        top = values[np.unravel_index(int(np.argmax(means)), means.shape)]
        mine = values[0, int(np.argmax(means[0]))]
        pairs = _may_be(top, values)
        few = np.argsort(-means.max(axis=1), kind="stable")[:CONTENDERS]
        pairs[np.setdiff1d(np.arange(len(pairs)), few)] = False
        pairs[0] = _may_be(mine, values[:1])[0]
        return pairs


def _may_be(top: Array, values: Array) -> Pairs:
    """Which pairs may be as good as the best one, by what is known so far."""
    less = top - values
    with np.errstate(invalid="ignore"):
        pairs: Pairs = np.asarray(
            less.mean(axis=2) <= OPEN_WITHIN * less.std(axis=2) / np.sqrt(less.shape[2])
        )
    return pairs


def _complete(values: Array) -> Pairs:
    """Which pairs were played on against everybody."""
    return np.asarray(np.isfinite(values).all(axis=-1))


def regret_of(values: Array, own: Array | None = None) -> Regret:
    """Regret of candidate 0.

    The best move and the way to play on are chosen on one half of the opponents and judged on the other, both
    ways round: what only looks best by chance earns nothing. What was not played on against all is no candidate.

    Args:
        values: as :attr:`Weighing.values`; ``own`` as :attr:`Weighing.own`.
    """
    met = np.flatnonzero(np.isfinite(values[0]).any(axis=0))
    values = values[:, :, met]
    complete = _complete(values)
    games = len(met)
    differences, mine, best_own = np.empty(games), np.empty(games), np.empty(games)
    halves = (np.arange(games) % 2 == 0, np.arange(games) % 2 == 1)
    for chosen_on, judged_on in (halves, halves[::-1]):
        means = _means(values[:, :, chosen_on], complete)
        best, style = divmod(int(np.argmax(means)), means.shape[1])
        own_style = int(np.argmax(means[0]))
        mine[judged_on] = values[0, own_style][judged_on]
        best_own[judged_on] = values[best, style][judged_on]
        differences[judged_on] = best_own[judged_on] - mine[judged_on]
    best = int(np.argmax(_means(values, complete).max(axis=1)))
    alone = 0.0 if own is None else _mean_of_known(own[best] - own[0])
    return Regret(
        mean=max(0.0, float(differences.mean())),
        error=DRAWN_TOO * float(differences.std(ddof=1) / np.sqrt(games)),
        best=best,
        value=float(mine.mean()),
        best_value=float(best_own.mean()),
        alone=max(0.0, alone),
    )


def _mean_of_known(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else 0.0


def worths(values: Array) -> Array:
    """What each candidate is worth in each style; shape ``(candidates, styles)``.

    One that has met fewer opponents is compared with the played move against those that it met (control variates).
    """
    met = np.isfinite(values[0]).any(axis=0)
    played = values[0][:, met]
    anchor = values[0, int(np.argmax(_means(played, _complete(played))))]
    found: Array = np.nanmean(values - anchor, axis=2) + float(np.nanmean(anchor))
    return found


def _means(values: Array, complete: Pairs) -> Array:
    """The mean over the last axis, and less than anything where it was not played on against all."""
    means: Array = np.where(complete, np.where(np.isfinite(values), values, 0.0).mean(axis=-1), -np.inf)
    return means


def is_open(regret: Regret) -> bool:
    """Whether a move may be a fault: whether it is one, or how large, is worth a closer look."""
    return regret.best != 0 and regret.mean + OPEN_WITHIN * regret.error > EDGE


def weighed(
    opponents: BatchNegotiation, choices: Choices, believed: float, pace: float
) -> tuple[Weighing, Regret]:
    """Weigh a position, as closely as its label needs.

    Args:
        opponents: :data:`SAMPLES` and :data:`MORE_SAMPLES` of them, in no order.
    """
    weighing = Weighing(opponents, choices, believed, pace)
    weighing.play(np.arange(SAMPLES), weighing.everything)
    regret = regret_of(weighing.values)
    if not is_open(regret):
        return weighing, regret
    more = np.arange(SAMPLES, SAMPLES + MORE_SAMPLES)
    weighing.play(more, weighing.contenders())
    regret = regret_of(weighing.values)
    weighing.play_as_before(more, np.array([0, regret.best]) if regret.best else np.array([0]))
    return weighing, regret_of(weighing.values, weighing.own)
