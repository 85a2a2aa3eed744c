"""One HTML file with everything in it: styles, data, and Plotly's script as the pages have it."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainer.errors import BadInput

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parent.parent / "static" / "dist" / "plotly.min.js"
"""Built with the pages' scripts; where it is not, a report says its figures in words alone."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure: traces whose colours are roles of the page's theme, and what it shows in words."""

    title: str
    summary: str
    traces: Sequence[Mapping[str, Any]]
    x: str = "step"
    y: str = ""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Columns and rows of text; the first cell of a row names it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph under a heading; ``html`` is trusted, made by this package."""

    title: str
    html: str


@dataclass(frozen=True, slots=True)
class Report:
    """A page from top to bottom."""

    title: str
    lead: str
    parts: Sequence[Plot | ReportTable | Prose] = field(default_factory=list)


def write(page: Report, path: Path) -> None:
    """Write the page."""
    plots = [part for part in page.parts if isinstance(part, Plot)]
    numbered = {id(plot): number for number, plot in enumerate(plots)}
    body = "\n".join(_part(part, numbered.get(id(part), 0)) for part in page.parts)
    figures = json.dumps([{"data": list(p.traces), "x": p.x, "y": p.y} for p in plots], default=float)
    text = (HERE / "page.html").read_text(encoding="utf-8")
    for mark, value in {
        "{{title}}": html.escape(page.title),
        "{{lead}}": html.escape(page.lead),
        "{{body}}": body,
        "{{figures}}": figures.replace("</", "<\\/"),
        "{{plotly}}": SCRIPT.read_text(encoding="utf-8") if plots and SCRIPT.exists() else "",
    }.items():
        text = text.replace(mark, value)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem


def _part(part: Plot | ReportTable | Prose, number: int) -> str:
    heading = f"<h2>{html.escape(part.title)}</h2>"
    if isinstance(part, Prose):
        return f"<section>{heading}{part.html}</section>"
    if isinstance(part, Plot):
        summary = html.escape(part.summary)
        return (
            f"<section>{heading}<p>{summary}</p>"
            f'<div class="plot" id="plot-{number}" role="img" aria-label="{html.escape(part.title)}: {summary}"></div>'
            "</section>"
        )
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in part.columns)
    rows = "".join(
        "<tr>"
        + f'<th scope="row">{html.escape(row[0])}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in part.rows
    )
    note = f"<p>{html.escape(part.note)}</p>" if part.note else ""
    label = html.escape(part.title)
    return (
        f'<section>{heading}{note}<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )
