"""Runs side by side."""

from __future__ import annotations

import uuid

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from trainer.flywheel.access import for_staff
from trainer.flywheel.runs import comparing
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.selectors import told_fetch
from trainer.flywheel.views.datasets import PLOTLY_STYLES


@for_staff
@require_safe
@csp_update(PLOTLY_STYLES)
def runs_compare(request: HttpRequest) -> HttpResponse:
    """Two to four runs, named by ``run`` in the address, as often as there are runs."""
    asked = [found for text in request.GET.getlist("run") if (found := _uuid(text)) is not None]
    known = {
        run.pk: run for run in TrainingRun.objects.filter(pk__in=asked).select_related("dataset", "start")
    }
    runs = [known[pk] for pk in dict.fromkeys(asked) if pk in known][: comparing.MOST]
    for run in runs:
        told_fetch(run)
    figures = comparing.curves_together(runs) if len(runs) > 1 else []
    context = {
        "section": "runs",
        "runs": runs,
        "choices": TrainingRun.objects.exclude(recipe=TrainingRun.Recipe.GATE)[:50],
        "settings": comparing.settings_apart(runs) if len(runs) > 1 else [],
        "results": comparing.results_apart(runs) if len(runs) > 1 else [],
        "figures": figures,
        "most": comparing.MOST,
    }
    return render(request, "trainer/compare.html", context)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
