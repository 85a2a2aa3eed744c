"""A message with the question marks that were left out in a hurry: "why do you want it quarterly"."""

from __future__ import annotations

from negotiation.engine.deal.listening.cues import acts
from negotiation.engine.deal.listening.sentences import sentences_of


def with_marks(text: str) -> str:
    """The message as it is where it holds a mark, else with one behind each sentence that asks."""
    if "?" in text:
        return text
    sentences = sentences_of(text)
    asks = [acts().hears("question", each.plain) for each in sentences]
    if not any(asks):
        return text
    return " ".join(
        f"{each.quote}?" if ask else each.quote for each, ask in zip(sentences, asks, strict=True)
    )
