"""The loop as everybody may see it: counts over time, of nobody in particular.

A point is drawn only where at least :data:`LEAST_PEOPLE` people stand behind what was added since the point before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from coaching.analysis.plots import Figure, figure, line
from negotiation.models import Game
from trainer.flywheel.models import Episode
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.promotion.selectors import LEAST_PEOPLE
from trainer.flywheel.runs.models import TrainingRun


@dataclass(frozen=True, slots=True)
class Loop:
    """The stations at a glance; counts of deals are empty where too few people stand behind them."""

    deals: int | None
    examples: int | None
    runs: int
    generations: list[Generation]
    figures: list[Figure]

    @property
    def champion(self) -> Generation | None:
        """Who plays now, the latest where there are several."""
        return next((each for each in self.generations if each.state == Generation.State.CHAMPION), None)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show yet."""
        return self.deals is None and not self.generations


def loop() -> Loop:
    """The public page's figures."""
    played = _played()
    weeks = merged(played)
    generations = list(Generation.objects.order_by("number"))
    figures = [drawn for drawn in (_growth(weeks), _ratings(generations)) if drawn is not None]
    return Loop(
        deals=weeks[-1].deals if weeks else None,
        examples=weeks[-1].examples if weeks else None,
        runs=TrainingRun.objects.filter(state=TrainingRun.State.DONE)
        .exclude(recipe=TrainingRun.Recipe.GATE)
        .count(),
        generations=generations,
        figures=figures,
    )


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """One finished deal: when, by whom (a row's number, never shown), and whether it became an example."""

    at: datetime
    person: int
    example: bool


@dataclass(frozen=True, slots=True)
class Week:
    """Up to the end of a week: all deals, and all examples."""

    ends: date
    deals: int
    examples: int


def _played() -> list[FinishedDeal]:
    taken = set(
        Episode.objects.filter(source=Episode.Source.GAME, state=Episode.State.TAKEN).values_list(
            "game_id", flat=True
        )
    )
    games = Game.objects.filter(status=Game.Status.FINISHED, finished_at__isnull=False).order_by(
        "finished_at"
    )
    return [
        FinishedDeal(at, person, pk in taken)
        for pk, at, person in games.values_list("pk", "finished_at", "player_id").iterator()
        if at is not None
    ]


def merged(played: list[FinishedDeal]) -> list[Week]:
    """Cumulative counts by week; a week of too few people is told together with those after it."""
    found: list[Week] = []
    examples = 0
    people: set[int] = set()
    for deals, each in enumerate(played, start=1):
        examples += each.example
        people.add(each.person)
        ends = _week_end(each.at.date())
        last = deals == len(played) or _week_end(played[deals].at.date()) != ends
        if last and len(people) >= LEAST_PEOPLE:
            found.append(Week(ends, deals, examples))
            people = set()
    return found


def _week_end(day: date) -> date:
    return day + timedelta(days=6 - day.weekday())


def _growth(weeks: list[Week]) -> Figure | None:
    if not weeks:
        return None
    ends = [each.ends.isoformat() for each in weeks]
    return figure(
        "loop-growth",
        "Deals, and what they taught",
        f"All deals ended by then, and those that became examples. A week in which fewer than {LEAST_PEOPLE} people "
        "played is told together with the next.",
        [
            line("deals", ends, [each.deals for each in weeks], "theirs", mode="lines+markers"),
            line("examples", ends, [each.examples for each in weeks], "own", mode="lines+markers"),
        ],
        {"yaxis": {"title": {"text": "so far"}, "rangemode": "tozero"}, "xaxis": {"type": "category"}},
        ["Week to", "Deals", "Examples"],
        [[end, each.deals, each.examples] for end, each in zip(ends, weeks, strict=True)],
    )


def _ratings(generations: list[Generation]) -> Figure | None:
    if not generations:
        return None
    spread = [2 * each.deviation for each in generations]
    ratings = [each.rating for each in generations]
    titles = [each.title for each in generations]
    return figure(
        "loop-ratings",
        "Rating of each generation",
        "Glicko-2, in one pool with the personas, from the deals of its gate; the bars are two deviations.",
        [
            line(
                "rating",
                titles,
                ratings,
                "own",
                mode="lines+markers",
                error_y={"type": "data", "array": spread},
            )
        ],
        {"yaxis": {"title": {"text": "rating"}}},
        ["Generation", "Rating", "±", "Since"],
        [
            [
                each.title,
                f"{each.rating:.0f}",
                f"{2 * each.deviation:.0f}",
                each.promoted_at.date().isoformat(),
            ]
            for each in generations
        ],
    )
