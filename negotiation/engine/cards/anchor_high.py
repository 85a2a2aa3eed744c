"""Anchor: an ambitious number pulls the other's estimate."""

from negotiation.engine.cards.base import Card

AGAIN = 0.5
"""A first number anchors at the persona's full pull, one that is played as a card at half of it."""

CARD = Card(
    id="anchor_high",
    order=1,
    title="Anchor",
    does="A bold number pulls their guess of you your way.",
    hint="Put an ambitious number on the table; it pulls their estimate of you. Too far, and it only heats the room.",
    theory="Anchoring: a first number moves estimates, unless it is implausible (Tversky & Kahneman 1974).",
    cost=0,
    limit=2,
    needs_offer=True,
    heat=4.0,
    anchors=AGAIN,
)
