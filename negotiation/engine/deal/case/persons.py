"""Clauses as somebody else says them: said back to who told them."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(
    r"\b(I am|I was|we are|we were|I'm|we're|I|me|my|mine|myself|we|us|our|ours|ourselves)\b"
)
_TURNED: Final = {
    "I am": "you are",
    "I was": "you were",
    "I'm": "you're",
    "we're": "you're",
    "I": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we are": "you are",
    "we were": "you were",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
}
_HEARER: Final = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)


def turned(clause: str) -> str:
    """What somebody said of itself, as it is said back to it; empty where it speaks of its hearer too."""
    if _HEARER.search(clause):
        return ""
    return _WORD.sub(lambda found: _TURNED[found[0]], clause)
