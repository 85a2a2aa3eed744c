"""The table of an evaluation, as JSON and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trainer.evaluation.intervals import Figure
from trainer.evaluation.metrics import MEASURES, by_persona, gains, row
from trainer.evaluation.records import GameRecord

Records = Mapping[str, Sequence[GameRecord]]


def as_json(records: Records, baseline: str) -> dict[str, Any]:
    """Every figure of every player, and what each gained over the baseline, deal by deal."""
    gained = gains(records, baseline)
    return {
        "episodes": {name: len(found) for name, found in records.items()},
        "baseline": baseline,
        "measures": {measure.id: {"title": measure.title, "better": measure.better} for measure in MEASURES},
        "players": {name: _plain(row(found)) for name, found in records.items()},
        "by_persona": {name: _plain(by_persona(found)) for name, found in records.items()},
        "gain_over_baseline": _plain(gained),
    }


def as_markdown(table: Mapping[str, Any]) -> str:
    """The same as a table to read; intervals are 95% bootstrap over episodes."""
    players = list(table["players"])
    lines = ["| measure | " + " | ".join(players) + " |", "|---|" + "---|" * len(players)]
    for ident, about in table["measures"].items():
        cells = [_text(table["players"][name].get(ident)) for name in players]
        if any(cells):
            lines.append(f"| {about['title']} | " + " | ".join(cells) + " |")
    personas = sorted({persona for found in table["by_persona"].values() for persona in found})
    for persona in personas:
        cells = [_text(table["by_persona"][name].get(persona)) for name in players]
        lines.append(f"| Share against the {persona} | " + " | ".join(cells) + " |")
    gained = [_text(table["gain_over_baseline"].get(name)) for name in players]
    lines.append(f"| Share gained over {table['baseline']}, deal by deal | " + " | ".join(gained) + " |")
    return "\n".join(lines) + "\n"


def _plain(figures: Mapping[str, Figure | None]) -> dict[str, Any]:
    return {name: None if figure is None else figure.as_json() for name, figure in figures.items()}


def _text(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return ""
    low, high = figure["ci95"]
    return f"{figure['mean']:.3f} [{low:.3f}, {high:.3f}]"
