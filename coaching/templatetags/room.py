"""How the room writes shares, names and small drawings."""

from __future__ import annotations

from django import template

from coaching.room import setting
from negotiation.engine import shares

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """A share as every page writes it."""
    return "–" if share is None else shares.percent(share)


@register.filter
def negated(value: float) -> float:
    """The same with the other sign."""
    return -value


@register.filter
def signed(value: float, currency: str) -> str:
    """+$17,000, as people write what something adds or takes; nothing has no sign."""
    whole = round(value)
    return f"{'−' if whole < 0 else '+' if whole else ''}{currency}{abs(whole):,}"


@register.filter
def money(value: float, currency: str) -> str:
    """$17,000, with a minus sign where there is one and no plus."""
    whole = round(value)
    return f"{'−' if whole < 0 else ''}{currency}{abs(whole):,}"


@register.filter
def minus(figure: str) -> str:
    """A written figure with a minus sign where it has a hyphen."""
    return figure.replace("-", "−")


@register.filter
def scenario_title(scenario_id: str) -> str:
    """The scenario's title."""
    return setting.scenario_title(scenario_id)


@register.filter
def persona_name(persona_id: str) -> str:
    """The opponent's name."""
    return setting.persona_name(persona_id)
