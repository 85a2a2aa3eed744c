"""Sweetener: something worth more to the other than it costs."""

from negotiation.engine.cards.base import Card, Coaching, Habit, Nature

_WARM_TRUST, _WARM_GIFT = 0.5, 0.3
"""Above this trust a persona may add one, with this chance times its warmth."""


def _chance(nature: Nature, warmth: float) -> float:
    return _WARM_GIFT * warmth


CARD = Card(
    id="sweetener",
    order=3,
    title="Sweetener",
    does="Worth more to them than it costs you.",
    hint="Add something worth more to them than it costs you.",
    theory="Logrolling: trade across differences in priority (Raiffa 1982).",
    cost=10,
    limit=2,
    heat=-11.0,
    trust=0.10,
    habit=Habit(rank=3, draw="give", chance=_chance, trust_above=_WARM_TRUST),
    coaching=Coaching(
        step=0.02,
        say="{offer} and add a sweetener",
        why="What costs you little and is worth more to them moves them further than money.",
        skill="packaging",
        mark="sweetener_unused",
    ),
    told="Add this on top: {sweetener}.",
    gives=True,
)
