"""How small games write figures."""

from __future__ import annotations

from django import template

from negotiation.engine.language.numerals import UNITS

MOST_IN_WORDS = 10

register = template.Library()


@register.filter
def amount(value: float | None) -> str:
    """A payoff with at most two places, none where it is whole: 3, 2.63, −0.5."""
    if value is None:
        return "–"
    text = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and text != "0" else text


@register.filter
def signed(value: float) -> str:
    """The same, with its sign."""
    return f"+{amount(value)}" if value > 0 else amount(value)


@register.filter
def odds(chance: float) -> str:
    """A probability in per cent; what is possible is never written as nothing, nor what is open as certain."""
    if 0 < chance < 0.01:
        return "<1%"
    return ">99%" if 0.99 < chance < 1 else f"{chance:.0%}"


@register.filter
def times(value: int, factor: int) -> int:
    """A product, for the width of drawings."""
    return value * factor


@register.filter
def chips(count: int) -> range:
    """Something to loop over, once a chip."""
    return range(count)


@register.filter
def in_words(count: int) -> str:
    """A small count as prose writes it."""
    if count == 0:
        return "none"
    return UNITS[count] if count <= MOST_IN_WORDS else str(count)
