"""Making datasets, looking at them, taking them away."""

from __future__ import annotations

import json
from typing import Any

from csp.decorators import csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.streaming import RowByRow
from negotiation.engine.shares import percent
from negotiation.views import signed_in
from trainer.flywheel import datasets, selectors
from trainer.flywheel.access import for_staff
from trainer.flywheel.card import PARTS, card_of, share_figure
from trainer.flywheel.filters import Filters, Split, choose
from trainer.flywheel.forms import FiltersForm, FreezeForm
from trainer.flywheel.models import Dataset
from trainer.flywheel.names import name_of

PLOTLY_STYLES = {"style-src": ["'unsafe-inline'"]}
"""Plotly writes style attributes."""
HEADINGS = {
    "scenario": "Deal", "persona": "Opponent", "seat": "Seat", "source": "Where from", "opponent": "Who decided across",
}  # fmt: skip


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
@csp_update(PLOTLY_STYLES)
def dataset_new(request: HttpRequest) -> HttpResponse:
    """Choose, see what that gives, freeze it under a name."""
    given = request.POST if request.method == "POST" else request.GET
    like = given.get("like", "")
    filters = Filters()
    if like.isdecimal() and len(like) < 10:
        filters = Filters.from_json(get_object_or_404(Dataset, pk=int(like)).filters)
    form = FiltersForm(given if "style" in given else FiltersForm.of(filters))
    name = FreezeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and name.is_valid():
        try:
            made = datasets.dataset_freeze(
                name=name.cleaned_data["name"],
                note=name.cleaned_data["note"],
                filters=form.filters(),
                by=signed_in(request),
            )
        except datasets.DatasetRefused as refused:
            name.add_error("name", str(refused))
        else:
            messages.success(request, f"“{made.name}” is frozen.")
            return redirect("dataset", dataset_id=made.pk)
    card = card_of(choose(form.filters())) if form.is_valid() else None
    context = {
        "section": "room",
        "form": form,
        "name": name,
        "groups": [form[part] for part in ("scenarios", "personas", "seats", "sources")],
        "flags": [form[part] for part in ("once", "unknown", "pool")],
        "chosen": form.hidden() if form.is_valid() else [],
        **_shown(card),
    }
    return render(request, "trainer/dataset_new.html", context, status=422 if name.errors else 200)


@for_staff
@require_safe
@csp_update(PLOTLY_STYLES)  # type: ignore[arg-type]  # typed for views without arguments
def dataset(request: HttpRequest, dataset_id: int) -> HttpResponse:
    """The card of a dataset, what it was used for, and what became of its deals."""
    found = get_object_or_404(Dataset.objects.select_related("by"), pk=dataset_id)
    context = {
        "section": "room",
        "dataset": found,
        "filters": _told(Filters.from_json(found.filters)),
        "gone": selectors.entries_gone(found).count(),
        "splits": list(found.card["splits"]),
        "uses": found.uses.select_related("by"),
        "entries": found.entries.select_related("episode")[:200],
        **_shown(found.card),
    }
    return render(request, "trainer/dataset.html", context)


def _shown(card: dict[str, Any] | None) -> dict[str, Any]:
    """A card with its tables and its figure, as the templates draw it."""
    if card is None:
        return {"card": None, "tables": [], "figures": []}
    tables = [
        {
            "heading": HEADINGS[part],
            "rows": [(name_of(part, value), counted) for value, counted in card["by"][part].items()],
        }
        for part in PARTS
        if card["by"][part]
    ]
    drawn = share_figure(card)
    return {"card": card, "tables": tables, "figures": [drawn] if drawn else []}


def _told(filters: Filters) -> list[str]:
    """The filters of a dataset in words."""
    told = [f"at least {percent(filters.least)} of the zone" + (", or not known" if filters.unknown else "")]
    parts = (("scenario", filters.scenarios), ("persona", filters.personas), ("seat", filters.seats))
    for part, values in (*parts, ("source", filters.sources)):
        if values:
            told.append(", ".join(name_of(part, value) for value in values))
    if filters.pool:
        told.append("only deals that beat a trained model")
    if filters.once:
        told.append("of near-duplicates only the best")
    return [*told, f"{percent(filters.validation)} set aside to validate"]


@for_staff
@require_POST
def dataset_take(request: HttpRequest, dataset_id: int, split: Split) -> HttpResponseBase:
    """One side as a file of JSON lines. Who took it is noted."""
    found = get_object_or_404(Dataset, pk=dataset_id)
    quotas.spend(request, "exports")
    try:
        lines = datasets.dataset_take_away(dataset=found, split=split, by=signed_in(request))
    except datasets.DatasetRefused as refused:
        messages.error(request, str(refused))
        return redirect("dataset", dataset_id=found.pk)
    return RowByRow(lines, content_type="application/jsonl", headers=_as_file(found, f"{split}.jsonl"))


@for_staff
@require_safe
def dataset_card(request: HttpRequest, dataset_id: int) -> HttpResponse:
    """The card as JSON: figures and checksums, no words."""
    found = get_object_or_404(Dataset, pk=dataset_id)
    files = [
        {"file": name, "sha256": sha256, "split": split}
        for name, sha256, split in found.entries.values_list("episode__file", "sha256", "split")
    ]
    told = {
        "name": found.name, "note": found.note, "style": found.style, "frozen_at": found.frozen_at.isoformat(),
        "sha256": found.sha256, "filters": found.filters, "card": found.card, "files": files,
    }  # fmt: skip
    return HttpResponse(
        json.dumps(told, indent=1), content_type="application/json", headers=_as_file(found, "card.json")
    )


def _as_file(found: Dataset, name: str) -> dict[str, str]:
    title = slugify(found.name) or f"dataset-{found.pk}"
    return {"Content-Disposition": f'attachment; filename="{title}-{name}"'}
