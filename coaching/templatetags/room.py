"""How the room writes shares, names and small drawings."""

from __future__ import annotations

from django import template

from coaching.room import setting

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """0.575 as 57%: cut, not rounded, so that a share under a mark never reads like the mark."""
    return "–" if share is None else minus(f"{int(share * 100 + (1e-9 if share >= 0 else -1e-9))}%")


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
