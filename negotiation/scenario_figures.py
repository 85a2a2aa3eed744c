"""The figures of a preview as Plotly descriptions, each with the table of the numbers it draws.

Colours are names of roles; the page maps them to its theme, as the debrief does.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from negotiation.engine.shares import percent

Figure = dict[str, Any]


def figures(result: dict[str, Any], currency: str) -> list[Figure]:
    """What a finished preview draws, in reading order."""
    return [
        _zones(result["zones"], currency),
        _cells("strategies", "How strategies fare", _STRATEGIES, "Strategy", result["strategies"]),
        _cells("opponents", "How hard each opponent is", _OPPONENTS, "Opponent", result["opponents"]),
    ]


_STRATEGIES = (
    "Mean share of the zone that each reference strategy gets, over all opponents and both seats, with its 95% "
    "interval. An impasse counts as nothing."
)
_OPPONENTS = (
    "Mean share of the zone that is left for the player across from each opponent, over all strategies, with its "
    "95% interval."
)


def _zones(zones: dict[str, Any], currency: str) -> Figure:
    edges, counts = zones["edges"], zones["counts"]
    middles = [(low + high) / 2 for low, high in pairwise(edges)]
    bars = {
        "type": "bar",
        "name": "Seeds",
        "x": middles,
        "y": counts,
        "width": [high - low for low, high in pairwise(edges)],
        "hovertemplate": "%{y} seeds<extra></extra>",
        "meta": {"role": "signed"},
    }
    spread = zones["quantiles"]
    return {
        "id": "zones",
        "title": "What there is to share",
        "summary": f"Width of the zone at the start over 1,000 seeds, price and best terms together. Half of them lie "
        f"between {currency}{spread['25%']:,.0f} and {currency}{spread['75%']:,.0f}; left of zero no deal suits both "
        f"({zones['empty']:.1%}).",
        "plotly": {
            "data": [bars],
            "layout": {
                "xaxis": {"title": {"text": "Width of the zone"}, "zeroline": True, **_money(currency)},
                "yaxis": {"title": {"text": "Seeds"}},
                "bargap": 0.05,
                "showlegend": False,
            },
        },
        "table": {
            "columns": ["From", "To", "Seeds"],
            "rows": [
                [round(low), round(high), count]
                for low, high, count in zip(edges, edges[1:], counts, strict=False)
            ],
        },
    }


def _money(currency: str) -> dict[str, str]:
    """An axis in money. Plotly puts the minus before a dollar only where it writes the dollar itself."""
    return {"tickformat": "$~s"} if currency == "$" else {"tickprefix": currency}


def _cells(ident: str, title: str, summary: str, what: str, cells: list[dict[str, Any]]) -> Figure:
    names = [cell["name"][:1].upper() + cell["name"][1:].replace("_", " ") for cell in cells]
    shares = [cell["efficiency"] for cell in cells]
    points = {
        "type": "scatter",
        "mode": "markers",
        "name": "Mean share",
        "x": shares,
        "y": names,
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [cell["high"] - cell["efficiency"] for cell in cells],
            "arrayminus": [cell["efficiency"] - cell["low"] for cell in cells],
            "thickness": 1.5,
        },
        "hovertemplate": "%{x:.0%}<extra>%{y}</extra>",
        "meta": {"role": "own"},
    }
    return {
        "id": ident,
        "title": title,
        "summary": summary,
        "plotly": {
            "data": [points],
            "layout": {
                "xaxis": {"title": {"text": "Share of the zone"}, "tickformat": ".0%", "rangemode": "tozero"},
                "yaxis": {"autorange": "reversed", "ticksuffix": "  ", "showgrid": False},
                "showlegend": False,
            },
        },
        "table": {
            "columns": [what, "Games", "Deals", "Mean share", "95% from", "to"],
            "rows": [
                [
                    name,
                    cell["games"],
                    percent(cell["deal_rate"]),
                    *(percent(cell[key]) for key in ("efficiency", "low", "high")),
                ]
                for name, cell in zip(names, cells, strict=True)
            ],
        },
    }
