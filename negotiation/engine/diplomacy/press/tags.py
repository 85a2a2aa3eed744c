"""Truth tags against deeds: did a message mean what its sender said it meant?"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from negotiation.engine.diplomacy.press.ledger import Entry
from negotiation.engine.diplomacy.press.messages import Tag
from negotiation.engine.diplomacy.press.promises import PromiseVerdict


class TagCheck(StrEnum):
    """A tag crossed with a verdict."""

    HONEST = "honest"
    """Tagged TRUTH, and kept."""
    MISTAGGED = "mistagged"
    """Tagged TRUTH, and broken: penalised."""
    LIE = "lie"
    """Tagged LIE, and broken: a lie attempted. Whether it worked, only a rollout without it can say."""
    IDLE_LIE = "idle_lie"
    """Tagged LIE, and kept all the same."""
    UNDECIDED = "undecided"
    """Kept in part, not to be verified, or still open."""


_CHECKS = {
    (Tag.TRUTH, PromiseVerdict.KEPT): TagCheck.HONEST,
    (Tag.TRUTH, PromiseVerdict.BROKEN): TagCheck.MISTAGGED,
    (Tag.LIE, PromiseVerdict.BROKEN): TagCheck.LIE,
    (Tag.LIE, PromiseVerdict.KEPT): TagCheck.IDLE_LIE,
}


def check(entry: Entry) -> TagCheck | None:
    """What the tag of a promise was worth; None where there is no tag."""
    if entry.tag is None:
        return None
    return (
        _CHECKS.get((entry.tag, entry.verdict), TagCheck.UNDECIDED) if entry.verdict else TagCheck.UNDECIDED
    )


class TagScore(NamedTuple):
    """Tags of a set of promises, summed up; a ratio is None where there is nothing to divide by."""

    promises: int
    mistag_rate: float | None
    """Of the promises tagged TRUTH and decided, how many were broken."""
    lie_precision: float | None
    """Of the promises tagged LIE and decided, how many were broken."""
    accuracy: float | None
    """Of the tagged promises that were decided, how many tags said what came."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> TagScore:
        """Sum up the tagged ones among ``entries``."""
        checks = [found for found in map(check, entries) if found is not None]
        honest, mistagged, lies, idle = (
            checks.count(kind)
            for kind in (TagCheck.HONEST, TagCheck.MISTAGGED, TagCheck.LIE, TagCheck.IDLE_LIE)
        )
        return cls(
            len(checks),
            _ratio(mistagged, honest + mistagged),
            _ratio(lies, lies + idle),
            _ratio(honest + lies, honest + mistagged + lies + idle),
        )


def _ratio(above: int, below: int) -> float | None:
    return above / below if below else None
