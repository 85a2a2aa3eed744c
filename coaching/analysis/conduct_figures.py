"""The figures of how the player played: the concession curve, and what the table gave away."""

from __future__ import annotations

from typing import Any

import numpy as np

from coaching.analysis.curves import way_given
from coaching.analysis.plots import Figure, figure, line
from coaching.analysis.wording import gettext


def concession_figure(conduct: dict[str, Any]) -> Figure | None:
    """The own offers on their way to the own limit, with the fitted curve; ``None`` under two offers."""
    found = conduct["concessions"]
    points = found["points"]
    if not points:
        return None
    times, given = [p["time"] for p in points], [round(100 * p["given"], 1) for p in points]
    even = [0, round(max(times), 3)]
    data = [
        line(gettext("Your offers"), times, given, "own", mode="markers"),
        line(gettext("An even pace"), even, [0, 100 * even[1]], "reference", mode="lines"),
    ]
    fitted: list[Any] = ["–"] * len(points)
    if found["curve"] is not None:
        beta = found["curve"]["beta"]
        drawn = np.linspace(0, max(times), 40)
        data.append(
            line(
                gettext("Fitted, β = {beta}", beta=f"{beta:.2f}"),
                drawn.round(3).tolist(),
                (100 * way_given(drawn, beta)).round(1).tolist(),
                "solution",
                mode="lines",
            )
        )
        fitted = (100 * way_given(np.array(times), beta)).round(1).tolist()
    return figure(
        "concession",
        gettext("How fast you gave"),
        gettext(
            "How much of the way from your first offer to your limit you had given, by the share of the time there was. "
            "Above the even pace one runs out of room before time."
        ),
        data,
        {
            "xaxis": {"title": {"text": gettext("Time used")}, "tickformat": ".0%", "rangemode": "tozero"},
            "yaxis": {"ticksuffix": "%", "rangemode": "tozero"},
        },
        [gettext("Turn"), gettext("Time used (%)"), gettext("Given (%)"), gettext("Fitted (%)")],
        [[p["turn"], round(100 * p["time"], 1), given[i], fitted[i]] for i, p in enumerate(points)],
    )


def learned_figure(conduct: dict[str, Any]) -> Figure:
    """What the reference observer learnt of their limit, turn by turn."""
    rows = conduct["learned"]
    turns = [row["turn"] for row in rows]
    most = max(max(row["total"], row["gained"]) for row in rows)
    least = min(min(row["total"], row["gained"]) for row in rows)
    return figure(
        "learned",
        gettext("What the table gave away"),
        gettext(
            "How much could be learnt of their limit, in bits: each bit halves the range where it can lie."
        ),
        [
            {
                "type": "bar",
                "name": gettext("Learnt on this turn"),
                "x": turns,
                "y": [round(row["gained"], 2) for row in rows],
                "meta": {"role": "own"},
            },
            line(
                gettext("In all"),
                turns,
                [round(row["total"], 2) for row in rows],
                "theirs",
                mode="lines+markers",
            ),
        ],
        {
            "xaxis": {
                "title": {"text": gettext("Turn")},
                "dtick": 1 if len(rows) <= 10 else 2,
                "showgrid": False,
            },
            "yaxis": {
                "title": {"text": gettext("Bits")},
                "range": [min(0.0, least) - 0.05, max(1.0, most) + 0.1],
            },
        },
        [gettext("Turn"), gettext("Learnt"), gettext("In all"), gettext("Likely from"), gettext("to")],
        [
            [
                row["turn"],
                round(row["gained"], 2),
                round(row["total"], 2),
                round(row["low"]),
                round(row["high"]),
            ]
            for row in rows
        ],
    )
