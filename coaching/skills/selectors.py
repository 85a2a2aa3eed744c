"""Reads of skills and practice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Team, User
from coaching.analysis.change import Change, change
from coaching.analysis.drills import EXERCISES
from coaching.analysis.evidence import phases
from coaching.analysis.progress_figures import CountedGame, figures
from coaching.analysis.puzzles import Cut, answer_of, question_of
from coaching.analysis.review import VERSION
from coaching.analysis.skills import (
    ABOUT,
    NAMES,
    RELIABLE_FROM,
    SKILLS,
    Observed,
    Skill,
    SkillRating,
    course,
    focus,
    rate,
    weeks_running,
)
from coaching.analysis.wording import gettext
from coaching.reviews.models import MoveReview
from coaching.room.progress import sparkline
from coaching.skills.models import PracticeCard, PracticeRun, SkillEvidence
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game
from negotiation.selectors import frames_after
from negotiation.table import kinds
from negotiation.table.kinds import Practice

RECENT = timedelta(days=60)
"""How far back regret is counted when practice is chosen."""
DRILLS_A_DAY, PUZZLES_A_DAY = 3, 3
SHOWN_GAMES = 40


@dataclass(frozen=True, slots=True)
class SkillLine:
    """One skill on the progress page."""

    skill: Skill
    name: str
    about: str
    rating: SkillRating
    games: int
    spark: dict[str, Any] | None
    change: Change
    """Where the scores of the last games go, where that is more than chance."""
    note: str

    @property
    def wanted(self) -> int:
        """The deals from which a figure can be shown."""
        return RELIABLE_FROM[self.skill]

    @property
    def sure(self) -> bool:
        """Whether there is a figure to show: its interval is narrow enough, and so many deals tell people apart."""
        return self.rating.sure and self.games >= self.wanted

    @property
    def practice(self) -> list[Practice]:
        """What beside deals trains this skill."""
        return [each for kind in kinds.every() for each in kind.practice_for(self.skill)]

    @property
    def bar(self) -> dict[str, float]:
        """Where the interval begins, how far it reaches and where the mean lies, in hundredths."""
        low, width = 100 * self.rating.low, 100 * self.rating.width
        return {
            "low": round(low, 1),
            "width": round(width, 1),
            "high": round(low + width, 1),
            "mean": round(100 * self.rating.mean, 1),
        }


@dataclass(frozen=True, slots=True)
class DueCard:
    """A card that waits, in words."""

    card: PracticeCard
    title: str
    what: str
    skill: str


def _evidence(user: User, team: Team | None) -> QuerySet[SkillEvidence]:
    rows = SkillEvidence.objects.filter(user=user)
    return rows if team is None else rows.filter(game__team=team)


def _observed(rows: Iterable[SkillEvidence], now: datetime) -> list[Observed]:
    return [Observed(row.score, row.weight, (now - row.at) / timedelta(days=1)) for row in rows]


def regret_of(user: User, now: datetime | None = None) -> dict[Skill, float]:
    """What faults of each skill gave away in a deal lately, on average, in shares of the zone."""
    since = (now or timezone.now()) - RECENT
    lost: defaultdict[Skill, float] = defaultdict(float)
    games = set()
    rows = _evidence(user, None).filter(at__gte=since).values_list("game_id", "skill", "regret")
    for game, skill, regret in rows:
        games.add(game)
        lost[cast(Skill, skill)] += regret
    return {skill: total / len(games) for skill, total in lost.items()}


def skill_lines(user: User, team: Team | None = None, now: datetime | None = None) -> list[SkillLine]:
    """The seven skills, as far as they are known; for a manager from the games of their team."""
    now = now or timezone.now()
    by_skill: defaultdict[str, list[SkillEvidence]] = defaultdict(list)
    for row in _evidence(user, team).order_by("at"):
        by_skill[row.skill].append(row)
    return [_line(skill, by_skill[skill], now) for skill in SKILLS]


def _line(skill: Skill, rows: list[SkillEvidence], now: datetime) -> SkillLine:
    observed = _observed(rows, now)
    rating = rate(observed)
    known = rating.sure and len(rows) >= RELIABLE_FROM[skill]
    line = course(observed) if known else []
    return SkillLine(
        skill=skill,
        name=gettext(NAMES[skill]),
        about=gettext(ABOUT[skill]),
        rating=rating,
        games=len(rows),
        spark=sparkline(line),
        change=change([row.score for row in rows]),
        note=_calls(rows) if skill == "bluff_calls" else "",
    )


def _calls(rows: list[SkillEvidence]) -> str:
    """Recall and precision of calls, in a sentence."""
    total: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        for name, count in row.facts.items():
            total[name] += count
    bluffs, calls = total["caught"] + total["missed"], total["caught"] + total["false_calls"]
    if not bluffs and not calls:
        return ""
    caught = total["caught"]
    said = (
        gettext("{caught} of {bluffs} bluffs called", caught=caught, bluffs=bluffs)
        if bluffs
        else gettext("No bluff met yet")
    )
    if not calls:
        return gettext("{said}; no call made.", said=said)
    return gettext("{said}; {caught} of {calls} calls were right.", said=said, caught=caught, calls=calls)


def due_cards(user: User, now: datetime | None = None) -> list[DueCard]:
    """What waits today: the drills that pay most first, then puzzles, the longest due first. Never a pile."""
    now = now or timezone.now()
    order: list[str] = [*focus(regret_of(user, now))]
    waiting = PracticeCard.objects.filter(user=user, due__lte=now).select_related("game__scenario_version")
    drills = sorted(
        waiting.filter(kind=PracticeCard.Kind.DRILL),
        key=lambda card: order.index(card.skill) if card.skill in order else len(order),
    )
    puzzles = waiting.exclude(kind=PracticeCard.Kind.DRILL).order_by("due", "pk")
    return [described(card) for card in [*drills[:DRILLS_A_DAY], *puzzles[:PUZZLES_A_DAY]]]


def next_due(user: User, now: datetime | None = None) -> datetime | None:
    """When the next card comes back, where none waits now."""
    later = PracticeCard.objects.filter(user=user, due__gt=now or timezone.now()).order_by("due").first()
    return later.due if later else None


def described(card: PracticeCard) -> DueCard:
    """A card in words."""
    name = gettext(NAMES[cast(Skill, card.skill)])
    if card.is_drill:
        lesson, persona = EXERCISES[cast(Skill, card.skill)], personas().get(card.persona)
        title = gettext(lesson.title)
        if persona:
            title = gettext("{exercise} against {persona}", exercise=title, persona=persona.title)
        return DueCard(card, title, gettext(lesson.task), name)
    where = _title(card.game) if card.game else ""
    return DueCard(
        card,
        PracticeCard.Kind(card.kind).label,
        gettext("{deal}, turn {turn}", deal=where, turn=card.turn),
        name,
    )


def card_of(user: User, card_id: int) -> PracticeCard | None:
    """The card, if it is this person's own."""
    return (
        PracticeCard.objects.select_related("game__scenario_version", "game__player")
        .filter(pk=card_id, user=user)
        .first()
    )


