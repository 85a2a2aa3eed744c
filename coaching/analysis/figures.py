"""The debrief's figures as Plotly descriptions, each with the table of the numbers it draws.

Colours are names of roles ("own", "theirs", ...); the page maps them to its theme.
"""

from __future__ import annotations

from typing import Any

from coaching.analysis.conduct_figures import concession_figure, learned_figure
from coaching.analysis.debrief import END_TERMS, TERM_LABELS
from coaching.analysis.frontier_figure import frontier_figure
from coaching.analysis.plots import Figure, figure, line
from coaching.analysis.wording import gettext


def figures(debrief: dict[str, Any]) -> list[Figure]:
    """All figures that this debrief has data for, in reading order."""
    terms = _terms(debrief)
    drawn = [_offers(debrief), terms, _ending(debrief), _tension(debrief)]
    if debrief["packages"] is not None:
        drawn.insert(0, frontier_figure(debrief))
    if debrief["beliefs"]["by_turn"]:
        drawn.append(_beliefs(debrief))
    drawn.append(learned_figure(debrief["conduct"]))
    concession = concession_figure(debrief["conduct"])
    if concession is not None:
        drawn.insert(drawn.index(terms), concession)
    return drawn


def _turns(debrief: dict[str, Any]) -> dict[str, Any]:
    """The axis that all figures by turn share."""
    few = debrief["headline"]["turns"] <= 10
    return {
        "title": {"text": gettext("Turn")},
        "dtick": 1 if few else 2,
        "showgrid": False,
        "zeroline": False,
    }


def _money(debrief: dict[str, Any]) -> dict[str, Any]:
    """The axis of figures in money: short on the axis, exact under the pointer."""
    return {"tickprefix": debrief["currency"], "hoverformat": ",.2~f"}


def _offers(debrief: dict[str, Any]) -> Figure:
    rows = debrief["offers"]
    turns = [row["turn"] for row in rows]
    own = [(r["turn"], r["own_worth"]) for r in rows if r["own_worth"] is not None]
    theirs = [(r["turn"], r["their_worth"]) for r in rows if r["their_worth"] is not None]
    packages = debrief["packages"] is not None
    step = {"mode": "lines", "line": {"shape": "hv", "dash": "dot"}}
    dots = {"mode": "lines+markers"}
    data = [
        line(gettext("Your limit"), turns, [r["own_limit"] for r in rows], "own-limit", **step),
        line(
            gettext("All there was") if packages else gettext("Their limit"),
            turns,
            [r["their_limit"] for r in rows],
            "their-limit",
            **step,
        ),
        line(gettext("Your offers"), [t for t, _ in own], [o for _, o in own], "own", **dots),
        line(gettext("Their offers"), [t for t, _ in theirs], [o for _, o in theirs], "theirs", **dots),
    ]
    headline = debrief["headline"]
    if headline["price"] is not None:
        data.append(
            line(
                gettext("Agreed"),
                [headline["turns"]],
                [headline["worth"]],
                "agreed",
                mode="markers",
                marker={"symbol": "diamond", "size": 13},
            )
        )
    return figure(
        "offers",
        gettext("Packages against both limits") if packages else gettext("Offers against both limits"),
        gettext(
            "What each side's package was worth to you, turn by turn. The broken lines are your limit, and all that "
            "there was to have."
        )
        if packages
        else gettext(
            "Each side's offers by turn. The broken lines are both limits: yours, and the one they hid from you."
        ),
        data,
        {
            "xaxis": _turns(debrief),
            "yaxis": _money(debrief),
            "hovermode": "x unified",
        },
        [
            gettext("Turn"),
            gettext("Your offer"),
            gettext("Their offer"),
            gettext("Your limit"),
            gettext("All there was") if packages else gettext("Their limit"),
        ],
        [[r["turn"], r["own_worth"], r["their_worth"], r["own_limit"], r["their_limit"]] for r in rows],
    )


