"""Writes of skills and practice: learning from a review, dealing drills, taking answers."""

from __future__ import annotations

import functools
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from fsrs import Rating

from accounts.models import User
from coaching.analysis.drills import POSITIONS, deal
from coaching.analysis.evidence import evidence_of
from coaching.analysis.puzzles import Solved, cut, judge_bluff, judge_limit
from coaching.analysis.review import VERSION
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.skills import effective, focus
from coaching.reviews.models import MoveReview
from coaching.skills import schedule
from coaching.skills.models import PracticeCard, PracticeRun, SkillEvidence
from coaching.skills.selectors import puzzle_answer, regret_of
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game
from negotiation.selectors import frames_after
from owed import queues
from owed import services as owed

HELPED = 0.5
"""Weight of a game with help, or of one played again: its player learnt from it, but showed less."""
DRILLED = 3
"""So many skills are drilled at a time."""
LOOK_BACK, AT_ONCE = timedelta(days=60), 10
"""How old a deal may be whose review is still learnt from, and how many at a time."""


class NotNow(ValueError):
    """This card is not to be answered now, or not like that; the message says why."""


def learn_from_review(game: Game, review: dict[str, Any]) -> None:
    """Take in what a reviewed game says: evidence on skills, puzzles cut from it, drills for what is weak.

    Doing it again with a newer review replaces what the older one said.
    """
    if game.status != Game.Status.FINISHED or not game.player.is_active:
        return
    frames, scenario = frames_after(game.pk, 0, "coach"), catalogue.known_for_game(game)
    if scenario is None:
        return
    weight = HELPED if game.assisted else 1.0
    with transaction.atomic():
        SkillEvidence.objects.filter(game=game).delete()
        SkillEvidence.objects.bulk_create(
            SkillEvidence(
                user=game.player,
                game=game,
                skill=found.skill,
                score=found.score,
                weight=weight * effective(found.observations),
                regret=found.regret,
                facts=found.facts,
                at=game.finished_at or timezone.now(),
            )
            for found in evidence_of(frames, scenario, review, game.branch_turn or 1)
        )
        # A retry holds the same opponent as its parent, whose puzzles there are already.
        for puzzle in cut(frames, scenario) if game.branch_turn is None else ():
            skill = "bluff_calls" if puzzle.kind == "bluff" else "probing"
            _card(
                {"user": game.player, "game": game, "kind": puzzle.kind, "turn": puzzle.turn},
                {"skill": skill},
            )
        drills = drills_choose(user=game.player, persona=game.persona)
    for card in drills:
        drill_ask(card=card, awaited=False)


def reviews_learn() -> int:
    """Learn from the reviews that nobody learnt from: their worker died, or they are older than practice is."""
    unlearnt = MoveReview.objects.filter(
        version=VERSION,
        state=MoveReview.State.DONE,
        game__status=Game.Status.FINISHED,
        game__finished_at__gte=timezone.now() - LOOK_BACK,
        game__player__is_active=True,
        game__skill_evidence=None,
    )
    found = list(unlearnt.select_related("game__player", "game__scenario_version").order_by("-pk")[:AT_ONCE])
    for done in found:
        learn_from_review(done.game, done.data or {})
    return len(found)


def _card(named: dict[str, Any], more: dict[str, Any]) -> PracticeCard:
    """The card of that name, made and due at once where there was none."""
    now = timezone.now()
    card, new = PracticeCard.objects.get_or_create(
        **named, defaults={**more, "due": now, "schedule": schedule.fresh(0, now)}
    )
    if new:
        card.schedule = schedule.fresh(card.pk, now)
        card.save(update_fields=["schedule"])
    return card


@transaction.atomic
def drills_choose(*, user: User, persona: str) -> list[PracticeCard]:
    """Cards for the skills that cost this person more than they cost others. New ones face ``persona``.

    Returns:
        Those of them without positions dealt yet.
    """
    worth = focus(regret_of(user))[:DRILLED]
    drill = PracticeCard.Kind.DRILL
    cards = [_card({"user": user, "kind": drill, "skill": skill}, {"persona": persona}) for skill in worth]
    return [card for card in cards if not card.runs.filter(finished_at=None).exists()]


