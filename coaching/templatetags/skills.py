"""How practice speaks of a move."""

from __future__ import annotations

from django import template

register = template.Library()

_WORDS = {
    "best": "The best move",
    "good": "A good move",
    "inaccuracy": "Not quite",
    "mistake": "A mistake",
    "blunder": "That gives much away",
}
_GUESSES = {"best": "The likeliest", "good": "Likely enough", "mistake": "Not likely"}


@register.filter
def verdict(label: str | None, guess: bool = False) -> str:
    """The review's label as a person would say it; with ``guess`` about where a limit lies."""
    words = _GUESSES if guess else _WORDS
    return words.get(label or "", "As good as any, as far as can be told")
