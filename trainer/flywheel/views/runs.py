"""Training runs: what is asked for, how far it is, and what came of it."""

from __future__ import annotations

import uuid
from typing import Any

from csp.decorators import csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from negotiation.views import signed_in
from trainer.flywheel import store
from trainer.flywheel.access import for_staff
from trainer.flywheel.datasets import DatasetRefused
from trainer.flywheel.forms import RunForm
from trainer.flywheel.promotion import selectors as promotion
from trainer.flywheel.promotion.services import PERMISSION
from trainer.flywheel.runs import judging, selectors, services
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.sparring import asked
from trainer.flywheel.views.datasets import PLOTLY_STYLES

MADE = ("adapter", "base")


@for_staff
@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """Every run, latest first."""
    found = TrainingRun.objects.select_related("dataset", "by")[:200]
    return render(request, "trainer/runs.html", {"section": "runs", "runs": found})


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def run_new(request: HttpRequest) -> HttpResponse:
    """Ask for a run; with ``like``, for one set up as another was."""
    form = RunForm(request.POST if request.method == "POST" else None, initial=_like(request))
    if request.method == "POST" and form.is_valid():
        try:
            run = asked(by=signed_in(request), **form.cleaned_data)
        except (services.RunRefused, DatasetRefused) as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("training-run", run_id=run.pk)
    context = {"section": "runs", "form": form}
    return render(request, "trainer/run_new.html", context, status=422 if form.errors else 200)


def _like(request: HttpRequest) -> dict[str, Any]:
    try:
        other = TrainingRun.objects.filter(pk=uuid.UUID(request.GET.get("like", ""))).first()
    except ValueError:
        other = None
    if other is None:
        return {"dataset": request.GET.get("dataset")}
    return {**{part: getattr(other, part) for part in services.SET_UP}, "with_pool": other.pool is not None}


@for_staff
@require_safe
@csp_update(PLOTLY_STYLES)  # type: ignore[arg-type]  # typed for views without arguments
def run_page(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """One run; the upper part keeps itself fresh."""
    run = _found(run_id)
    user = signed_in(request)
    context: dict[str, Any] = {**now_of(run), "section": "runs"}
    if run.is_gate:
        context |= {
            "figures": promotion.evidence_of(run),
            "criteria": promotion.criteria_of(run),
            "measures": promotion.measures_of(run),
            "passed": judging.passed(run),
            "decided": promotion.decisions().filter(gate=run),
            "settled": promotion.decisions().filter(gate=run, action="promote").exists(),
            "may_decide": user.has_perm(PERMISSION),
        }
    else:
        context |= {
            "figures": selectors.figures_of(run),
            "results": [(n.replace("_", " "), v) for n, v in run.results.items() if n not in MADE],
            "made": [(name, store.located(run.results[name])) for name in MADE if name in run.results],
            "gates": run.gates.all(),
        }
    return render(request, "trainer/run.html", context)


@for_staff
@require_safe
def run_now(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """The part of the page that changes by itself."""
    return render(request, "trainer/_run_now.html", now_of(_found(run_id)))


def now_of(run: TrainingRun) -> dict[str, Any]:
    """What the part of the page that changes by itself is drawn from."""
    selectors.told_fetch(run)
    return {
        "run": run,
        "stages": selectors.stages_now(run),
        "log": selectors.log_of(run),
        "left": selectors.time_left(run),
        "resources": selectors.resources_of(run),
    }


@for_staff
@require_POST
def run_cancel(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """Stop a run; what it has learnt so far is kept."""
    run = _found(run_id)
    if not services.run_cancel(run=run):
        messages.warning(request, "This run is over already.")
    return redirect("training-run", run_id=run.pk)


@for_staff
@require_POST
def run_resume(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """Go on from the last checkpoint."""
    run = _found(run_id)
    if not services.run_resume(run=run):
        messages.warning(request, "This run did not stop early.")
    return redirect("training-run", run_id=run.pk)


def _found(run_id: uuid.UUID) -> TrainingRun:
    found = TrainingRun.objects.select_related("dataset", "by", "start", "pool", "candidate", "champion")
    return get_object_or_404(found, pk=run_id)
