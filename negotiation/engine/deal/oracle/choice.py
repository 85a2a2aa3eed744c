"""From the network's outputs to a move: what each output means, and the limits that no output can cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from negotiation.engine.cards import CARDS, GIFT
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD, Moves
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.oracle.memory import Memory
from negotiation.engine.deal.oracle.views import Deal, Views
from negotiation.engine.deal.rows import Ints, Mask, Rows

PACE, ACCEPT, CALL, CARD = 0, 1, 2, 3
"""Where the outputs stand; from ``CARD`` on, playing none and then each card of ``HAND``."""
HAND: Final = tuple(card.id for card in CARDS.values() if not card.states_floor)
"""It states no limit of its own: what it says would then have to be true or false."""
OUTPUTS: Final = CARD + 1 + len(HAND)
_IN_HAND: Final = [CARD_IDS.index(card) for card in HAND]
_GIFT: Final = CARD_IDS.index(GIFT)

_OPENS_FROM, _OPENS_WITHIN = 0.3, 1.7
"""The first offer lies so many widths above the own limit, and up to so many more."""
_LARGEST_STEP = 0.4
"""The most that it gives on one turn, in widths."""


@dataclass(slots=True)
class Picks(Rows):
    """What was chosen, a row a game: ``pace`` before it is squashed, ``card`` the place in ``(none, *HAND)``."""

    pace: Array
    accept: Mask
    call: Mask
    card: Ints


@dataclass(slots=True)
class Open(Rows):
    """What can be chosen at all."""

    accept: Mask
    call: Mask
    card: npt.NDArray[np.bool_]
    """Shape ``(n, 1 + cards in hand)``."""


def open_to(views: Views) -> Open:
    """Only what lies within the own limit can be accepted, only a stated limit called, only a card in hand played."""
    none = np.ones((len(views.limit), 1), dtype=np.bool_)
    return Open(
        accept=views.standing >= views.limit,
        call=~np.isnan(views.claim),
        card=np.concatenate([none, views.playable[:, _IN_HAND]], axis=1),
    )


def best(outputs: Array, there: Open) -> Picks:
    """What the network thinks best."""
    cards = np.where(there.card, outputs[:, CARD:], -np.inf)
    return Picks(
        pace=outputs[:, PACE],
        accept=there.accept & (outputs[:, ACCEPT] > 0),
        call=there.call & (outputs[:, CALL] > 0),
        card=np.argmax(cards, axis=1),
    )


def moves_of(deal: Deal, views: Views, memory: Memory, chosen: Picks) -> Moves:
    """The moves, and what is remembered of them. None offers or accepts beyond the own limit."""
    moves = Moves.nothing(len(views.limit))
    moves.card = np.array((NO_CARD, *_IN_HAND))[chosen.card]
    cost = _gift_cost(deal, views, moves.card == _GIFT)
    # What sweeteners cost comes out of the deal: with them it must still be one.
    least = views.limit + cost
    share = 1.0 / (1.0 + np.exp(-chosen.pace))
    opening = least + (_OPENS_FROM + _OPENS_WITHIN * share) * deal.width
    wished = np.where(np.isnan(memory.asked), opening, memory.asked - _LARGEST_STEP * share * deal.width)
    price = deal.scenario.rounded(deal.sign * (np.maximum(wished, least) - memory.worth))
    short = deal.sign * price + memory.worth < least
    price = np.where(short, price + deal.sign * deal.scenario.step, price)
    value = deal.sign * price + memory.worth
    inside = views.standing >= views.limit + _gift_cost(deal, views, np.zeros(len(least), dtype=np.bool_))
    takes = inside & (chosen.accept | (views.standing >= value) | (views.turn >= deal.horizon))
    moves.accept = takes
    moves.offer, moves.bundle = price, memory.bundle
    moves.challenge = chosen.call
    moves.acts = {act: np.ones(len(least), dtype=np.bool_) for act in ("question", "empathy")}
    memory.ask(value)
    return moves


def _gift_cost(deal: Deal, views: Views, more: Mask) -> Array:
    """What the own sweeteners cost in money, with one ``more`` where it is given now."""
    costs = np.concatenate([[0.0], np.cumsum(deal.gifts[:, 1])])
    result: Array = costs[np.minimum(views.given + more, len(costs) - 1)] * deal.width
    return result
