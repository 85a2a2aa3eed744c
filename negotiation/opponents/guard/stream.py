"""Letting a line through as it comes, and nothing of it that might have to be taken back for what it tells."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from negotiation.opponents.guard.checker import (
    MAX_CHARACTERS,
    check,
    partial_objections,
    rule_objections,
    tidy,
)
from negotiation.opponents.guard.facts import Facts
from negotiation.opponents.guard.figures import could_begin_figure
from negotiation.opponents.guard.objections import Objection
from negotiation.opponents.guard.words import is_known

_SENTENCE_END: Final = re.compile(r"[.?!][\"')]*(?=\s)")
_WORD: Final = re.compile(r"\s*(\S+)(?=\s)")
_WAITS: Final = frozenset(
    {
        "limit",
        "limits",
        "floor",
        "ceiling",
        "walk",
        "away",
        "reservation",
        "minimum",
        "maximum",
        "bottom",
        "budget",
    }
    | {
        "reserve",
        "cap",
        "lowest",
        "highest",
        "least",
        "most",
        "half",
        "twice",
        "double",
        "triple",
        "quarter",
        "third",
    }
    | {"percent", "deal", "accept", "agreed", "sold", "done", "final", "last"}
)
"""Words after which a sentence may turn out to say too much."""


class Refused(RuntimeError):
    """The line can't be mended by going on: stop the model."""

    def __init__(self, objections: tuple[Objection, ...]) -> None:
        super().__init__("; ".join(objection.why for objection in objections))
        self.objections = objections


class StreamGuard:
    """One line on its way to the table.

    Nothing is shown before the first sentence has passed: a model that only stammers is never seen to. After it plain
    words go through as they come. From the first character that could begin a figure, from any word that is not
    plainly harmless, and where what was said so far would be refused by itself, the rest of the sentence is held back
    until it is complete and was checked. Where the other side asked after the limit, all of it is. ``shown`` is what may
    be seen now; it only ever grows.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._raw = ""
        self._checked = 0
        self.shown = ""

    def hear(self, piece: str) -> bool:
        """Take in one piece of the model's text; whether more of the line may now be seen.

        Raises:
            Refused: as soon as a finished sentence fails, or the line runs too long.
        """
        self._raw += piece
        line = tidy(self._raw) + (" " if self._raw[-1:].isspace() else "")
        if len(line) > MAX_CHARACTERS:
            raise Refused((Objection("length", "does not come to an end"),))
        ready = max((found.end() for found in _SENTENCE_END.finditer(line)), default=0)
        if ready > self._checked:
            objections = tuple(partial_objections(line[self._checked : ready].strip(), self._facts))
            if objections:
                raise Refused(objections)
            self._checked = ready
        # Where the limit was asked after, the plainest word may be an answer.
        begun = "" if self._facts.probed or not ready else _harmless(line[ready:])
        shown = (line[:ready] + begun).rstrip()
        # A quote that opens the line may yet turn out to be wrapped around it.
        if line.startswith('"') or len(shown) <= len(self.shown) or not shown.startswith(self.shown):
            return False
        # What says too much at its end has often said so before; what comes after it may still mend it.
        if begun and next(rule_objections(begun.rstrip(), self._facts), None) is not None:
            return False
        self.shown = shown
        return True

    def finish(self) -> str:
        """The whole line, checked.

        Raises:
            Refused: with everything that is wrong with it.
        """
        line = tidy(self._raw)
        objections = check(line, self._facts)
        if objections:
            raise Refused(objections)
        return line


def _harmless(rest: str) -> str:
    """The beginning of a sentence up to the first word that has to wait for its end."""
    clear = 0
    for found in _WORD.finditer(rest):
        if _has_to_wait(found[1]):
            break
        clear = found.end()
    return rest[:clear]


@lru_cache(maxsize=4096)
def _has_to_wait(written: str) -> bool:
    """Whether a word is shown only with its whole sentence."""
    word = written.strip(".,;:!?\"'()-")
    return (
        could_begin_figure(written)
        or not is_known(word)
        or word.lower() in _WAITS
        or (len(word) == 1 and word not in ("a", "I", "A"))
    )
