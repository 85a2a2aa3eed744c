"""Whether an action can be taken at all. Checking changes nothing; refusals say what to mend."""

from __future__ import annotations

import math
import unicodedata

from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.issues import bundle_of
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import State
from negotiation.engine.deal.types import Action, Belief
from negotiation.engine.language import Reading

MAX_TEXT = 2000
MAX_PACKAGES = 3
ABSURD_FACTOR = 2
HARD_BOUND_FACTOR = 20
"""Offers beyond the plausible range by more than this factor are slips of the hand, not offers."""


def check_text(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise ActionRefused(
            "text_too_long", f"Keep it under {MAX_TEXT:,} characters; this has {len(text):,}.", "text"
        )
    if any(unicodedata.category(ch) in ("Cc", "Cs") and ch not in "\n\r\t" for ch in text):
        raise ActionRefused("text_binary", "This text holds control characters that cannot be sent.", "text")


def check_figure(value: float, field: str, scenario: Scenario) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ActionRefused(f"{field}_not_finite", "That is not a number.", field)
    if value < 0.01:
        raise ActionRefused(f"{field}_not_positive", "The figure must be above zero.", field)
    low, high = scenario.plausible_low / HARD_BOUND_FACTOR, scenario.plausible_high * HARD_BOUND_FACTOR
    if field != "offer" and not low <= value <= high:
        raise ActionRefused(f"{field}_implausible", "That figure cannot be meant for this deal.", field)
    if value > high:
        raise ActionRefused("offer_implausible", "That figure is too large to be meant for this deal.", field)


def is_absurd(offer: float, scenario: Scenario) -> bool:
    """An offer so far outside the plausible range that a person would ask whether it was a slip."""
    return not scenario.plausible_low / ABSURD_FACTOR <= offer <= scenario.plausible_high * ABSURD_FACTOR


def is_implausible(offer: float, scenario: Scenario) -> bool:
    return not scenario.plausible_low <= offer <= scenario.plausible_high


def check_packages(action: Action, state: State, scenario: Scenario) -> None:
    """Terms name issues and options that exist, and go with a price."""
    if action.offer is None and (action.terms is not None or action.alternatives):
        raise ActionRefused("package_needs_price", "A package needs a price.", "offer")
    if len(action.alternatives) >= MAX_PACKAGES:
        raise ActionRefused(
            "too_many_packages", f"Put at most {MAX_PACKAGES} packages side by side.", "alternatives"
        )
    bundle_of(scenario.issues, action.terms or {}, state.player.bundle)
    for package in action.alternatives:
        check_figure(package.price, "offer", scenario)
        bundle_of(scenario.issues, package.terms, state.player.bundle)


def check_belief(belief: Belief, scenario: Scenario) -> None:
    for field in ("walk_away", "budget"):
        value = getattr(belief, field)
        if value is not None:
            check_figure(value, f"belief_{field}", scenario)
    for field in ("urgency", "p_alternative", "confidence"):
        value = getattr(belief, field)
        if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
            raise ActionRefused(
                "belief_out_of_range", f"{field} must lie between 0 and 1.", f"belief_{field}"
            )


def check_card(action: Action, reading: Reading | None, state: State, sweeteners_left: int) -> None:
    card = CARDS.get(action.card) if action.card else None
    if card is None:
        raise ActionRefused("unknown_card", "There is no such card.", "card")
    if state.player.points < card.cost:
        raise ActionRefused(
            "card_unaffordable",
            f"{card.title} costs {card.cost} points; you have {state.player.points}.",
            "card",
        )
    if not state.player.can_play(card.id, sweeteners_left):
        raise ActionRefused("card_spent", f"{card.title} is used up in this deal.", "card")
    if card.needs_offer and action.offer is None:
        raise ActionRefused("card_needs_offer", f"{card.title} needs a number on the table.", "offer")
    if card.states_floor and stated_claim(action, reading) is None:
        raise ActionRefused("card_needs_claim", "State the figure that you will not cross.", "claim")


def stated_claim(action: Action, reading: Reading | None) -> float | None:
    """The floor stated with ``batna_reveal``: its own field first, then a limit in the words, then the offer."""
    if action.claim is not None:
        return action.claim
    if reading is not None and reading.kind == "limit" and reading.figure is not None:
        return reading.figure
    return action.offer


def check_action(
    action: Action, reading: Reading | None, state: State, scenario: Scenario, sweeteners_left: int
) -> None:
    """Refuse what cannot be played.

    Raises:
        ActionRefused: with a code, words for a person, and the field at fault.
    """
    if action.accept and action.walk_away:
        raise ActionRefused("contradiction", "Accept or walk away, not both.")
    if action.accept:
        if state.opponent.offer is None:
            raise ActionRefused("nothing_to_accept", "There is no offer of theirs on the table.")
        return
    if action.walk_away:
        return
    check_text(action.text)
    if action.offer is not None:
        check_figure(action.offer, "offer", scenario)
    check_packages(action, state, scenario)
    if action.claim is not None:
        check_figure(action.claim, "claim", scenario)
    if action.card is not None:
        check_card(action, reading, state, sweeteners_left)
    if action.belief is not None:
        check_belief(action.belief, scenario)
    if action.event_estimate is not None:
        if state.pending_estimate is None:
            raise ActionRefused(
                "estimate_not_asked", "There is no headline to estimate now.", "event_estimate"
            )
        if not (math.isfinite(action.event_estimate) and abs(action.event_estimate) <= 1):
            raise ActionRefused(
                "estimate_out_of_range", "The estimate must lie between -100% and +100%.", "event_estimate"
            )
    silent = not action.text.strip() and action.offer is None and action.card is None and not action.challenge
    if silent and not action.talk:
        raise ActionRefused("empty_action", "Say something, put a number down, or play a card.", "text")
