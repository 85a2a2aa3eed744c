"""The figures of the progress page: deals by week, what they came to, and where regret fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from coaching.analysis.plots import Figure, figure, line
from coaching.analysis.wording import gettext, gettext_noop

_SMOOTH = 5
"""Games that the line through the shares is drawn over."""
_PHASES = {
    "opening": (gettext_noop("Opening"), "own"),
    "middle": (gettext_noop("Middle"), "theirs"),
    "closing": (gettext_noop("Last turns"), "agreed"),
}
"""Name and role of each part of a deal."""
_DEALS = {"showgrid": False, "zeroline": False}


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A finished game: the day, its name, the share of the zone, and regret by phase where it was reviewed."""

    day: date
    title: str
    share: float
    assisted: bool
    regret: dict[str, float | None] | None


def figures(played: Sequence[CountedGame]) -> list[Figure]:
    """All figures that these games have data for, in reading order.

    Args:
        played: oldest first.
    """
    drawn = [_shares(played)]
    reviewed = [game for game in played if game.regret is not None]
    if reviewed:
        drawn.append(_regret(reviewed))
    return [*drawn, _weeks(played)]


def _shares(played: Sequence[CountedGame]) -> Figure:
    numbers = list(range(1, len(played) + 1))
    shares = [round(100 * game.share, 1) for game in played]
    mean = [
        round(sum(shares[max(0, end - _SMOOTH) : end]) / len(shares[max(0, end - _SMOOTH) : end]), 1)
        for end in numbers
    ]
    hover = [f"{game.title}, {game.day:%-d %b}" for game in played]
    return figure(
        "shares",
        gettext("What the deals came to"),
        gettext(
            "The share of what was there, deal by deal, and the mean of the last {deals}. Half is an even split.",
            deals=_SMOOTH,
        ),
        [
            line(gettext("Share of a deal (%)"), numbers, shares, "theirs", mode="markers", text=hover),
            line(gettext("Mean of {deals}", deals=_SMOOTH), numbers, mean, "own", mode="lines"),
        ],
        {
            "xaxis": {"title": {"text": gettext("Deal")}, **_DEALS, "dtick": _every(played)},
            "yaxis": {"range": [-4, 104], "ticksuffix": "%"},
        },
        [
            gettext("Deal"),
            gettext("Day"),
            gettext("What"),
            gettext("Share (%)"),
            gettext("Mean of {deals} (%)", deals=_SMOOTH),
        ],
        [
            [
                n,
                f"{game.day:%-d %b %Y}",
                gettext("{title} (with help)", title=game.title) if game.assisted else game.title,
                share,
                smooth,
            ]
            for n, game, share, smooth in zip(numbers, played, shares, mean, strict=True)
        ],
    )


def _regret(reviewed: Sequence[CountedGame]) -> Figure:
    numbers = list(range(1, len(reviewed) + 1))
    points = {phase: [_hundredths(game, phase) for game in reviewed] for phase in _PHASES}
    return figure(
        "regret",
        gettext("What a move gave away"),
        gettext(
            "From the move reviews: the mean loss of a move in each part of a deal, "
            "in hundredths of what there was to win. Lower is better."
        ),
        [
            line(gettext(name), numbers, points[phase], role, mode="lines+markers", connectgaps=True)
            for phase, (name, role) in _PHASES.items()
        ],
        {
            "xaxis": {**_DEALS, "title": {"text": gettext("Reviewed deal")}, "dtick": _every(reviewed)},
            "yaxis": {"rangemode": "tozero", "ticksuffix": "%"},
        },
        [gettext("Deal"), gettext("Day"), *(f"{gettext(name)} (%)" for name, _ in _PHASES.values())],
        [
            [n, f"{game.day:%-d %b %Y}", *(points[phase][n - 1] for phase in _PHASES)]
            for n, game in zip(numbers, reviewed, strict=True)
        ],
    )


def _hundredths(game: CountedGame, phase: str) -> float | None:
    lost = (game.regret or {}).get(phase)
    return None if lost is None else round(100 * lost, 1)


def _every(games: Sequence[CountedGame]) -> int:
    """Which deals are marked on the axis: each, or every fifth."""
    return 1 if len(games) <= 12 else 5


def _weeks(played: Sequence[CountedGame]) -> Figure:
    counts = Counter(game.day - timedelta(days=game.day.weekday()) for game in played)
    first, last = min(counts), max(counts)
    weeks = [first + timedelta(weeks=n) for n in range((last - first).days // 7 + 1)]
    labels = [f"{week:%-d %b}" for week in weeks]
    deals = [counts[week] for week in weeks]
    return figure(
        "weeks",
        gettext("Deals by week"),
        gettext("Deals played to their end, by the week they ended in."),
        [{"type": "bar", "name": gettext("Deals"), "x": labels, "y": deals, "meta": {"role": "deals"}}],
        {
            "xaxis": {"type": "category", "title": {"text": gettext("Week of")}, "nticks": 8},
            "yaxis": {"dtick": max(1, max(deals) // 4), "rangemode": "tozero"},
            "showlegend": False,
        },
        [gettext("Week of"), gettext("Deals")],
        [[label, count] for label, count in zip(labels, deals, strict=True)],
    )