def _terms(debrief: dict[str, Any]) -> Figure:
    by_turn = debrief["terms"]["by_turn"]
    turns = [row["turn"] for row in by_turn]
    points = {
        name: [sum(t["points"] for t in row["terms"] if t["name"] == name) for row in by_turn]
        for name in TERM_LABELS
        if name not in END_TERMS
    }
    used = [name for name, values in points.items() if any(abs(v) > 1e-9 for v in values)]
    data = [
        {
            "type": "bar",
            "name": gettext(TERM_LABELS[n]),
            "x": turns,
            "y": points[n],
            "meta": {"role": f"term-{n}"},
        }
        for n in used
    ]
    return figure(
        "terms",
        gettext("What each turn earned"),
        gettext("Points of the score for how you played each turn, without those for the end."),
        data,
        {
            "barmode": "relative",
            "xaxis": _turns(debrief),
            "yaxis": {"title": {"text": gettext("Points")}},
        },
        [gettext("Turn"), *(gettext(TERM_LABELS[n]) for n in used), gettext("Total")],
        [
            [turn, *(round(points[n][i], 2) for n in used), round(sum(points[n][i] for n in used), 2)]
            for i, turn in enumerate(turns)
        ],
    )


def _ending(debrief: dict[str, Any]) -> Figure:
    """The parts of the whole score: the turns together, then each term that the end earned."""
    totals = {term["name"]: term["points"] for term in debrief["terms"]["totals"]}
    parts = {gettext("All turns together"): sum(v for n, v in totals.items() if n not in END_TERMS)}
    parts |= {gettext(TERM_LABELS[n]): totals[n] for n in END_TERMS if abs(totals.get(n, 0.0)) > 1e-9}
    names, points = list(parts), list(parts.values())
    labels = [f"{n}<br><b>{v:+.1f}</b>".replace("-", "−") for n, v in parts.items()]
    bars = {
        "type": "bar",
        "orientation": "h",
        "name": gettext("Points"),
        "x": points,
        "y": names,
        "hoverinfo": "skip",
        "meta": {"role": "signed"},
    }
    return figure(
        "ending",
        gettext("What the whole came to"),
        gettext("The points of the end, beside those of all the turns together."),
        [bars],
        {
            "xaxis": {"title": {"text": gettext("Points")}},
            "yaxis": {"autorange": "reversed", "tickvals": names, "ticktext": labels, "ticksuffix": " "},
            "showlegend": False,
        },
        [gettext("Part"), gettext("Points")],
        [
            *([name, round(value, 2)] for name, value in parts.items()),
            [gettext("Total"), round(sum(points), 2)],
        ],
    )


def _tension(debrief: dict[str, Any]) -> Figure:
    rows = debrief["tension"]
    turns = [row["turn"] for row in rows]
    return figure(
        "tension",
        gettext("Heat at the table"),
        gettext(
            "Tension by turn, and what conflict left of the usual room for a deal, which shrinks after three turns above 75."
        ),
        [
            line(gettext("Tension"), turns, [r["value"] for r in rows], "tension", mode="lines+markers"),
            line(
                gettext("Zone remaining (%)"),
                turns,
                [r["zone_remaining"] for r in rows],
                "zone",
                mode="lines",
            ),
        ],
        {
            "xaxis": _turns(debrief),
            "yaxis": {"range": [0, 104]},
            "hovermode": "x unified",
        },
        [gettext("Turn"), gettext("Tension"), gettext("Band"), gettext("Zone remaining (%)")],
        [[r["turn"], r["value"], r["band"], r["zone_remaining"]] for r in rows],
    )


def _beliefs(debrief: dict[str, Any]) -> Figure:
    rows = debrief["beliefs"]["by_turn"]
    stated = [r for r in rows if r["stated"]["walk_away"] is not None]
    turns = [r["turn"] for r in stated]
    return figure(
        "beliefs",
        gettext("Your estimate of their limit"),
        gettext(
            "What you said their limit was, what it was, and what an observer who only counts offers would have said."
        ),
        [
            line(
                gettext("Your estimate"),
                turns,
                [r["stated"]["walk_away"] for r in stated],
                "own",
                mode="lines+markers",
            ),
            line(gettext("Observer"), turns, [r["reference"] for r in stated], "reference", mode="lines"),
            line(
                gettext("Truth"),
                turns,
                [r["truth"]["walk_away"] for r in stated],
                "their-limit",
                mode="lines",
                line={"shape": "hv", "dash": "dot"},
            ),
        ],
        {
            "xaxis": _turns(debrief),
            "yaxis": _money(debrief),
            "hovermode": "x unified",
        },
        [
            gettext("Turn"),
            gettext("Your estimate"),
            gettext("Observer"),
            gettext("Truth"),
            gettext("Accuracy of all parts"),
        ],
        [
            [
                r["turn"],
                r["stated"]["walk_away"],
                round(r["reference"]),
                r["truth"]["walk_away"],
                round(r["accuracy"], 2),
            ]
            for r in rows
        ],
    )