def drill_deal(*, card: PracticeCard) -> PracticeRun | None:
    """Deal the next positions of a drill, unless some lie ready. ``None`` where there is nothing to deal.

    A persona that never gets into such positions, like a diplomat into a quarrel, is stood in for by another.
    """
    ready = card.runs.filter(finished_at=None).first()
    if ready is not None or not card.is_drill:
        return ready
    rng = np.random.default_rng([card.pk, card.runs.count()])
    names = [card.persona, *(name for name in personas() if name != card.persona)]
    positions: list[dict[str, Any]] = []
    for name in names:
        if name in personas() and len(positions) < POSITIONS:
            positions += deal(card.skill, name, rng, POSITIONS - len(positions))  # type: ignore[arg-type]
    if not positions:
        return None
    run, _ = PracticeRun.objects.get_or_create(card=card, finished_at=None, defaults={"positions": positions})
    return run


def drill_ask(*, card: PracticeCard, awaited: bool = True) -> None:
    """Have the worker deal the next positions; where that is lost, whoever opens the drill asks again.

    Args:
        awaited: somebody is at the drill's page. Otherwise reviews come first: dealing takes seconds.
    """
    from coaching.skills.tasks import deal_drill  # its module imports these services

    queue = queues.AWAITED if awaited else queues.REST
    owed.send(functools.partial(deal_drill.apply_async, queue=queue), (card.pk,))


@transaction.atomic
def drill_answer(*, card: PracticeCard, step: int, choice: int, now: datetime | None = None) -> PracticeRun:
    """Take the answer to one position; after the last, the card is put away until it is due again.

    Args:
        step: which position is answered, from 0; one that was answered already stays as it is.

    Raises:
        NotNow: when nothing is dealt, or there is no such position or choice.
    """
    card = PracticeCard.objects.select_for_update().get(pk=card.pk)
    run = card.runs.order_by("-created_at").first()
    if run is None or not 0 <= step < len(run.positions):
        raise NotNow("There is no such position in this drill.")
    if step < len(run.answers):
        return run
    if step != len(run.answers) or not 0 <= choice < len(run.positions[step]["choices"]):
        raise NotNow("Choose one of the moves.")
    run.answers = [*run.answers, {"choice": choice}]
    if len(run.answers) == len(run.positions):
        taken = [
            position["choices"][answer["choice"]]
            for position, answer in zip(run.positions, run.answers, strict=True)
        ]
        # One choice of each position is right and the others surely are not: there is nothing between.
        run.score = sum(each["label"] not in FAULTS for each in taken) / len(taken)
        _finish(run, card, schedule.drill_rating(run.score), now or timezone.now())
        drill_ask(card=card, awaited=False)
    else:
        run.save()
    return run


def bluff_answer(*, card: PracticeCard, bluff: bool, now: datetime | None = None) -> PracticeRun:
    """Take the answer to "true, or a bluff?"."""
    answer = puzzle_answer(card)
    return _puzzle_finish(card, {"bluff": bluff}, judge_bluff(bluff, answer), now)


def limit_answer(*, card: PracticeCard, low: float, high: float, now: datetime | None = None) -> PracticeRun:
    """Take a band for "where is their limit?".

    Raises:
        NotNow: when the band is none.
    """
    if not low <= high:
        raise NotNow("The lower end of the band has to lie below the upper one.")
    answer = puzzle_answer(card)
    return _puzzle_finish(card, {"low": low, "high": high}, judge_limit(low, high, answer), now)


@transaction.atomic
def _puzzle_finish(
    card: PracticeCard, given: dict[str, Any], solved: Solved, now: datetime | None
) -> PracticeRun:
    card = PracticeCard.objects.select_for_update().get(pk=card.pk)
    now = now or timezone.now()
    if card.due > now:
        raise NotNow("This puzzle was answered; it comes back another day.")
    run = PracticeRun(card=card, answers=[{**given, "right": solved.right}], score=solved.score)
    _finish(run, card, schedule.puzzle_rating(solved), now)
    return run


def _finish(run: PracticeRun, card: PracticeCard, rating: Rating, now: datetime) -> None:
    run.finished_at = now
    run.save()
    card.schedule, card.due = schedule.after(card.schedule, rating, now)
    card.save(update_fields=["schedule", "due"])


@transaction.atomic
def practice_forget(*, user: User) -> None:
    """All that was learnt about a person, and their practice, goes."""
    SkillEvidence.objects.filter(user=user).delete()
    PracticeCard.objects.filter(user=user).delete()
