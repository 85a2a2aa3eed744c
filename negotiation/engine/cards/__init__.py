"""The tactical cards: one module each, whose ``CARD`` is all that the house knows of it.

A module that is put here is played by both minds, priced and limited by the rules, heard and said, tried by the coach
and shown on the page. What a card does at the table is never only a label: see ``base.Card``.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, Literal

from negotiation.engine.cards.base import Card, Coaching, Habit, Pressed

__all__ = [
    "CARDS",
    "DEADLINE",
    "FLOOR",
    "GIFT",
    "HABITS",
    "SILENCE",
    "Card",
    "CardId",
    "Coaching",
    "Habit",
    "Pressed",
]


def _found() -> dict[str, Card]:
    names = [module.name for module in iter_modules(__path__) if module.name != "base"]
    cards: list[Card] = [import_module(f"{__name__}.{name}").CARD for name in names]
    return {card.id: card for card in sorted(cards, key=lambda card: card.order)}


CARDS: Final[dict[str, Card]] = _found()
if TYPE_CHECKING:
    CardId = str
else:  # whoever reads types at run time, such as the server for agents, learns which cards there are
    CardId = Literal[tuple(CARDS)]
HABITS: Final = tuple(
    sorted(
        ((card, card.habit) for card in CARDS.values() if card.habit is not None), key=lambda two: two[1].rank
    )
)
"""The cards that personas play of their own accord, in the order in which they think of them."""
GIFT: Final = next(card.id for card in CARDS.values() if card.gives)
DEADLINE: Final = next(card.id for card in CARDS.values() if card.names_deadline)
FLOOR: Final = next(card.id for card in CARDS.values() if card.states_floor)
SILENCE: Final = next(card.id for card in CARDS.values() if card.keeps_still)
