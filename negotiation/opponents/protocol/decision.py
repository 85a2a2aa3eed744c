"""A decision in money and words, and the move it becomes in either seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from negotiation.engine.cards import FLOOR
from negotiation.engine.deal.issues import Terms
from negotiation.engine.deal.types import Action, Belief, CardId, Observation, Reply

Act = Literal["offer", "talk", "accept", "walk"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a model decided. ``offer`` is in whole currency units, shares lie in [0, 1]."""

    act: Act
    offer: float | None = None
    terms: Terms | None = None
    card: CardId | None = None
    belief: Belief | None = None
    challenge: bool | None = None
    event: float | None = None
    text: str = ""


def to_action(decision: Decision) -> Action:
    """The move of the player's seat."""
    if decision.act == "accept":
        return Action(text=decision.text, accept=True)
    if decision.act == "walk":
        return Action(text=decision.text, walk_away=True)
    return Action(
        text=decision.text,
        offer=decision.offer,
        terms=decision.terms,
        card=decision.card,
        claim=decision.offer if decision.card == FLOOR else None,
        belief=decision.belief,
        challenge=decision.challenge,
        event_estimate=decision.event,
    )


def to_reply(decision: Decision, seen: Observation) -> Reply:
    """The move of the persona's seat, where ``seen`` is the table as that seat sees it.

    A reply always names what stands after it: talk leaves the last package standing.
    """
    fresh = decision.act == "offer"
    return Reply(
        text=decision.text,
        offer=decision.offer if fresh else seen.own_offer,
        terms=(decision.terms if fresh else seen.own_terms) or None,
        card=decision.card,
        claim=decision.offer if decision.card == FLOOR else None,
        challenge=bool(decision.challenge),
        accept=decision.act == "accept",
        walk_away=decision.act == "walk",
    )
