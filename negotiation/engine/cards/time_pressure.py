"""Deadline: the side that discounts delay more concedes more."""

from negotiation.engine.cards.base import Card, Coaching, Habit, Nature, Number, Pressed

_HURRY, _CALM, _PATIENT = 0.14, 0.3, 0.35
"""It moves by this share of the zone, times urgency and impatience, each with something for the unmoved."""
_PRESSING, _EARLIEST = 0.30, 4
"""A persona's chance to name one, times bluff rate and aggression; before this turn it would be an opening."""


def _presses(at: Pressed[Number]) -> Number | float:
    return _HURRY * at.scale * (_CALM + at.urgency) * (_PATIENT + at.impatience) * at.standing


def _chance(nature: Nature, warmth: float) -> float:
    return _PRESSING * nature.bluff_rate * nature.aggression


CARD = Card(
    id="time_pressure",
    order=5,
    title="Deadline",
    does="Presses who is in a hurry. Heats, and has to be kept.",
    hint="Name a deadline. It presses the urgent; it heats the room; let it pass and you lose credit.",
    theory="The side that discounts delay more concedes more (Rubinstein 1982).",
    cost=15,
    limit=2,
    heat=9.0,
    their_heat=7.0,
    trust=-0.08,
    presses=_presses,
    habit=Habit(rank=2, draw="press", chance=_chance, from_turn=_EARLIEST, no_deadline=True),
    coaching=Coaching(
        step=0.0,
        say="{offer} and name a deadline",
        why="They are pressed for time; a deadline of yours would have told.",
        skill="tension",
        mark="deadline_unused",
    ),
    told="Tell them that they have {rounds} more rounds.",
    names_deadline=True,
)
