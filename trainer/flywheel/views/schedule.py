"""Retraining by the calendar: what is planned, and what became of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from negotiation.views import signed_in
from trainer.flywheel.access import for_staff
from trainer.flywheel.forms import RetrainingForm
from trainer.flywheel.schedule import services
from trainer.flywheel.schedule.models import Retraining


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: HttpRequest) -> HttpResponse:
    """Every row, and a form for one more."""
    form = RetrainingForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        services.retraining_add(row=form.save(commit=False), by=signed_in(request))
        return redirect("schedule")
    rows = [
        {"row": row, "new": services.new_deals(row)} for row in Retraining.objects.select_related("last_run")
    ]
    context = {"section": "schedule", "form": form, "rows": rows}
    return render(request, "trainer/schedule.html", context, status=422 if form.errors else 200)


@for_staff
@require_POST
def schedule_change(request: HttpRequest, row_id: int) -> HttpResponse:
    """Switch a row on or off, or take it away."""
    row = get_object_or_404(Retraining, pk=row_id)
    if request.POST.get("do") == "remove":
        row.delete()
    else:
        services.retraining_switch(row=row, enabled=request.POST.get("do") == "on")
    return redirect("schedule")
