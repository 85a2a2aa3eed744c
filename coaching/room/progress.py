"""How a team, and everybody who wants to be seen, comes along."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Membership, Team, User
from coaching.analysis.change import Change, change
from coaching.room.models import PersonRating
from coaching.room.models.ratings import OVERALL
from coaching.room.ratings import counting
from negotiation.engine.figures import bootstrap
from negotiation.models import Game

SURE_ENOUGH = 110.0
"""A deviation under which a rating is no longer called provisional."""


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """One person's figures. ``shares`` are those of the counted games, oldest first."""

    user: User
    shares: list[float]
    deals: int
    mean: float | None
    low: float | None
    high: float | None
    rating: PersonRating | None

    @property
    def games(self) -> int:
        """Games that count: played to the end and alone."""
        return len(self.shares)

    @property
    def provisional(self) -> bool:
        """Whether the rating says little yet."""
        return self.rating is None or self.rating.deviation > SURE_ENOUGH

    @property
    def margin(self) -> int:
        """Half the width of the 95% interval of the rating."""
        return round(2 * self.rating.deviation) if self.rating else 0

    @property
    def change(self) -> Change:
        """Where the shares of the last games go, where that is more than chance."""
        return change(self.shares)

    @property
    def spark(self) -> dict[str, Any] | None:
        """The last games as a small line."""
        return sparkline(self.shares[-20:])


def sparkline(shares: list[float], width: int = 96, height: int = 24) -> dict[str, Any] | None:
    """Points of a line over shares from 0 to 1, and its last point; None under two shares."""
    if len(shares) < 2:
        return None
    step = (width - 6) / (len(shares) - 1)
    points = [
        (round(3 + i * step, 1), round(height - 3 - min(1.0, max(0.0, share)) * (height - 6), 1))
        for i, share in enumerate(shares)
    ]
    return {
        "width": width,
        "height": height,
        "points": " ".join(f"{x},{y}" for x, y in points),
        "x": points[-1][0],
        "y": points[-1][1],
        "half": height / 2,
    }


def progress_of(people: Iterable[User], games: QuerySet[Game], pool: str = OVERALL) -> list[PersonProgress]:
    """The figures of these people over these games, the best rated first."""
    wanted = {person.pk: person for person in people}
    counted = games.filter(counting(), player__in=wanted).order_by("finished_at")
    if pool:
        counted = counted.filter(scenario=pool)
    shares: defaultdict[int, list[float]] = defaultdict(list)
    deals: defaultdict[int, int] = defaultdict(int)
    for player, share, price in counted.values_list("player_id", "efficiency", "price"):
        shares[player].append(float(share or 0.0))
        deals[player] += price is not None
    ratings = {row.user_id: row for row in PersonRating.objects.filter(user__in=wanted, pool=pool)}
    rows = [_row(person, shares[pk], deals[pk], ratings.get(pk)) for pk, person in wanted.items()]
    return sorted(rows, key=_strength, reverse=True)


def _row(person: User, shares: list[float], deals: int, rating: PersonRating | None) -> PersonProgress:
    mean = low = high = None
    if shares:
        share = bootstrap(shares, len(shares))
        mean, low, high = share.mean, share.low, share.high
    alone = len(shares) < 2
    return PersonProgress(
        person, shares, deals, mean, None if alone else low, None if alone else high, rating
    )


def _strength(row: PersonProgress) -> tuple[float, float]:
    """Sorted by what is sure: the lower end of the rating's interval."""
    if row.rating is None:
        return (float("-inf"), row.mean or 0.0)
    return (row.rating.rating - 2 * row.rating.deviation, row.mean or 0.0)


def team_progress(team: Team, pool: str = OVERALL) -> list[PersonProgress]:
    """Every rep of the team, whatever they show to others: this is for those who lead them."""
    reps = User.objects.filter(
        memberships__team=team, memberships__role=Membership.Role.REP, is_active=True
    ).order_by("display_name", "email")
    return progress_of(reps, Game.objects.filter(team=team), pool)


def leaderboard(viewer: User, team: Team | None, pool: str = OVERALL) -> list[PersonProgress]:
    """Those who allow it: in a team its members who show themselves there, else everybody who is public.

    The viewer always sees the own line. Only the rated are listed.
    """
    own = Q(pk=viewer.pk)
    if team is None:
        people = User.objects.filter(own | Q(visibility=User.Visibility.PUBLIC))
    else:
        shown = Q(visibility__in=[User.Visibility.TEAM, User.Visibility.PUBLIC])
        people = User.objects.filter(own | shown, memberships__team=team)
    people = people.filter(is_active=True, is_guest=False).distinct()
    return [row for row in progress_of(people, Game.objects.all(), pool) if row.rating is not None]
