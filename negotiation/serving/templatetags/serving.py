"""Figures of the model server, as its page writes them."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template

register = template.Library()
NOTHING = "–"
Figure = float | str | None
"""A number, or what a template has in its place: the server does not tell, or it was never measured."""


@register.filter
def wait(seconds: Figure) -> str:
    """A wait: milliseconds below a second, else seconds."""
    if not isinstance(seconds, int | float):
        return NOTHING
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


@register.filter
def amount(count: Figure) -> str:
    """A whole number with thousands apart."""
    return f"{count:,.0f}" if isinstance(count, int | float) else NOTHING


@register.filter
def share(part: Figure) -> str:
    """A part of one, in percent."""
    return f"{part:.0%}" if isinstance(part, int | float) else NOTHING


@register.filter
def moment(epoch: float) -> datetime:
    """Seconds since the epoch, as a moment."""
    return datetime.fromtimestamp(epoch, tz=UTC)
