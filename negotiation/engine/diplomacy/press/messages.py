"""Messages, and what of them a power still has before its eyes: two years word for word, older ones summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.state import State

LONGEST = 300
"""Characters in a message."""
VERBATIM_YEARS = 2


class Tag(StrEnum):
    """What the sender means by a message. Nobody at the table sees it while the game is live."""

    TRUTH = "TRUTH"
    LIE = "LIE"


@dataclass(frozen=True, slots=True)
class Message:
    """One message, said before the orders of a phase."""

    sender: int
    target: int
    """A power, or EVERYONE."""
    year: int
    phase: str
    text: str
    tag: Tag | None = None

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST:
            raise ValueError(f"a message has at most {LONGEST} characters, not {len(self.text)}")

    def seen_by(self, power: int) -> bool:
        """Whether ``power`` sent it or received it."""
        return power in (self.sender, self.target) or self.target == EVERYONE


def said(state: State, sender: int, target: int, text: str, tag: Tag | None = None) -> Message:
    """A message of ``sender`` in the phase that ``state`` is in."""
    return Message(sender, target, state.year, state.phase, text, tag)


def history(messages: Sequence[Message], viewer: int, year: int) -> list[dict[str, Any]]:
    """What ``viewer`` still has before it in ``year``, oldest first, tags left out.

    The last two years stand word for word as ``{"phase", "sender", "target", "content"}``; every older year is one
    ``{"year", "summary"}`` that counts what was said by whom.
    """
    seen = [message for message in messages if message.seen_by(viewer)]
    recent = [message for message in seen if message.year > year - VERBATIM_YEARS]
    older = sorted({message.year for message in seen} - {message.year for message in recent})
    return [
        *({"year": past, "summary": _summary([m for m in seen if m.year == past], viewer)} for past in older),
        *(
            {"phase": m.phase, "sender": POWERS[m.sender], "target": name(m.target), "content": m.text}
            for m in recent
        ),
    ]


def name(target: int) -> str:
    """The target of a message, as it is written: a power, or GLOBAL."""
    return "GLOBAL" if target == EVERYONE else POWERS[target]


def _summary(messages: Sequence[Message], viewer: int) -> str:
    """Who wrote how often, and the last thing each of them said."""
    parts = []
    for power in sorted({message.sender for message in messages}):
        sent = [message for message in messages if message.sender == power]
        who = "I" if power == viewer else POWERS[power]
        parts.append(
            f'{who} wrote {len(sent)}, at last to {name(sent[-1].target)}: "{_short(sent[-1].text)}"'
        )
    return "; ".join(parts)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
