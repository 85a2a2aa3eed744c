"""What somebody said, as the one who heard it says it back: "what do your people use?" is "what do our people use?"."""

from __future__ import annotations

import re
from typing import Final

from negotiation.engine.language.cues import labels

_SAYABLE: Final = re.compile(r"[A-Za-z][A-Za-z' ,&-]+")
_TURNS: Final = re.compile(
    r"\b(?:(you are|are you|you're|you were|were you|you'd|you'll|you've|your own|yours|yourselves|yourself|your|you)"
    r"|(I am|am I|I'm|we are|are we|we're|I was|was I|we were|were we|I'd|we'd|I'll|we'll|I've|we've|mine|ours"
    r"|myself|ourselves|my|our|me|us|I|we))\b",
    re.IGNORECASE,
)
_OF_HEARER: Final = {
    "you are": ("we are", "I am"),
    "are you": ("are we", "am I"),
    "you're": ("we're", "I'm"),
    "you were": ("we were", "I was"),
    "were you": ("were we", "was I"),
    "you'd": ("we'd", "I'd"),
    "you'll": ("we'll", "I'll"),
    "you've": ("we've", "I've"),
    "your own": ("our own", "my own"),
    "yours": ("ours", "mine"),
    "yourselves": ("ourselves", "myself"),
    "yourself": ("ourselves", "myself"),
    "your": ("our", "my"),
    "you": ("we", "I"),
}
_OF_SPEAKER: Final = {
    "mine": "yours",
    "ours": "yours",
    "myself": "yourself",
    "ourselves": "yourselves",
    "my": "your",
    "our": "your",
    "i'm": "you're",
    "we're": "you're",
    "i'd": "you'd",
    "we'd": "you'd",
    "i'll": "you'll",
    "we'll": "you'll",
    "i've": "you've",
    "we've": "you've",
    "i am": "you are",
    "am i": "are you",
    "we are": "you are",
    "are we": "are you",
    "i was": "you were",
    "was i": "were you",
    "we were": "you were",
    "were we": "were you",
}
_AFTER_VERB: Final = re.compile(
    r"\b(give|gives|let|lets|allow|allows|with|to|for|from|by|pay|pays|tell|tells|show|shows|help|helps|send|sends|of|on|promise"
    r"|leave|leaves|at|keep|keeps|cost|costs|stop|stops|hurt|hurts|bother|bothers|worry|worries|make|makes|bring|brings|hold|holds"
    r"|holding|stopping|keeping|bothering|worrying|drive|drives|trouble|troubles|save|saves|about|around|against|behind|without"
    r"|than|suit|suits|convince|convinces|force|forces|prevent|prevents|buy|buys|owe|owes|offer|offers|teach|serve|serves|trust"
    r"|forbids?|forbidden|asked|told|made|gave|helped|stopped|kept|taught|promised|offered|sold|sent|showed|paid|brought|held"
    r"|believe|near|above|over|under) (we|I)\b(?!')"
)
_OBJECT: Final = {"we": "us", "I": "me"}
_NEVER: Final = ("insult", "injection", "nonsense", "threat")


def is_sayable(bare: str) -> bool:
    """Words and nothing else, and no slight: nobody says back an insult, or a figure that is on no table."""
    return _SAYABLE.fullmatch(bare) is not None and is_civil(bare)


def is_civil(bare: str) -> bool:
    """Whether nothing in the words is of a kind that nobody says back."""
    return labels("acts", [bare.lower()]).isdisjoint(_NEVER)


def from_the_other_side(bare: str, *, alone: bool) -> str:
    """The words with the persons turned round.

    Args:
        alone: whether who says them back speaks for nobody else: "you" is "I" then, and else "we".
    """

    def turn(found: re.Match[str]) -> str:
        if found[1]:
            return _OF_HEARER[found[1].lower()][alone]
        return _OF_SPEAKER.get(found[2].lower(), "you")

    turned = _TURNS.sub(turn, bare)
    return _AFTER_VERB.sub(lambda found: f"{found[1]} {_OBJECT[found[2]]}", turned)
