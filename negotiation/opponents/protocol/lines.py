"""Lines a small model chooses from: a network of a million weights decides well and writes badly.

A larger model writes its own words. In both, ``{offer}`` stands for the offer that goes with the line, so that
words and offer cannot disagree.
"""

from __future__ import annotations

from negotiation.engine.deal.expert import EMPATHY, QUESTIONS, SCEPTICISM

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
