"""The table of an evaluation, as JSON and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from negotiation.engine.figures import Figure
from trainer.evaluation.metrics import MEASURES, by_persona, gains, left_out, row
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


def what_it_brought(records: Records, whole: str) -> dict[str, Any]:
    """For each other player, how much higher every figure of the ``whole`` is: what was left out of theirs, deal by deal.

    Less the one that was not trained at all, it is what training brought.
    """
    return {name: _plain(left_out(records[whole], found)) for name, found in records.items() if name != whole}


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
    more = [*_brought(table), *_trials(table.get("trials", {}))]
    return "\n".join([*lines, *more]) + "\n"


def _brought(table: Mapping[str, Any]) -> list[str]:
    """What each part brought, and the same training by training."""
    brought, by_seed = table.get("brought", {}), table.get("by_seed", {})
    if not brought:
        return []
    lines = ["", "| the whole, less | " + " | ".join(brought) + " |", "|---|" + "---|" * len(brought)]
    for ident, about in table["measures"].items():
        cells = [_text(found[ident]) for found in brought.values()]
        if any(cells):
            lines.append(f"| {about['title']} | " + " | ".join(cells) + " |")
    shown = ("efficiency", "deal_rate", "tom_skill", "event_error")
    lines += ["", "| seed | trained | " + " | ".join(table["measures"][i]["title"] for i in shown) + " |"]
    lines.append("|---|---|" + "---|" * len(shown))
    for seed, players in by_seed.items():
        for name, found in players.items():
            lines.append(f"| {seed} | {name} | " + " | ".join(_text(found[ident]) for ident in shown) + " |")
    return lines


def _trials(trials: Mapping[str, Any]) -> list[str]:
    """A far harder anchor of the Shark's, and the best strategy found against each model."""
    if not trials:
        return []
    figures = ("share_lost", "more_conceded", "first_offer_lower", "share_against_anchor")
    lines = ["", "| against a harder anchor | " + " | ".join(trials) + " |", "|---|" + "---|" * len(trials)]
    for name in figures:
        cells = [_text(found["anchoring"][name]) for found in trials.values()]
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |")
    exploited = {name: found["exploitability"] for name, found in trials.items() if "exploitability" in found}
    if exploited:
        lines += ["", "| played against | best response found | share it won |", "|---|---|---|"]
        lines += [f"| {n} | {e['best_response']} | {_text(e['share_won'])} |" for n, e in exploited.items()]
    return lines


def _plain(figures: Mapping[str, Figure | None]) -> dict[str, Any]:
    return {name: None if figure is None else figure.as_json() for name, figure in figures.items()}


def _text(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return ""
    low, high = figure["ci95"]
    return f"{figure['mean']:.3f} [{low:.3f}, {high:.3f}]"
