"""Bringing transcripts in: the file, the mapping with its dry run, and the deed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from negotiation.views import signed_in
from trainer.flywheel import imports
from trainer.flywheel.access import for_staff
from trainer.flywheel.forms import ImportForm, MappingForm
from trainer.flywheel.models import TranscriptImport
from trainer.flywheel.transcripts import ImportedFile, Mapping

LINES_ON_A_PAGE = 100
PROBLEMS_SHOWN = 200


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def import_new(request: HttpRequest) -> HttpResponse:
    """A file, where it is from, and on what grounds."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if request.method == "POST" and form.is_valid():
        chosen = dict(form.cleaned_data)
        file = chosen.pop("file")
        try:
            brought = imports.import_begin(
                **chosen, filename=file.name, content=file.read(imports.MOST_BYTES + 1), by=signed_in(request)
            )
        except imports.ImportRefused as refused:
            form.add_error("file", str(refused))
        else:
            return redirect("import", import_id=brought.pk)
    context = {"section": "imports", "form": form}
    return render(request, "trainer/import_new.html", context, status=422 if form.errors else 200)


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, import_id: int) -> HttpResponse:
    """How the file is read, and line by line what would happen."""
    brought = get_object_or_404(TranscriptImport.objects.select_related("by"), pk=import_id)
    try:
        reading = imports.import_read(brought)
    except imports.ImportRefused as refused:
        reading = ImportedFile([], trouble=[str(refused)])
    form = MappingForm(
        request.POST if request.method == "POST" else None,
        columns=reading.columns,
        initial=Mapping.from_json(brought.mapping).to_json(),
    )
    if request.method == "POST" and form.is_valid():
        imports.mapping_save(brought=brought, mapping=form.mapping())
        return redirect("import", import_id=brought.pk)
    context = {
        "section": "imports",
        "brought": brought,
        "form": form,
        **_dry_run(brought, reading, request.GET.get("page")),
    }
    return render(request, "trainer/import.html", context, status=422 if form.errors else 200)


def _dry_run(brought: TranscriptImport, reading: ImportedFile, page: str | None) -> dict[str, Any]:
    there = set(brought.episodes.values_list("conversation", flat=True))
    new = [each for each in reading.sound if each.name not in there]
    unsound = [each for each in reading.conversations if not each.is_sound]
    return {
        "reading": reading,
        "taken": len(there),
        "new": new,
        "decisions": sum(len(each.decisions) for each in new),
        "unsound": unsound[:PROBLEMS_SHOWN],
        "unsound_count": len(unsound),
        "lines": Paginator(reading.lines, LINES_ON_A_PAGE).get_page(page),
    }


@for_staff
@require_POST
def import_take(request: HttpRequest, import_id: int) -> HttpResponse:
    """Take in what is sound. What is not stays in the file, to be read again by another mapping."""
    brought = get_object_or_404(TranscriptImport, pk=import_id)
    try:
        taken, left = imports.import_take(brought=brought)
    except (imports.ImportRefused, OSError) as refused:
        messages.error(request, f"Nothing was taken in: {refused}")
    else:
        rest = f" {left} can't be taken yet; nothing of them is lost." if left else ""
        messages.success(request, f"{taken} conversation{'' if taken == 1 else 's'} taken in.{rest}")
    return redirect("import", import_id=brought.pk)
