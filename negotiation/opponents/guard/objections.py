"""What the guard has against a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Check = Literal[
    "format",
    "language",
    "length",
    "figures",
    "promises",
    "leak",
    "case",
    "hint",
    "abuse",
    "role",
    "repetition",
    "decision",
]


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing wrong with a line. ``why`` is a sentence without a subject: "names 131,000, which ..."."""

    check: Check
    why: str
