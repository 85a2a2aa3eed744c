"""The forms that all figures of a debrief share. Colours are names of roles; the page maps them to its theme."""

from __future__ import annotations

from typing import Any

Figure = dict[str, Any]


def line(name: str, x: list[Any], y: list[Any], role: str, **extra: Any) -> dict[str, Any]:
    """One trace of points or lines, in the colour of its role."""
    return {"type": "scatter", "name": name, "x": x, "y": y, "meta": {"role": role}, **extra}


def figure(
    ident: str,
    title: str,
    summary: str,
    data: list[dict[str, Any]],
    layout: dict[str, Any],
    columns: list[str],
    rows: list[list[Any]],
) -> Figure:
    """A drawing with the table of the numbers that it draws."""
    return {
        "id": ident,
        "title": title,
        "summary": summary,
        "plotly": {"data": data, "layout": layout},
        "table": {"columns": columns, "rows": rows},
    }
