"""Lines a small model chooses from: a network of a million weights decides well and writes badly.

A larger model writes its own words. In both, ``{offer}`` stands for the offer that goes with the line, so that
words and offer cannot disagree.
"""

from __future__ import annotations

from collections.abc import Collection

from negotiation.engine.deal.expert import EMPATHY, QUESTIONS, SCEPTICISM
from negotiation.engine.deal.scenario import Scenario

OFFER_MARK = "{offer}"

PROPOSALS = (
    "We can do {offer}.",
    "My number is {offer}.",
    "{offer}, and we can sign this week.",
    "Let me put {offer} on the table.",
    "I can move to {offer}.",
)
HOLDING = (
    "I have moved as far as the facts carry me. Now I need something from you.",
    "I would rather hold here until I understand your side better.",
    "Help me see why I should move again.",
)
LINES: tuple[str, ...] = (*QUESTIONS, *EMPATHY, SCEPTICISM, *PROPOSALS, *HOLDING)
"""Every line of the menu; the empty line, which may always be said, is not among them."""


def spelt(offer: float | None, scenario: Scenario) -> str:
    """What stands in the place of ``OFFER_MARK``; without an offer nothing can."""
    return "" if offer is None else f"{scenario.currency}{offer:,.0f}"


def not_again(text: str, said: Collection[str], *, needed: bool) -> str:
    """A line of the menu as it is spoken: nobody says the same line twice.

    A small model does not see what it has said, so this is no choice of its own. A line that was said is left out,
    or, where words are ``needed``, gives way to the next one on the menu.
    """
    if text not in said or text not in LINES:
        return text
    if not needed:
        return ""
    begin = LINES.index(text)
    later = (*LINES[begin:], *LINES[:begin])
    return next((line for line in later if line not in said and OFFER_MARK not in line), text)
