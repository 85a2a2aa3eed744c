"""An author's plain sentence as a persona would put it: in words of its own where its folder has them (``said.toml``), else
the same words in its manner of speaking.

The clauses are compared word for word, so a sentence that its author changes is put plainly again, and in manner.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from negotiation.engine.personas import SAID, folders, table

_SHORT: Final = {
    "cannot": "can't",
    "can not": "can't",
    "do not": "don't",
    "does not": "doesn't",
    "did not": "didn't",
    "is not": "isn't",
    "are not": "aren't",
    "was not": "wasn't",
    "will not": "won't",
    "would not": "wouldn't",
    "has not": "hasn't",
    "have not": "haven't",
    "I am": "I'm",
    "you are": "you're",
    "we are": "we're",
    "it is": "it's",
    "that is": "that's",
    "there is": "there's",
    "I have": "I've",
    "we have": "we've",
    "you have": "you've",
    "I would": "I'd",
    "we would": "we'd",
    "you would": "you'd",
}
_CONTRACTS: Final = re.compile(
    rf"\b({'|'.join(_SHORT)})\b(?= [a-z]+ [a-z])(?! (?:to|a|an|the|no|two|[a-z]+ [a-z]+s)\b)"
)
"""Pairs that run together before two more words; "I have a class" stays whole."""
_JOINS: Final = re.compile(
    r", (and|so|but) (?=(?:the|a|an|it|he|she|they|we|I|you|nobody|everybody|this|that|there)\b)"
)
"""Where a second sentence begins inside a clause."""
_BEGINS: Final = re.compile(r"(?<=\. )[a-z]")


def in_voice(voice: str, clause: str) -> str:
    """A clause as this persona says it."""
    said = table(voice, SAID)
    own: str | None = said.get("clauses", {}).get(clause)
    return own if own is not None else _in_manner(clause, said.get("manner", {}))


def _in_manner(clause: str, manner: Mapping[str, Any]) -> str:
    """The same words, run together or in two sentences, as the persona's manner is."""
    if manner.get("contracts"):
        clause = _CONTRACTS.sub(lambda found: _SHORT[found[1]], clause)
    joints: Mapping[str, str] = manner.get("joints", {})
    seams = list(_JOINS.finditer(clause))
    if len(seams) == 1 and seams[0][1] in joints:
        (seam,) = seams
        first, second = clause[: seam.start()], clause[seam.end() :]
        clause = f"{first}{joints[seam[1]]}{second}"
        clause = _BEGINS.sub(lambda found: found[0].upper(), clause)
    return clause


@cache
def renderings(clause: str) -> tuple[str, ...]:
    """A clause and all that the personas make of it, for who looks for it in what was said."""
    return tuple(dict.fromkeys((clause, *(in_voice(voice, clause) for voice in folders()))))
