"""Reveal floor: a credible commitment changes what is rational for the other side."""

from negotiation.engine.cards.base import Card, Habit, Nature

_CHANCE, _EARLIEST = 0.5, 3
"""Chance a turn to state a limit: times the bluff rate for who bluffs, where the trust is there for who never does.
Before this turn nobody does."""
HONEST_BELOW = 0.3
"""Personas with a bluff rate below this never state a false limit."""


def _chance(nature: Nature, warmth: float) -> float:
    return _CHANCE if nature.bluff_rate < HONEST_BELOW else _CHANCE * nature.bluff_rate


CARD = Card(
    id="batna_reveal",
    order=6,
    title="Reveal floor",
    does="Believed, it binds them. A bluff costs half your credit.",
    hint="State the figure you will not cross. Believed, it binds them too. Caught bluffing, you lose credit for good.",
    theory="A credible commitment changes what is rational for the other side (Schelling 1960).",
    cost=20,
    limit=2,
    heat=3.0,
    their_heat=4.0,
    habit=Habit(rank=1, draw="claim", chance=_chance, from_turn=_EARLIEST),
    states_floor=True,
)