def run_shown(card: PracticeCard, now: datetime | None = None) -> PracticeRun | None:
    """What a drill's page shows: the positions at hand when it is due, else the last that were played."""
    runs = card.runs.order_by("-created_at")
    at_hand = runs.filter(finished_at=None).first()
    if card.due <= (now or timezone.now()):
        return at_hand
    return runs.exclude(finished_at=None).first() or at_hand


class PuzzleGone(LookupError):
    """The game of this puzzle can't be read any more."""


def _puzzle(card: PracticeCard) -> tuple[Any, Any, Cut]:
    scenario = catalogue.known_for_game(card.game) if card.game else None
    if card.game is None or scenario is None or card.turn is None:
        raise PuzzleGone
    return frames_after(card.game.pk, 0, "coach"), scenario, Cut(card.kind, card.turn)  # type: ignore[arg-type]


def puzzle_question(card: PracticeCard) -> dict[str, Any]:
    """What the player had at the moment that the puzzle asks about."""
    return question_of(*_puzzle(card))


def puzzle_answer(card: PracticeCard) -> dict[str, Any]:
    """The truth, the observer's view and what gave it away."""
    return answer_of(*_puzzle(card))


def weeks_in_a_row(user: User, now: datetime | None = None) -> int:
    """Weeks running with a deal played to its end, or anything practised, small games too."""
    deals = Game.objects.filter(player=user, status=Game.Status.FINISHED, finished_at__isnull=False)
    runs = PracticeRun.objects.filter(card__user=user, finished_at__isnull=False)
    ended = [moment for rows in (deals, runs) for moment in rows.values_list("finished_at", flat=True)]
    ended += [moment for kind in kinds.every() for moment in kind.practised(user)]
    days = {moment.date() for moment in ended if moment}
    return weeks_running(days, (now or timezone.now()).date())


def progress_figures(user: User, team: Team | None = None) -> list[dict[str, Any]]:
    """The figures over the last games, each with its table; none before the second game."""
    own = Q(player=user) if team is None else Q(player=user, team=team)
    games = Game.objects.filter(own, status=Game.Status.FINISHED, efficiency__isnull=False)
    last = list(games.order_by("-finished_at")[:SHOWN_GAMES])[::-1]
    reviews = dict(
        MoveReview.objects.filter(game__in=last, version=VERSION, state=MoveReview.State.DONE).values_list(
            "game_id", "data"
        )
    )
    played = [
        CountedGame(
            day=game.finished_at.date(),
            title=_title(game),
            share=float(game.efficiency or 0.0),
            assisted=game.assisted,
            regret=phases(data) if (data := reviews.get(game.pk)) else None,
        )
        for game in last
        if game.finished_at
    ]
    return figures(played) if len(played) > 1 else []


def _title(game: Game) -> str:
    scenario, persona = catalogue.known_for_game(game), personas().get(game.persona)
    return f"{scenario.title if scenario else game.scenario}, {persona.name if persona else game.persona}"
