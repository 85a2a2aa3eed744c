"""One sentence for a coach's eyes, drawn from the hidden truth: to understand the table by, not to be whispered.

What may be whispered is read from public information alone and needs no place in the log.
"""

from __future__ import annotations

from negotiation.engine.deal.types import SIGN, Observation, Truth


def hint_for(view: Observation, truth: Truth, zone: float) -> str:
    """The most useful thing to know this turn, most urgent first. ``zone`` is the money there is to share now."""
    sign = SIGN[view.seat]
    standing = view.standing_worth
    if view.done:
        return ""
    if zone <= 0:
        return "No price works for both sides now. Walking away is the right play."
    if truth.open_claim_is_bluff:
        return "Their stated limit is a bluff. Have them back it up before moving another dollar."
    if truth.open_claim_is_bluff is False:
        return (
            "Their stated limit is near the true one. Calling it would find no bluff and raise the tension."
        )
    if view.tension_band == "critical":
        return "The table is about to burn value. A question or a small concession cools it."
    if standing is not None and sign * (standing - truth.player.walk_away) < 0:
        return "Their offer is still beyond our limit. Ask what drives their number, and go on in even steps."
    if standing is not None and _share(standing, view, truth, zone) >= 0.6:
        return "Their offer already gives us most of the zone. Consider closing."
    if truth.opponent.urgency >= 0.7:
        return "They are in a hurry. Have them name the deadline; time works for us."
    if not truth.opponent.has_alternative:
        return "They have no other option: they need this deal more than they show."
    if view.turn >= view.horizon - 3:
        return "Few turns are left. Decide which number is worth closing at."
    return "Ask about their budget and timeline before the next number."


def _share(worth: float, view: Observation, truth: Truth, zone: float) -> float:
    """Our share of the zone at a package of this worth to us."""
    return SIGN[view.seat] * (worth - truth.player.walk_away) / zone
