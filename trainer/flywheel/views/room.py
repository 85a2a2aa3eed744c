"""The data room at a glance, its deals one by one, and what was taken back."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from negotiation import catalogue
from negotiation.views import signed_in
from trainer.flywheel import datasets, names, selectors
from trainer.flywheel.access import for_staff
from trainer.flywheel.forms import ExcludeForm
from trainer.flywheel.models import Episode, TranscriptImport
from trainer.flywheel.reading import page_of

ON_A_PAGE = 50


@for_staff
@require_safe
def trainer(request: HttpRequest) -> HttpResponse:
    """The trainer opens with its runs."""
    return redirect("training-runs")


@for_staff
@require_safe
def room(request: HttpRequest) -> HttpResponse:
    """What there is to learn from, and what was made of it."""
    context = {
        "section": "room",
        "stock": selectors.stock(),
        "datasets": selectors.datasets(),
        "imports": TranscriptImport.objects.select_related("by"),
        "retrain": selectors.to_retrain(),
    }
    return render(request, "trainer/room.html", context)


@for_staff
@require_safe
def episodes(request: HttpRequest) -> HttpResponse:
    """Every deal that was looked at, with what became of it."""
    asked = {part: request.GET.get(part, "") for part in ("state", "source", "scenario", "seat")}
    found = Episode.objects.select_related("brought")
    for part, value in asked.items():
        if value:
            found = found.filter(**{part: value})
    if request.GET.get("pool"):
        found = found.filter(beat_model=True)
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "section": "deals",
        "page": page,
        "rows": [_row(episode) for episode in page],
        "asked": asked,
        "pool": bool(request.GET.get("pool")),
        "query": query.urlencode(),
        "choices": _choices(),
    }
    return render(request, "trainer/deals.html", context)


def _choices() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What the list can be narrowed by."""
    return [
        ("state", "State", list(Episode.State.choices)),
        ("source", "Where from", list(Episode.Source.choices)),
        ("scenario", "Deal", names.scenario_choices()),
        ("seat", "Seat", list(names.SEATS.items())),
    ]


def _row(episode: Episode) -> dict[str, Any]:
    return {
        "episode": episode,
        "title": names.scenario_title(episode.scenario),
        "across": names.persona_name(episode.persona),
        "model": episode.opponent_model if episode.opponent == "negotiator" else "",
    }


@for_staff
@require_safe
def episode_page(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """One deal as a person reads it, and beside it as a model does."""
    return _episode(request, _found(episode_id), ExcludeForm())


def _episode(request: HttpRequest, episode: Episode, form: ExcludeForm, status: int = 200) -> HttpResponse:
    scenario = catalogue.playable().get(episode.scenario)
    context = {
        "section": "deals",
        **_row(episode),
        "page": page_of(episode, scenario.currency if scenario else "$"),
        "form": form,
        "entries": episode.entries.select_related("dataset"),
        "person": f"Rep {episode.person[:4]}" if episode.person else "The learner",
    }
    return render(request, "trainer/deal.html", context, status=status)


@for_staff
@require_POST
def episode_exclude(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """Leave a deal out, with the reason."""
    episode, form = _found(episode_id), ExcludeForm(request.POST)
    if not form.is_valid():
        return _episode(request, episode, form, status=422)
    return _decide(
        request,
        episode,
        lambda: datasets.episode_exclude(
            episode=episode, note=form.cleaned_data["note"], by=signed_in(request)
        ),
        "Left out of every dataset that is frozen from now on.",
    )


@for_staff
@require_POST
def episode_include(request: HttpRequest, episode_id: uuid.UUID) -> HttpResponse:
    """Take a deal back in that was left out by hand."""
    episode = _found(episode_id)
    return _decide(
        request,
        episode,
        lambda: datasets.episode_include(episode=episode, by=signed_in(request)),
        "Taken back in.",
    )


def _decide(request: HttpRequest, episode: Episode, deed: Any, said: str) -> HttpResponse:
    try:
        deed()
    except datasets.DatasetRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return redirect("data-deal", episode_id=episode.pk)


def _found(episode_id: uuid.UUID) -> Episode:
    return get_object_or_404(Episode.objects.select_related("brought", "decided_by"), pk=episode_id)


@for_staff
@require_safe
def withdrawn(request: HttpRequest) -> HttpResponse:
    """What was taken back, and which runs had learnt from it."""
    found = Paginator(selectors.withdrawn_and_learnt(), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"section": "withdrawn", "page": found, "retrain": selectors.to_retrain()}
    return render(request, "trainer/withdrawn.html", context)
