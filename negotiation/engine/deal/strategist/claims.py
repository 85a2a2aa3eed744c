"""Stated limits and deadlines: how far from the truth, when one fits what is on the table, whether to believe one.

A stated limit lies ``most * B`` of the true one away from it, on the persona's own side, with ``B`` drawn anew for each
claim. For who bluffs ``most`` is ``SHADE`` and ``B ~ Beta(4m, 4 - 4m)``, so that calling by the name alone earns nothing;
who never bluffs shades by less than counts as a bluff. Arguments may be numbers or arrays with a row a game: both minds
go by the same formulas. Value space throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from negotiation.engine.cards.batna_reveal import HONEST_BELOW
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.chance import Array, Number
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.reward import BLUFF_TOLERANCE
from negotiation.engine.deal.rows import Mask
from negotiation.engine.deal.strategist.character import Character
from negotiation.engine.deal.strategist.pace import either
from negotiation.engine.deal.strategist.trust import Trust

SHADE = 0.30
"""The furthest that a limit is stated from the true one, as a share of it, by who bluffs."""
HONEST_SHADE = 0.14
"""And by who never does: within what counts as a bluff."""
_MEAN, _SURE = 0.44, 4.0
_BLUFFERS: Final = (_SURE * _MEAN, _SURE * (1 - _MEAN))
_HONEST: Final = (1.2, 2.0)
"""Of the Beta distributions. P(.30 B > .15) is .39 as drawn and up to .44 of what is then stated, since a mild limit is
oftener met already: at m = .47 that came to .48, and calling the Shark by his name alone paid (``bench.claims``)."""
TRUST_TO_OPEN_UP = 0.62
_FIGURE = 2
"""People state limits in multiples of so many steps."""
_CUT, _CUT_PER_BLUFF = 0.3, 0.6
"""Who bluffs takes up to this share off the rounds that a deadline gives, and more with the bluff rate."""
LONGEST_DEADLINE, SHORTEST_DEADLINE = 6, 2
"""Rounds that a deadline may give: with more left nobody is pressed, with fewer it is the last word."""
_CELLS: Final = 4096

Reason = Literal["news", "called"]
"""Why another limit is stated than before."""


def _beta(shape: tuple[float, float]) -> tuple[Array, Array]:
    """Where on [0, 1] a Beta distribution has which share of its mass below: the pairs that quantiles are read from."""
    ends = np.linspace(0.0, 1.0, _CELLS + 1)
    inside = (ends[1:] + ends[:-1]) / 2
    mass = inside ** (shape[0] - 1) * (1 - inside) ** (shape[1] - 1)
    below = np.concatenate(([0.0], np.cumsum(mass)))
    return below / below[-1], ends


_QUANTILES: Final = {True: _beta(_HONEST), False: _beta(_BLUFFERS)}


def is_honest(persona: Persona) -> bool:
    """Whether it never bluffs."""
    return persona.bluff_rate < HONEST_BELOW


def _drawn(honest: bool, draw: Number) -> Number:
    below, ends = _QUANTILES[honest]
    quantile: Number = np.interp(draw, below, ends)
    return quantile


def stated(reservation: Number, persona: Persona, draw: Number, step: float) -> Number:
    """The limit that it would state now: in a round figure, never one that it would not keep to."""
    honest = is_honest(persona)
    most = HONEST_SHADE if honest else SHADE
    claim = reservation + most * _drawn(honest, draw) * abs(reservation)
    figure = _FIGURE * step
    near: Number = np.rint(claim / figure) * figure
    return either(near < reservation, near + figure, near)


def likelihood(shades: Array, persona: Persona) -> Array:
    """How likely it shades a stated limit by these shares of the true one: a density over shares, 0 where it never does."""
    honest = is_honest(persona)
    most = HONEST_SHADE if honest else SHADE
    below, ends = _QUANTILES[honest]
    density = np.diff(below) * _CELLS / most
    cells = np.floor(shades / most * _CELLS).astype(np.int64)
    inside = (cells >= 0) & (cells < len(ends) - 1)
    return np.where(inside, density[np.clip(cells, 0, _CELLS - 1)], 0.0)


def fits(claim: Number, reservation: Number, asks: Number, met: Number, persona: Persona) -> bool | Mask:
    """Whether a limit can be stated beside what is on the table.

    Args:
        asks: what the persona itself is about to ask for, in price and in value: a limit beyond it is none.
        met: what the player has put down; minus infinity where it is nothing. A limit that is met already says nothing.
    """
    within = claim <= reservation + BLUFF_TOLERANCE * abs(reservation) if is_honest(persona) else True
    sayable: bool | Mask = within & (claim < asks) & (claim > met)
    return sayable


def as_news_moved(claim: Number, last: Number, limit: Number, limit_then: Number) -> bool | Mask:
    """Whether another figure than the last moves as news has moved the true limit since."""
    return (claim - last) * (limit - limit_then) > 0


def rounds_named(persona: Persona, left: Number, draw: Number) -> Number:
    """The rounds that a deadline gives which is named with so many left; who never bluffs names those that there are.

    The more often a persona bluffs, the shorter it makes them.
    """
    if is_honest(persona):
        return left
    most = _CUT + _CUT_PER_BLUFF * persona.bluff_rate
    named: Number = np.rint(left * (1 - most * _drawn(False, draw)))
    return named


def is_pressing(rounds: Number) -> bool | Mask:
    """Whether a deadline of so many rounds is worth naming."""
    return (rounds >= SHORTEST_DEADLINE) & (rounds <= LONGEST_DEADLINE)


def just_inside(claim: Number) -> Number:
    """How far a limit must lie beyond a stated floor for the floor to be called a bluff."""
    return claim + BLUFF_TOLERANCE * abs(claim)


@dataclass(slots=True)
class Word:
    """The limit that was stated last, the true one as it was then, and what has come since."""

    figure: float
    limit: float
    news: bool = False
    called: bool = False

    def another(self, claim: float, limit: float) -> Reason | None:
        """Why ``claim`` may be stated after this one; ``None`` where it may not."""
        if self.called:
            return "called" if claim < self.figure else None
        moved = self.news and as_news_moved(claim, self.figure, limit, self.limit)
        return "news" if moved else None


@dataclass(frozen=True, slots=True)
class Position:
    """Where the persona stands when it weighs a claim.

    ``asks`` and ``met`` as in :func:`fits`; ``word`` is what it stated last; ``left`` the rounds that it means to stay.
    """

    character: Character
    trust: Trust
    reservation: float
    asks: float
    met: float
    word: Word | None
    has_offered: bool
    left: float
    step: float


Stated = tuple[float, Reason | None]


def choose_claim(at: Position, draw: float) -> Stated | None:
    """The limit to state now that it wants to state one, with the reason for another than before; ``None`` for none."""
    persona = at.character.persona
    if is_honest(persona) and at.trust.value < TRUST_TO_OPEN_UP:
        return None
    claim = float(stated(at.reservation, persona, draw, at.step))
    if not fits(claim, at.reservation, at.asks, at.met, persona):
        return None
    if at.word is None:
        return claim, None
    reason = at.word.another(claim, at.reservation)
    return None if reason is None else (claim, reason)


def disbelief(claim: float, player: LimitPosterior) -> float:
    """P(the player's stated floor is a bluff), from what its offers have shown. Value space."""
    return player.probability_above(just_inside(claim))
