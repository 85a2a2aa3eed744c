"""The frontier: all that could have been agreed on, what could not be bettered, and the way that the talks took."""

from __future__ import annotations

from typing import Any

from coaching.analysis.plots import Figure, figure, line
from coaching.analysis.wording import gettext, gettext_noop

_SOLUTIONS = (
    ("nash", gettext_noop("Best for both together, split in half"), "diamond"),
    ("kalai", gettext_noop("Split by what each could hope for"), "circle-open"),
)
_SIDES = (
    ("player", gettext_noop("Your packages"), "own"),
    ("opponent", gettext_noop("Their packages"), "theirs"),
)


def frontier_figure(debrief: dict[str, Any]) -> Figure:
    """Surplus of both, in money beyond each one's limit at the start."""
    review, currency = debrief["packages"], debrief["currency"]
    axis = {"tickprefix": currency, "hoverformat": ",.0f", "zeroline": True}
    return figure(
        "frontier",
        gettext("All that could have been agreed on"),
        gettext(
            "Each faint point is a price with its terms: how far beyond your limit it would have left you, and them. On "
            "the line, neither could have gained without the other losing. The corner of both axes is no deal."
        ),
        _data(review, currency),
        {
            "xaxis": {**axis, "title": {"text": gettext("Yours, beyond your limit")}},
            "yaxis": {**axis, "title": {"text": gettext("Theirs, beyond their limit")}},
            "hovermode": "closest",
            "height": 400,
        },
        [
            gettext("Package"),
            gettext("Price"),
            gettext("Terms"),
            gettext("Yours"),
            gettext("Theirs"),
            gettext("Together"),
        ],
        _rows(review, debrief["headline"]["price"]),
    )


def _data(review: dict[str, Any], currency: str) -> list[dict[str, Any]]:
    drawn = [
        line(
            gettext("Could be agreed"),
            [round(x) for x, _ in review["outcomes"]],
            [round(y) for _, y in review["outcomes"]],
            "outcome",
            mode="markers",
            hoverinfo="skip",
            marker={"size": 4, "opacity": 0.4},
        ),
        line(
            gettext("Frontier"),
            [round(x) for x, _ in review["frontier"]],
            [round(y) for _, y in review["frontier"]],
            "frontier",
            mode="lines",
            hoverinfo="skip",
        ),
    ]
    for by, name, role in _SIDES:
        path = [each for each in review["offered"] if each["by"] == by]
        drawn.append(
            line(
                gettext(name),
                [round(each["own"]) for each in path],
                [round(each["theirs"]) for each in path],
                role,
                mode="lines+markers",
                text=[
                    gettext("Turn {turn}: {package}", turn=each["turn"], package=_in_words(each, currency))
                    for each in path
                ],
                hovertemplate=f"%{{text}}<br>{gettext('you')} %{{x}}, {gettext('they')} %{{y}}<extra></extra>",
            )
        )
    for key, name, symbol in _SOLUTIONS:
        if review[key] is not None:
            drawn.append(_mark(gettext(name), review[key]["own"], review[key]["theirs"], "solution", symbol))
    drawn.append(_mark(gettext("No deal"), 0, 0, "reference", "x"))
    if review["agreed"] is not None:
        own, theirs = review["agreed"]
        drawn.append(_mark(gettext("Agreed"), own, theirs, "agreed", "star"))
    return drawn


def _mark(name: str, x: float, y: float, role: str, symbol: str) -> dict[str, Any]:
    """One point with a form of its own; an open form is larger, so that it shows around another."""
    form = {"symbol": symbol, "opacity": 1, "size": 14}
    if symbol.endswith("-open"):
        form |= {"size": 20, "line": {"width": 2}}
    return line(name, [round(x)], [round(y)], role, mode="markers", marker=form)


def _in_words(package: dict[str, Any], currency: str) -> str:
    return f"{currency}{package['price']:,.0f}, {', '.join(package['terms'])}"


def _rows(review: dict[str, Any], price: float | None) -> list[list[Any]]:
    def row(name: str, at: float, terms: list[str], own: float, theirs: float) -> list[Any]:
        return [name, round(at), ", ".join(terms), round(own), round(theirs), round(own + theirs)]

    who = {"player": gettext("You"), "opponent": gettext("They")}
    rows = [
        row(
            gettext("Turn {turn}, {who}", turn=each["turn"], who=who[each["by"]]),
            each["price"],
            each["terms"],
            each["own"],
            each["theirs"],
        )
        for each in review["offered"]
    ]
    for key, name, _ in _SOLUTIONS:
        best = review[key]
        if best is not None:
            rows.append(row(gettext(name), best["price"], best["terms"], best["own"], best["theirs"]))
    if review["agreed"] is not None and price is not None:
        rows.append(row(gettext("Agreed"), price, review["agreed_terms"], *review["agreed"]))
    return rows
