"""The tactical cards: what each costs in credibility, and the theory its effect follows.

The effects themselves live where they act: beliefs and patience in the strategist, heat in
``tension.py``, credibility in ``state.py``. A card is never only a label.
"""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.deal.types import CardId

STARTING_POINTS = 100
POINTS_PER_TURN = 5


@dataclass(frozen=True, slots=True)
class Card:
    """One card. ``limit`` is how often it may be played in a game (sweeteners are limited by stock)."""

    id: CardId
    title: str
    cost: int
    hint: str
    theory: str
    limit: int
    needs_offer: bool = False


CARDS: dict[CardId, Card] = {
    card.id: card
    for card in (
        Card(
            "anchor_high",
            "Anchor",
            0,
            "Put an ambitious number on the table; it pulls their estimate of you. Too far, and it only heats the room.",
            "Anchoring: a first number moves estimates, unless it is implausible (Tversky & Kahneman 1974).",
            limit=2,
            needs_offer=True,
        ),
        Card(
            "silence",
            "Silence",
            5,
            "Say nothing and let it work. The impatient fill the gap; the patient do not. It wears off.",
            "Delay costs the impatient side more (Rubinstein 1982).",
            limit=5,
        ),
        Card(
            "sweetener",
            "Sweetener",
            10,
            "Add something worth more to them than it costs you.",
            "Logrolling: trade across differences in priority (Raiffa 1982).",
            limit=2,
        ),
        Card(
            "reframe",
            "Reframe",
            12,
            "Move the number they compare with. Works once.",
            "Gains and losses are felt from a reference point, losses 2.25 times as much (Tversky & Kahneman 1992).",
            limit=1,
        ),
        Card(
            "time_pressure",
            "Deadline",
            15,
            "Name a deadline. It presses the urgent; it heats the room; let it pass and you lose credit.",
            "The side that discounts delay more concedes more (Rubinstein 1982).",
            limit=2,
        ),
        Card(
            "batna_reveal",
            "Reveal floor",
            20,
            "State the figure you will not cross. Believed, it binds them too. Caught bluffing, you lose credit for good.",
            "A credible commitment changes what is rational for the other side (Schelling 1960).",
            limit=2,
        ),
    )
}
