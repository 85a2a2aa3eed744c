"""A message with the marks that were left out in a hurry: "915, eight weeks, can you sign that"."""

from __future__ import annotations

from typing import Final

from negotiation.engine.deal.listening.cues import acts
from negotiation.engine.deal.listening.sentences import sentences_of

_ENDS: Final = (".", "!", "?", "\u2026")
_OPEN: Final = " ,;:-"


def with_marks(text: str) -> str:
    """The message with a question mark behind each sentence that asks and has none, and a full stop before one that asks
    behind a comma: what stands before it is not what it asks about."""
    sentences = sentences_of(text)
    asks = [acts().hears("question", each.plain) for each in sentences]
    if not any(asks) or (len(sentences) == 1 and "?" in text):
        return text
    return " ".join(
        _marked(each.quote, "?" if ask else ".") for each, ask in zip(sentences, asks, strict=True)
    )


def _marked(quote: str, mark: str) -> str:
    return quote if quote.endswith(_ENDS) else f"{quote.rstrip(_OPEN)}{mark}"
