"""The words of a decision, said while they are still being written.

A decision is written in one piece, its words last. So what it does is known, and judged, before its first word: from
there on the words go through the same guard as any line, and the table sees as much of them as is safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from negotiation.opponents.base import Tell
from negotiation.opponents.guard import Facts, Refused, StreamGuard
from negotiation.opponents.protocol.lines import OFFER_MARK

_WORDS: Final = re.compile(r'"text"\s*:\s*"')
_NO_WORDS: Final = '"text":"."}'
_END: Final = re.compile(r'["\\]')


@dataclass(frozen=True, slots=True)
class Sayable:
    """What may be said beside a decision, and the figure that its words may hold a place for."""

    facts: Facts
    figure: str


Judge = Callable[[str], Sayable | None]
"""Looks at a decision that is written out with no words yet; None where it can't be played."""


class Aloud:
    """Listens to one decision as it comes, and tells what may be heard of it.

    It never decides: whoever asked reads the whole answer afterwards, says it again, and takes back what it should not
    have been. An escaped character ends the showing, as no model that keeps to the schema writes one.
    """

    def __init__(self, judge: Judge, tell: Tell) -> None:
        self._judge = judge
        self._tell = tell
        self._unread = ""
        self._guard: StreamGuard | None = None
        self._figure = ""
        self._closed = False

    @property
    def shown(self) -> bool:
        """Whether some of it can be seen."""
        return self._guard is not None and bool(self._guard.shown)

    def hear(self, piece: str) -> None:
        """One more piece of what the model writes."""
        if self._closed:
            return
        self._unread += piece
        if self._guard is None:
            self._begin()
        if self._guard is not None:
            self._go_on(self._guard)

    def _begin(self) -> None:
        words = _WORDS.search(self._unread)
        if words is None:
            return
        sayable = self._judge(self._unread[: words.start()] + _NO_WORDS)
        if sayable is None or sayable.facts.probed:
            self._closed = True
            return
        self._guard, self._figure = StreamGuard(sayable.facts), sayable.figure
        self._unread = self._unread[words.end() :]

    def _go_on(self, guard: StreamGuard) -> None:
        end = _END.search(self._unread)
        self._closed = end is not None
        words = self._unread[: end.start()] if end else self._unread
        whole = words.rfind("{") if "{" in words and "}" not in words[words.rfind("{") :] else len(words)
        self._unread = words[whole:]
        try:
            if guard.hear(words[:whole].replace(OFFER_MARK, self._figure)):
                self._tell(guard.shown)
        except Refused:
            self._closed = True
            self.take_back()

    def take_back(self) -> None:
        """Nothing of this was said."""
        if self.shown:
            self._guard = None
            self._tell("")
