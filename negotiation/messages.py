"""A move of the deal as a client sends it: parsed once, strictly, and typed from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from negotiation.engine.deal import Action
from negotiation.engine.deal.issues import Package
from negotiation.engine.deal.types import Belief
from negotiation.table.wire import FrameRefused, flag_of, number_of, text_of

ClarifyReason = Literal[
    "figure_differs", "terms_differ", "unclear_figure", "absurd", "looks_like_accept", "looks_like_leaving"
]


@dataclass(frozen=True, slots=True)
class ActData:
    """What the player asks for with ``act``. ``confirmed`` binds the offer field as it stands.

    ``terms`` go with the offer, ``alternatives`` are further packages beside it; as in the engine's ``Action``.
    """

    text: str
    offer: float | None
    card: str | None
    claim: float | None
    belief: Belief | None
    challenge: bool | None
    event_estimate: float | None
    confirmed: bool
    terms: dict[str, str] | None = None
    alternatives: tuple[Package, ...] = ()


def parse_act(data: dict[str, Any]) -> ActData:
    """The data of ``act``. Whether the move is allowed is the engine's to say; here only types count."""
    belief = data.get("belief")
    if belief is not None and not isinstance(belief, dict):
        raise FrameRefused("bad_field", "belief must be an object.", field="belief")
    return ActData(
        text=text_of(data),
        offer=number_of(data, "offer"),
        card=_card_of(data),
        claim=number_of(data, "claim"),
        belief=_belief_of(belief) if belief else None,
        challenge=flag_of(data, "challenge"),
        event_estimate=number_of(data, "event_estimate"),
        confirmed=flag_of(data, "confirmed") is True,
        terms=terms_of(data),
        alternatives=_alternatives_of(data),
    )


def action_of(act: ActData) -> Action:
    """The engine's action; what it may not be, the engine says."""
    return Action(
        text=act.text,
        offer=act.offer,
        card=act.card,  # the engine refuses an unknown one
        belief=act.belief,
        challenge=act.challenge,
        claim=act.claim,
        event_estimate=act.event_estimate,
        terms=act.terms,
        alternatives=act.alternatives,
    )


def terms_of(data: dict[str, Any], field_name: str = "terms") -> dict[str, str] | None:
    """Issue to option, both by id. Whether they exist is the engine's to say."""
    terms = data.get("terms")
    if terms is None:
        return None
    if not isinstance(terms, dict) or not all(isinstance(option, str) for option in terms.values()):
        raise FrameRefused("bad_field", "terms must name an option for each issue.", field=field_name)
    return dict(terms)


def _alternatives_of(data: dict[str, Any]) -> tuple[Package, ...]:
    listed = data.get("alternatives")
    if listed is None:
        return ()
    if not isinstance(listed, list):
        raise FrameRefused("bad_field", "alternatives must be a list of packages.", field="alternatives")
    return tuple(_package_of(item) for item in listed)


def _package_of(item: Any) -> Package:
    if not isinstance(item, dict) or set(item) - {"price", "terms"}:
        raise FrameRefused("bad_field", "A package is a price with its terms.", field="alternatives")
    price = number_of(item, "price")
    if price is None:
        raise FrameRefused("bad_field", "A package needs a price.", field="alternatives")
    return Package(price, terms_of(item, "alternatives") or {})


def _card_of(data: dict[str, Any]) -> str | None:
    card = data.get("card")
    if card is not None and not isinstance(card, str):
        raise FrameRefused("bad_field", "card must be the id of a card.", field="card")
    return card or None


def _belief_of(raw: dict[str, Any]) -> Belief:
    confidence = number_of(raw, "confidence")
    return Belief(
        walk_away=number_of(raw, "walk_away"),
        budget=number_of(raw, "budget"),
        urgency=number_of(raw, "urgency"),
        p_alternative=number_of(raw, "p_alternative"),
        confidence=0.5 if confidence is None else confidence,
    )
