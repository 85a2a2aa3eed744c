"""Writes and reads of rubrics and their answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Team, User
from coaching.room.models import Check, CheckResult, Rubric
from coaching.room.rules import RULES, Log, RuleVerdict
from negotiation import catalogue
from negotiation.models import Game
from negotiation.selectors import frames_after

MAX_CHECKS = 12
UNREADABLE = RuleVerdict("na", "This release can't read the deal any more.")


def rubrics_of(team: Team) -> QuerySet[Rubric]:
    """The rubrics in use, with their checks."""
    return Rubric.objects.filter(team=team, retired_at=None).prefetch_related("checks")


@transaction.atomic
def rubric_create(
    *, team: Team, by: User, name: str, auto: Iterable[str], manual: Iterable[str], every_deal: bool
) -> Rubric:
    """A new rubric: the chosen automatic checks in their usual order, then the manual ones as written."""
    chosen = set(auto)
    rubric = Rubric.objects.create(team=team, name=name, created_by=by, every_deal=every_deal)
    checks = [(code, rule.text) for code, rule in RULES.items() if code in chosen]
    checks += [("", text) for text in manual]
    Check.objects.bulk_create(
        Check(rubric=rubric, position=position, auto=code, text=text)
        for position, (code, text) in enumerate(checks)
    )
    return rubric


def rubric_retire(*, rubric: Rubric) -> None:
    """Take it out of use. Assignments and deals that have it keep it."""
    Rubric.objects.filter(pk=rubric.pk, retired_at=None).update(retired_at=timezone.now())


def answer_checks(*, game: Game, rubrics: Iterable[Rubric]) -> None:
    """Write the answers that the log gives, and a place for those that a manager will give.

    What is already answered stays as it is, so that doing it twice is harmless.
    """
    checks = list(Check.objects.filter(rubric__in=list(rubrics)))
    if not checks:
        return
    scenario = catalogue.known_for_game(game)
    log = Log(frames_after(game.id, 0, "coach"), scenario) if scenario else None
    results = []
    for check in checks:
        if not check.auto:
            results.append(CheckResult(game=game, question=check))
            continue
        rule = RULES.get(check.auto)
        verdict = rule.answer(log) if rule and log else UNREADABLE
        results.append(CheckResult(game=game, question=check, answer=verdict.answer, why=verdict.why))
    CheckResult.objects.bulk_create(results, ignore_conflicts=True)


def check_tick(*, result: CheckResult, by: User, yes: bool) -> None:
    """A manager's answer to a manual check. It can be changed; the last word and its author stand."""
    if result.question.auto:
        raise ValueError("the log answers this check")
    result.answer = CheckResult.Answer.YES if yes else CheckResult.Answer.NO
    result.by = by
    result.save(update_fields=["answer", "by", "at"])


class AnsweredRubric(TypedDict):
    """One rubric and how a deal fared by it."""

    name: str
    results: list[CheckResult]
    met: int
    counted: int
    open: int


def answers_of(game: Game) -> list[AnsweredRubric]:
    """Every rubric that was laid against this deal; the rep and the manager see the same."""
    results = (
        CheckResult.objects.filter(game=game)
        .select_related("question__rubric", "by")
        .order_by("question__rubric__name", "question__rubric_id", "question__position")
    )
    by_rubric: dict[int, list[CheckResult]] = {}
    for result in results:
        by_rubric.setdefault(result.question.rubric_id, []).append(result)
    return [_summed(rows) for rows in by_rubric.values()]


def _summed(rows: list[CheckResult]) -> AnsweredRubric:
    answers = [row.answer for row in rows]
    return {
        "name": rows[0].question.rubric.name,
        "results": rows,
        "met": answers.count(CheckResult.Answer.YES),
        "counted": len(answers) - answers.count(CheckResult.Answer.NA),
        "open": answers.count(CheckResult.Answer.OPEN),
    }


def rule_choices() -> list[tuple[str, str]]:
    """The automatic checks for a form."""
    return [(code, rule.text) for code, rule in RULES.items()]
