"""A move as an instruction, in words that a rep understands."""

from __future__ import annotations

from coaching.analysis.review.candidates import Candidate
from coaching.analysis.review.moment import Moment
from negotiation.engine.cards import CARDS
from negotiation.engine.deal.issues import labels


def describe(candidate: Candidate, moment: Moment) -> str:
    """The better move as an instruction."""
    scenario = moment.played.scenario
    terms = labels(scenario.issues, candidate.bundle, moment.position.bundle)
    at = f"{moment.price(candidate.offer or 0.0)}{' with ' + ', '.join(terms) if terms else ''}"
    held = abs(candidate.step) < scenario.step / 2
    offer = f"Stay at {at}" if held and not moment.position.opening and not terms else f"Offer {at}"
    words = {
        "question": " and ask what matters to them",
        "empathy": " and show that you heard them",
        "skepticism": "",
    }
    if candidate.kind == "accept":
        standing = moment.turn.before.standing_offer or 0.0
        return f"Take their {moment.price(standing)}."
    if candidate.kind == "walk_away":
        return "Walk away."
    if candidate.kind == "challenge":
        return f"{offer} and call the floor that they stated."
    if candidate.card is not None:
        coaching = CARDS[candidate.card].coaching
        return f"{coaching.say.format(offer=offer)}." if coaching is not None else f"{offer}."
    return f"{offer}{words.get(candidate.act or '', '')}."
