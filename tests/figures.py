"""A figure as people and programs write it, and where it stands in a text as a number of its own."""

from __future__ import annotations

import re


def ways_to_write(value: float) -> set[str]:
    """A figure as a person, JSON or Python would write it: 158500, 158,500, 158.5k, 0.1585M, 158500.0."""
    ways = {f"{value:g}", f"{value:.1f}", f"{value:.2f}", f"{value:,.0f}", f"{value:,.2f}", repr(value)}
    if value == int(value):
        ways |= {str(int(value)), f"{int(value):_}", f"{int(value):,}".replace(",", " ")}
    if abs(value) >= 1000:
        ways |= {f"{value / 1000:g}k", f"{value / 1000:g}K", f"{value / 1000:g} k", f"{value / 1e6:g}M"}
    return {way for way in ways if len(way.strip("0.")) > 1}


def occurrences(text: str, ways: set[str]) -> set[str]:
    """The ways that stand in ``text`` as a number of their own, not inside a longer one."""
    return {way for way in ways if re.search(rf"(?<![\d.,]){re.escape(way)}(?![\d]|[.,]\d)", text)}
