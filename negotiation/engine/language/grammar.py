"""The parts that a line is made of, read from the voices' files, and when each of them may be said.

A part is one whole thought with conditions: ``"close seller | {offer}. Finish it."`` fits a persona in the
seller's seat when the two sides are near each other. A bare word must be among the facts of the moment, one
with ``!`` must not. A part that names a figure also needs that figure to be there.

Facts: seller buyer (the persona's seat), contract job company (the setting), close far (the gap), late, hot
(tension), trust_low trust_high, they_moved they_stayed, i_moved (ever), i_moved_last.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from negotiation.engine.cards import CARDS
from negotiation.engine.language.types import Voice
from negotiation.engine.personas import folders

FACTS: Final = frozenset(
    [
        "seller",
        "buyer",
        "contract",
        "job",
        "company",
        "close",
        "far",
        "late",
        "hot",
        "trust_low",
        "trust_high",
        "they_moved",
        "they_stayed",
        "i_moved",
        "i_moved_last",
    ]
)
SLOTS: Final = frozenset(
    [
        "offer",
        "previous",
        "heard",
        "claim",
        "stated",
        "rounds",
        "sweetener",
        "terms",
        "choice",
        "fact",
        "topic",
        "question",
        "objection",
        "point",
    ]
)
RESTATED: Final = {
    "restate": {
        "news": ["The news has moved my limit. It is {claim} now."],
        "called": ["You called the last one. My limit is {claim}."],
    }
}
"""What any voice says with another limit than before, by the reason, that has no lines of its own for it."""
TALKED: Final[dict[str, dict[str, list[str]]]] = tomllib.loads(
    (Path(__file__).parent / "talk.toml").read_text(encoding="utf-8")
)
"""What any voice says of a case that has no lines of its own for it."""
_SLOT: Final = re.compile(r"\{(\w+)\}")
_SPEAKS_FOR_OTHERS: Final = re.compile(
    r"\b(?:my|our) (?:side|colleagues|people|team|board|lawyers?|budget)\b|\bcolleagues\b|\breport back\b"
    r"|\bprocurement\b|\b(?:choice|better) for us\b|\bwhole team\b|\bbuy\b|\bsell\b|\bthe budget\b"
    r"|\bpeople pay\b|\bcuts? our\b|\b(?:on|from) our side\b|\bworth something to us\b"
)
_SPEAKS_TO_OTHERS: Final = re.compile(r"\byour (?:colleagues|team|people|board|lawyers)\b")


@dataclass(frozen=True, slots=True)
class Part:
    """One thought, the facts it needs and those it can't bear, the figures it names."""

    text: str
    needs: frozenset[str]
    bars: frozenset[str]
    slots: frozenset[str]
    for_many: bool
    to_many: bool

    def fits(self, facts: frozenset[str], figures: frozenset[str]) -> bool:
        """Whether the part is true and sayable now. A job candidate speaks, and is spoken to, alone."""
        if not (self.needs <= facts and self.bars.isdisjoint(facts) and self.slots <= figures):
            return False
        if "job" in facts:
            return not (self.for_many if "seller" in facts else self.to_many)
        return True


Pools = dict[str, tuple[Part, ...]]


def _part(written: str) -> Part:
    conditions, bar, text = written.rpartition("|")
    words = conditions.split() if bar else []
    text = text.strip()
    return Part(
        text=text,
        needs=frozenset(word for word in words if not word.startswith("!")),
        bars=frozenset(word[1:] for word in words if word.startswith("!")),
        slots=frozenset(_SLOT.findall(text)),
        for_many=_SPEAKS_FOR_OTHERS.search(text) is not None,
        to_many=_SPEAKS_TO_OTHERS.search(text) is not None,
    )


def pools(voice: Voice) -> Pools:
    """All parts of one voice by "section.key", as in "react.threat" or "hold.stay"."""
    return _pools(folders()[voice])


def fitting(voice: Voice, key: str, facts: frozenset[str], figures: frozenset[str]) -> tuple[Part, ...]:
    """The parts of a pool that are true and sayable now, where ``figures`` are the slots that can be filled."""
    return _fitting(folders()[voice], key, facts, figures)


def pools_of(lines: Mapping[str, Mapping[str, list[str]]]) -> Pools:
    """The parts of the lines that a ``lines.toml`` holds."""
    return {
        f"{section}.{key}": tuple(_part(written) for written in pool)
        for section, keys in lines.items()
        for key, pool in keys.items()
    }


@lru_cache(maxsize=16)
def _pools(folder: Path) -> Pools:
    return {
        **_of_cards(),
        **pools_of(RESTATED),
        **pools_of(TALKED),
        **pools_of(tomllib.loads((folder / "lines.toml").read_text(encoding="utf-8"))),
    }


def _of_cards() -> Pools:
    """What any voice says of a card that it has no lines of its own for."""
    said = {f"card.{card.id}": card.said for card in CARDS.values()}
    heard = {f"react.{card.id}": card.heard for card in CARDS.values()}
    return {key: tuple(map(_part, lines)) for key, lines in (said | heard).items() if lines}


@lru_cache(maxsize=4096)
def _fitting(folder: Path, key: str, facts: frozenset[str], figures: frozenset[str]) -> tuple[Part, ...]:
    return tuple(part for part in _pools(folder).get(key, ()) if part.fits(facts, figures))
