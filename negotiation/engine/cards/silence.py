"""Silence: the impatient fill it."""

from negotiation.engine.cards.base import Card, Coaching, Habit, Nature, Number, Pressed

_QUIET, _QUIET_AGAIN = 0.05, 0.6
"""A silence moves the wholly impatient by this share of the zone; each further one by .6 of the one before."""
_VERY_PATIENT, _CHANCE = 0.9, 0.22
"""Who is more patient than this answers a concession with silence, this often."""


def _presses(at: Pressed[Number]) -> Number | float:
    return _QUIET * at.scale * at.impatience * at.worn


def _chance(nature: Nature, warmth: float) -> float:
    return _CHANCE


CARD = Card(
    id="silence",
    order=2,
    title="Silence",
    does="Say nothing. The impatient fill the gap.",
    hint="Say nothing and let it work. The impatient fill the gap; the patient do not. It wears off.",
    theory="Delay costs the impatient side more (Rubinstein 1982).",
    cost=5,
    limit=5,
    heat=2.0,
    their_heat=2.0,
    presses=_presses,
    wears_off=_QUIET_AGAIN,
    habit=Habit(rank=4, draw="linger", chance=_chance, patience_above=_VERY_PATIENT, after_gift=True),
    coaching=Coaching(
        step=0.0,
        say="Stay where you are and let a silence work",
        why="A silence costs nothing here, and the impatient fill it.",
        skill="tension",
        mark="silence_unused",
    ),
    told="Say very little.",
    keeps_still=True,
)
