"""Chance: every random number of a game, laid out in advance.

A game's seed fixes a line of uniform numbers; each purpose has its place on the line and each turn a block of
its own. So a different move at turn 3 changes neither the news at turn 8 nor the character across the table
(common random numbers for retry, regret and paired comparison), and thousands of games are drawn by one call.

The generator is SplitMix64 (Steele, Lea & Flood 2014) used by counter: number ``i`` of a seed needs no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import count
from typing import Final, Generic

import numpy as np
import numpy.typing as npt

from negotiation.engine.cards.base import Array, Draw, Number

__all__ = ["Array", "Chances", "Number", "Seeds", "TurnDraws", "normal"]

Seeds = npt.NDArray[np.uint64]

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

_TRUTH, _EVENTS, _CHARACTER, _TURNS, _WORDS, _CASE = (block << 10 for block in range(6))
"""Where each purpose's numbers begin on the line."""
_MORE_WORDS: Final = 1 << 20
"""And those of a turn that takes more words than were laid out for it."""
_PER_TURN: Final = 8
_WORDS_PER_TURN: Final = 8
_TURNS_AT_ONCE: Final = 24


def _mixed(state: Seeds) -> Seeds:
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return state ^ (state >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class TurnDraws(Generic[Number]):
    """What chance holds for the persona on one turn; a number in (0, 1) for each choice it may face.

    For one game numbers, for many arrays with a row a game.
    """

    leave: Number
    call: Number
    press: Number
    linger: Number
    give: Number
    claim: Number
    shift: Number

    def of(self, draw: Draw) -> Number:
        """The draw that decides on a card."""
        drawn: Number = getattr(self, draw)
        return drawn


class Chances:
    """The lines of ``n`` games; every block that is drawn from them has shape ``(n, count)``."""

    def __init__(self, seeds: Seeds) -> None:
        self._starts = _mixed(seeds + _GOLDEN)[:, None]
        self._single: list[list[float]] = []
        self._talk: list[list[float]] = []

    @classmethod
    def of_one(cls, seed: int) -> Chances:
        return cls(np.array([seed], dtype=np.uint64))

    def truth(self, count: int) -> Array:
        return self._uniforms(_TRUTH, count)

    def events(self, count: int) -> Array:
        return self._uniforms(_EVENTS, count)

    def character(self, count: int) -> Array:
        return self._uniforms(_CHARACTER, count)

    def case(self, count: int) -> Array:
        return self._uniforms(_CASE, count)

    def turn(self, turn: int, games: npt.NDArray[np.int64] | None = None) -> TurnDraws[Array]:
        """The draws of one turn, in all games or in some of them."""
        return TurnDraws(*self._uniforms(_TURNS + _PER_TURN * turn, len(fields(TurnDraws)), games).T)

    def one_turn(self, turn: int) -> TurnDraws[float]:
        """The draws of a single game's turn."""
        leave, call, press, linger, give, claim, shift, _ = self._row(self._single, _TURNS, _PER_TURN, turn)
        return TurnDraws(leave, call, press, linger, give, claim, shift)

    def words(self, turn: int) -> Iterator[float]:
        """For the choice of words on a single game's turn: as many numbers in [0, 1) as it takes."""
        yield from self._row(self._talk, _WORDS, _WORDS_PER_TURN, turn)
        for more in count():
            place = (turn << 16 | more) * _WORDS_PER_TURN
            yield from self._uniforms(_MORE_WORDS + place, _WORDS_PER_TURN)[0].tolist()

    def _row(self, kept: list[list[float]], first: int, each: int, turn: int) -> list[float]:
        """``each`` numbers for a single game's turn; many turns are drawn with the first that is asked for."""
        if turn >= len(kept):
            turns = max(turn + 1, _TURNS_AT_ONCE)
            kept[:] = self._uniforms(first, each * turns)[0].reshape(turns, each).tolist()
        return kept[turn]

    def _uniforms(self, first: int, count: int, games: npt.NDArray[np.int64] | None = None) -> Array:
        """Numbers ``first`` to ``first + count`` of each line, each in (0, 1)."""
        starts = self._starts if games is None else self._starts[games]
        steps = np.arange(first + 1, first + count + 1, dtype=np.uint64)[None, :] * _GOLDEN
        bits = _mixed(starts + steps) >> np.uint64(11)
        return (bits.astype(np.float64) + 0.5) * 2.0**-53


def normal(uniform: Array) -> Array:
    """The standard normal with these quantiles (Wichura 1988, algorithm AS 241, to about 1e-16)."""
    if uniform.size <= _FEW:
        return np.array([_normal(each) for each in uniform.ravel().tolist()]).reshape(uniform.shape)
    centred = uniform - 0.5
    result = _middle(centred)
    tails = np.abs(centred) > _SPLIT
    if tails.any():
        result[tails] = _tail(uniform[tails])
    return result


def _normal(uniform: float) -> float:
    """As :func:`normal`, of one number."""
    centred = uniform - 0.5
    return _middle(centred) if abs(centred) <= _SPLIT else float(_tail(uniform))


def _middle(centred: Number) -> Number:
    inner = _SPLIT_SQUARED - centred * centred
    return centred * _polynomial(_A, inner) / _polynomial(_B, inner)


def _tail(uniform: Number) -> Number:
    far = np.sqrt(-np.log(np.minimum(uniform, 1 - uniform)))
    close = far - 1.6
    reach = _polynomial(_C, close) / _polynomial(_D, close)
    if np.any(far > _FAR):  # one number in 36 thousand million
        distant = far - _FAR
        reach = np.where(far <= _FAR, reach, _polynomial(_E, distant) / _polynomial(_F, distant))
    result: Number = np.copysign(reach, uniform - 0.5)
    return result


def _polynomial(coefficients: tuple[float, ...], at: Number) -> Number:
    """By Horner's rule, highest power first. ``numpy.polyval`` does the same, and more around it than it takes."""
    value = coefficients[0] * at
    for coefficient in coefficients[1:-1]:
        value += coefficient
        value *= at
    value += coefficients[-1]
    return value


_FEW: Final = 12
"""Up to so many numbers are quicker one by one."""
_SPLIT: Final = 0.425
_SPLIT_SQUARED: Final = 0.180625
_FAR: Final = 5.0
# Highest power first.
_A: Final = (
    2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
    1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080,
)  # fmt: skip
_B: Final = (
    5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
    5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0,
)  # fmt: skip
_C: Final = (
    7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
    3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734,
)  # fmt: skip
_D: Final = (
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
    1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187, 1.0,
)  # fmt: skip
_E: Final = (
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
    2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990,
    6.65790464350110377720,
)  # fmt: skip
_F: Final = (
    2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
    7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
    5.99832206555887937690e-1, 1.0,
)  # fmt: skip
