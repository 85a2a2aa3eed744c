"""The figures of the progress page: deals by week, what they came to, and where regret fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from coaching.analysis.plots import Figure, figure, line

_SMOOTH = 5
"""Games that the line through the shares is drawn over."""
_PHASES = {"opening": "Opening", "middle": "Middle", "closing": "Last turns"}


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the day, its name, the share of the zone, and regret by phase where it was reviewed."""

    day: date
    title: str
    share: float
    assisted: bool
    regret: dict[str, float] | None


def figures(played: Sequence[Played]) -> list[Figure]:
    """All figures that these games have data for, in reading order.

    Args:
        played: oldest first.
    """
    drawn = [_shares(played)]
    reviewed = [game for game in played if game.regret is not None]
    if reviewed:
        drawn.append(_regret(reviewed))
    return [*drawn, _weeks(played)]


def _shares(played: Sequence[Played]) -> Figure:
    numbers = list(range(1, len(played) + 1))
    shares = [round(100 * game.share, 1) for game in played]
    mean = [
        round(sum(shares[max(0, end - _SMOOTH) : end]) / len(shares[max(0, end - _SMOOTH) : end]), 1)
        for end in numbers
    ]
    hover = [f"{game.title}, {game.day:%-d %b}" for game in played]
    return figure(
        "shares",
        "What your deals came to",
        f"The share of what was there, deal by deal, and the mean of the last {_SMOOTH}. Half is an even split.",
        [
            line("Share of a deal (%)", numbers, shares, "theirs", mode="markers", text=hover),
            line(f"Mean of {_SMOOTH}", numbers, mean, "own", mode="lines"),
        ],
        {
            "xaxis": {"title": {"text": "Deal"}, "dtick": 1 if len(played) <= 12 else 5, "showgrid": False},
            "yaxis": {"range": [-4, 104], "ticksuffix": "%"},
        },
        ["Deal", "Day", "What", "Share (%)", f"Mean of {_SMOOTH} (%)"],
        [
            [
                n,
                f"{game.day:%-d %b %Y}",
                game.title + (" (with help)" if game.assisted else ""),
                share,
                smooth,
            ]
            for n, game, share, smooth in zip(numbers, played, shares, mean, strict=True)
        ],
    )


def _regret(reviewed: Sequence[Played]) -> Figure:
    numbers = list(range(1, len(reviewed) + 1))
    points = {
        phase: [round(100 * (game.regret or {}).get(phase, 0.0), 1) for game in reviewed] for phase in _PHASES
    }
    return figure(
        "regret",
        "What was given away, and when",
        "From the move reviews: what faults cost in the opening, in the middle and in the last turns, "
        "in hundredths of what there was to win.",
        [
            {
                "type": "bar",
                "name": name,
                "x": numbers,
                "y": points[phase],
                "meta": {"role": f"phase-{phase}"},
            }
            for phase, name in _PHASES.items()
        ],
        {
            "barmode": "stack",
            "xaxis": {"title": {"text": "Reviewed deal"}, "dtick": 1 if len(reviewed) <= 12 else 5},
            "yaxis": {"rangemode": "tozero", "ticksuffix": "%"},
        },
        ["Deal", "Day", *(f"{name} (%)" for name in _PHASES.values())],
        [
            [n, f"{game.day:%-d %b %Y}", *(points[phase][n - 1] for phase in _PHASES)]
            for n, game in zip(numbers, reviewed, strict=True)
        ],
    )


def _weeks(played: Sequence[Played]) -> Figure:
    counts = Counter(game.day - timedelta(days=game.day.weekday()) for game in played)
    first, last = min(counts), max(counts)
    weeks = [first + timedelta(weeks=n) for n in range((last - first).days // 7 + 1)]
    labels = [f"{week:%-d %b}" for week in weeks]
    deals = [counts[week] for week in weeks]
    return figure(
        "weeks",
        "Deals by week",
        "Deals played to their end, by the week they ended in.",
        [{"type": "bar", "name": "Deals", "x": labels, "y": deals, "meta": {"role": "deals"}}],
        {
            "xaxis": {"type": "category", "title": {"text": "Week of"}, "nticks": 8},
            "yaxis": {"dtick": max(1, max(deals) // 4), "rangemode": "tozero"},
            "showlegend": False,
        },
        ["Week of", "Deals"],
        [[label, count] for label, count in zip(labels, deals, strict=True)],
    )
