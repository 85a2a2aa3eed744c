"""Deciding who plays: promote, hold, roll back. Each decision is a row; the model server is brought in line afterwards.

What is decided is in the database before the server hears of it, so that a process killed in between leaves a
decision that the sweep carries out, once (``promotion.serving``).
"""

from __future__ import annotations

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import User
from owed import services as owed
from trainer.flywheel.promotion.keeping import NotKept, adapter_keep
from trainer.flywheel.promotion.lineage import deals_withdrawn
from trainer.flywheel.promotion.models import Generation, PromotionDecision
from trainer.flywheel.promotion.rating import rating_from
from trainer.flywheel.runs.judging import champion_of, known_as, passed, report_of
from trainer.flywheel.runs.models import TrainingRun

log = structlog.get_logger(__name__)

PERMISSION = "trainer.decide_generation"


class DecisionRefused(ValueError):
    """What was decided can't be done; the message is for the admin."""


def run_promote(*, gate: TrainingRun, by: User, reason: str) -> PromotionDecision:
    """Make the run that passed this gate the champion of its base and style.

    Raises:
        DecisionRefused: without the permission or a reason; when the gate did not pass, was of another champion, of
            other weights, of data withdrawn since, or was acted on already.
    """
    _may(by, reason)
    run = gate.candidate
    if run is None or not passed(gate):
        raise DecisionRefused("Only a run that passed its gate can be promoted.")
    if settings.MODEL_URL and gate.style != settings.MODEL_STYLE:
        raise DecisionRefused(
            f"It was trained to read in the {gate.style} style, the model server speaks {settings.MODEL_STYLE}."
        )
    lost = deals_withdrawn(run)
    if lost:
        raise DecisionRefused(
            f"It learnt from {lost} deal{'' if lost == 1 else 's'} withdrawn since. Train a successor without them."
        )
    try:
        path = adapter_keep(run, str(gate.results.get("adapter_sha256", "")))
        decision = _promoted(gate, run, path, by, reason)
    except NotKept as problem:
        raise DecisionRefused(str(problem)) from problem
    except IntegrityError:
        raise DecisionRefused("Somebody else has decided on this meanwhile.") from None
    log.info("model_promoted", generation=decision.after_id, gate=str(gate.pk))
    return decision


@transaction.atomic
def _promoted(gate: TrainingRun, run: TrainingRun, path: str, by: User, reason: str) -> PromotionDecision:
    TrainingRun.objects.select_for_update().get(pk=gate.pk)
    base = known_as(gate.base)
    champion = champion_of(base, gate.style)
    if PromotionDecision.objects.filter(gate=gate, action=PromotionDecision.Action.PROMOTE).exists():
        raise DecisionRefused("This run was promoted already.")
    if (champion and champion.pk) != gate.champion_id:
        raise DecisionRefused(
            "Another model became champion since it was judged. Judge it again, against that one."
        )
    if Generation.objects.filter(run=run).exists():
        raise DecisionRefused("This run is a generation already.")
    _retire(champion)
    found = report_of(gate)
    rating = rating_from(found["scores"], found["settings"]["measured"]["mixture"]["difficulty"])
    latest = Generation.objects.aggregate(latest=Max("number"))["latest"] or 0
    after = Generation.objects.create(
        number=latest + 1,
        run=run,
        gate=gate,
        base=base,
        style=gate.style,
        path=path,
        sha256=str(gate.results["adapter_sha256"]),
        rating=rating.rating,
        deviation=rating.deviation,
        state=Generation.State.CHAMPION,
    )
    _bring_in_line()
    return _written(PromotionDecision.Action.PROMOTE, by, reason, gate=gate, before=champion, after=after)


def run_hold(*, gate: TrainingRun, by: User, reason: str) -> PromotionDecision:
    """Write down that a judged run is not promoted, and why.

    Raises:
        DecisionRefused: without the permission or a reason, or where there is no verdict yet.
    """
    _may(by, reason)
    if not gate.is_gate or gate.state != TrainingRun.State.DONE:
        raise DecisionRefused("There is no verdict to act on yet.")
    if PromotionDecision.objects.filter(gate=gate, action=PromotionDecision.Action.PROMOTE).exists():
        raise DecisionRefused("This run was promoted already; roll back instead.")
    playing = champion_of(gate.base, gate.style)
    return _written(PromotionDecision.Action.HOLD, by, reason, gate=gate, before=playing, after=playing)


@transaction.atomic
def champion_roll_back(*, champion: Generation, by: User, reason: str) -> PromotionDecision:
    """Have new deals played by the one before again: the generation that this one took the place of, or none.

    Raises:
        DecisionRefused: without the permission or a reason, or when it is not the champion any more.
    """
    _may(by, reason)
    locked = Generation.objects.select_for_update().get(pk=champion.pk)
    if locked.state != Generation.State.CHAMPION:
        raise DecisionRefused(f"{locked.title} is not the champion any more.")
    before = PromotionDecision.objects.get(after=locked, action=PromotionDecision.Action.PROMOTE).before
    if before is not None and deals_withdrawn(before.run):
        raise DecisionRefused(
            f"{before.title} learnt from deals withdrawn since, so it can't come back. Promote another one."
        )
    _retire(locked)
    if before is not None:
        Generation.objects.filter(pk=before.pk).update(state=Generation.State.CHAMPION)
    _bring_in_line()
    log.info("model_rolled_back", generation=locked.pk, to=before and before.pk)
    return _written(PromotionDecision.Action.ROLL_BACK, by, reason, before=locked, after=before)


def _may(by: User, reason: str) -> None:
    if not by.is_staff or not by.has_perm(PERMISSION):
        raise DecisionRefused("You may look, but not decide about models. Ask an admin for the permission.")
    if not reason.strip():
        raise DecisionRefused("Say why, for those who come after.")


def _retire(generation: Generation | None) -> None:
    if generation is not None:
        Generation.objects.filter(pk=generation.pk).update(state=Generation.State.RETIRED)


def _written(
    action: PromotionDecision.Action,
    by: User,
    reason: str,
    *,
    gate: TrainingRun | None = None,
    before: Generation | None = None,
    after: Generation | None = None,
) -> PromotionDecision:
    made: PromotionDecision = PromotionDecision.objects.create(
        action=action, gate=gate, before=before, after=after, reason=reason.strip()[:300], by=by
    )
    return made


def _bring_in_line() -> None:
    # The task's module imports these services.
    from trainer.flywheel.tasks import serve_champions

    owed.send(serve_champions.delay)
