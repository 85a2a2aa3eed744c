"""An evaluation as a page: the table, and the shares with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainer.reports.page import Plot, ReportTable


def parts(table: Mapping[str, Any]) -> list[Plot | ReportTable]:
    """The plot and the table of an evaluation."""
    players = list(table["players"])
    rows = []
    for ident, about in table["measures"].items():
        cells = [_text(table["players"][name].get(ident)) for name in players]
        if any(cells):
            rows.append([about["title"], *cells])
    personas = sorted({persona for found in table["by_persona"].values() for persona in found})
    rows += [
        [f"Share against the {persona}", *(_text(table["by_persona"][p].get(persona)) for p in players)]
        for persona in personas
    ]
    gained = [_text(table["gain_over_baseline"].get(name)) for name in players]
    rows.append([f"Share gained over {table['baseline']}, deal by deal", *gained])
    episodes = next(iter(table["episodes"].values()))
    shares = [
        _bars("share of the zone", table, "efficiency", "brass"),
        _bars("deals", table, "deal_rate", "them"),
    ]
    return [
        Plot(
            "Deals and shares, side by side",
            "Means with 95% bootstrap intervals; a model may buy share with deals, or deals with share.",
            shares,
            x="",
            y="share",
        ),
        ReportTable(
            "Every figure",
            ["measure", *players],
            rows,
            f"{episodes} held-out deals of each player, the same deals with the same luck; 95% bootstrap intervals.",
        ),
        *_brought(table),
        *_trials(table.get("trials", {})),
    ]


def _brought(table: Mapping[str, Any]) -> list[ReportTable]:
    """What each part of a training brought, where one was left out."""
    brought = table.get("brought", {})
    if not brought:
        return []
    rows = [
        [about["title"], *(_text(found[ident]) for found in brought.values())]
        for ident, about in table["measures"].items()
    ]
    note = "How much higher the figure of the whole training is, over all seeds, deal by deal; 95% bootstrap intervals."
    return [ReportTable("What each part brought", ["the whole, less", *brought], rows, note)]


def _trials(trials: Mapping[str, Any]) -> list[ReportTable]:
    """A far harder anchor of the Shark's, and the best strategy found against each model."""
    if not trials:
        return []
    figures = ("share_lost", "more_conceded", "first_offer_lower", "share_against_anchor")
    rows = [
        [name.replace("_", " "), *(_text(found["anchoring"][name]) for found in trials.values())]
        for name in figures
    ]
    exploited = {name: found["exploitability"] for name, found in trials.items() if "exploitability" in found}
    answers = [[n, e["best_response"], _text(e["share_won"])] for n, e in exploited.items()]
    return [
        ReportTable("Against a far harder anchor", ["", *trials], rows, "The same deals, deal by deal."),
        ReportTable(
            "Played against",
            ["model", "best response found", "share it won"],
            answers,
            "Of the reference strategies: what a best response wins is at least this.",
        ),
    ]


def _bars(name: str, table: Mapping[str, Any], measure: str, role: str) -> dict[str, Any]:
    found = {player: row[measure] for player, row in table["players"].items() if row.get(measure)}
    means = [figure["mean"] for figure in found.values()]
    return {
        "type": "bar",
        "name": name,
        "x": list(found),
        "y": means,
        "role": role,
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [figure["ci95"][1] - figure["mean"] for figure in found.values()],
            "arrayminus": [figure["mean"] - figure["ci95"][0] for figure in found.values()],
        },
    }


def _text(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return ""
    low, high = figure["ci95"]
    return f"{figure['mean']:.3f} [{low:.3f}, {high:.3f}]"
