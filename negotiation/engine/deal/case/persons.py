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


_NAME: Final = re.compile(r"(?<!^)(?<![.?!] )\b(?!I\b|I')[A-Z][a-z]+")
_LONG_WORD: Final = re.compile(r"[a-z]{4,}")
_STEM: Final = 5
_PARTS: Final = re.compile(r"[,;]")
_ENOUGH: Final = 0.5


def said_in_words(clause: str, text: str) -> bool:
    """Whether a text says at least half of what a clause does, and something of each of its parts, so that the clause can
    be said back to its speaker: who only named a thing is not told what it never said. Every name in the clause must have
    been said. Where there was no text, what was told is the clause.
    """
    if not text.strip():
        return True
    if any(name.lower() not in text.lower() for name in _NAME.findall(clause)):
        return False
    said = _stems(text)
    parts = [_stems(part) for part in _PARTS.split(clause)]
    if any(len(part) > 1 and not part & said for part in parts):
        return False
    every = frozenset[str]().union(*parts)
    return len(every & said) >= _ENOUGH * len(every)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _LONG_WORD.findall(text.lower()))
