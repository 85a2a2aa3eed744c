"""Judging runs, deciding about them, and where each model comes from."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from negotiation.views import signed_in
from trainer.flywheel.access import for_staff
from trainer.flywheel.forms import DecisionForm
from trainer.flywheel.promotion import selectors, services
from trainer.flywheel.promotion.loop import loop
from trainer.flywheel.promotion.models import Generation, PromotionDecision
from trainer.flywheel.runs.judging import gate_request
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import RunRefused
from trainer.flywheel.views.datasets import PLOTLY_STYLES
from trainer.flywheel.views.room import ON_A_PAGE


@for_staff
@require_POST
def run_judge(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """Put a judgement of this run in line."""
    run = get_object_or_404(TrainingRun, pk=run_id)
    try:
        gate = gate_request(run=run, by=signed_in(request))
    except RunRefused as refused:
        messages.error(request, str(refused))
        return redirect("training-run", run_id=run.pk)
    return redirect("training-run", run_id=gate.pk)


@for_staff
@require_POST
def gate_decide(request: HttpRequest, run_id: uuid.UUID, action: str) -> HttpResponse:
    """Promote the run that passed this gate, or write down why it is held."""
    gate = get_object_or_404(TrainingRun, pk=run_id, recipe=TrainingRun.Recipe.GATE)
    deed = services.run_promote if action == "promote" else services.run_hold
    return _decide(
        request, lambda reason: deed(gate=gate, by=signed_in(request), reason=reason), run_id=run_id
    )


@for_staff
@require_POST
def roll_back(request: HttpRequest, number: int) -> HttpResponse:
    """Have new deals played by the one before again."""
    champion = get_object_or_404(Generation, number=number)
    return _decide(
        request,
        lambda reason: services.champion_roll_back(champion=champion, by=signed_in(request), reason=reason),
    )


def _decide(
    request: HttpRequest, deed: Callable[[str], PromotionDecision], run_id: uuid.UUID | None = None
) -> HttpResponse:
    """Do what was decided. Without the permission it is not even tried."""
    if not signed_in(request).has_perm(services.PERMISSION):
        raise PermissionDenied
    back = redirect("generations") if run_id is None else redirect("training-run", run_id=run_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say why, for those who come after.")
        return back
    try:
        decision = deed(form.cleaned_data["reason"])
    except services.DecisionRefused as refused:
        messages.error(request, str(refused))
        return back
    messages.success(request, _told(decision))
    return back if decision.action == PromotionDecision.Action.HOLD else redirect("generations")


def _told(decision: PromotionDecision) -> str:
    if decision.action == PromotionDecision.Action.HOLD:
        return "Held. The reason is in the trail of decisions."
    who = decision.after.title if decision.after else "the strategist alone"
    return f"New deals are played by {who}; deals under way end as they began."


@for_staff
@require_safe
def generations(request: HttpRequest) -> HttpResponse:
    """Every generation, who plays now, and every decision ever taken."""
    page = Paginator(selectors.decisions(), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "generations",
        "generations": selectors.generations(),
        "page": page,
        "serving": bool(settings.MODEL_URL),
        "may_decide": signed_in(request).has_perm(services.PERMISSION),
    }
    return render(request, "trainer/generations.html", context)


@for_staff
@require_safe
def teachers(request: HttpRequest, number: int) -> HttpResponse:
    """Which deals taught this model."""
    generation = get_object_or_404(Generation.objects.select_related("run"), number=number)
    page = Paginator(selectors.teachers_of(generation), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "generations",
        "generation": generation,
        "page": page,
        "datasets": selectors.datasets_behind(generation),
    }
    return render(request, "trainer/teachers.html", context)


@never_cache
@require_safe
def certificate(request: HttpRequest, number: int) -> HttpResponse:
    """Where a model comes from, for whoever may play it."""
    generation = get_object_or_404(Generation.objects.select_related("run", "gate"), number=number)
    context = {
        "certificate": selectors.certificate_of(generation),
        "is_staff": signed_in(request).is_staff,
    }
    return render(request, "loop/certificate.html", context)


@login_not_required
@require_safe
@csp_update(PLOTLY_STYLES)
def loop_page(request: HttpRequest) -> HttpResponse:
    """The loop as everybody may see it."""
    found = loop()
    return render(request, "loop/loop.html", {"loop": found, "figures": found.figures})
