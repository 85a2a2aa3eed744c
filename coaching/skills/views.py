"""The progress page, and practice: one card at a time, one answer at a time."""

from __future__ import annotations

import math
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Team, User
from coaching.analysis.skills import HALF_LIFE
from coaching.room.access import led_team, member_of
from coaching.skills import pages, selectors, services
from coaching.skills.models import PracticeCard
from negotiation.table import kinds
from negotiation.views import signed_in


@never_cache
@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """How I come along, and what waits to be practised."""
    user = signed_in(request)
    context = {
        **_progress(user, None),
        "due": selectors.due_cards(user),
        "next_due": selectors.next_due(user),
        "weeks": selectors.weeks_in_a_row(user),
        "parts": kinds.parts("progress", user),
    }
    return render(request, "skills/progress.html", context)


@never_cache
@require_safe
def member_progress(request: HttpRequest, team_id: int, user_id: int) -> HttpResponse:
    """How a member comes along in the deals of this team, for those who lead it. Practice stays the member's own."""
    team = led_team(request, team_id)
    member = member_of(team, user_id)
    return render(request, "skills/progress.html", {**_progress(member, team), "member": member})


def _progress(user: User, team: Team | None) -> dict[str, Any]:
    return {
        "lines": selectors.skill_lines(user, team),
        "figures": selectors.progress_figures(user, team),
        "team": team,
        "half_life": HALF_LIFE,
    }


@never_cache
@require_safe
def practice(request: HttpRequest, card_id: int) -> HttpResponse:
    """A drill or a puzzle: the question while it is due, afterwards what became of it."""
    card = _card(request, card_id)
    try:
        template, context = pages.of_card(card, _whole(request.GET, "step"))
    except selectors.PuzzleGone:
        raise Http404("The deal of this puzzle can't be read any more.") from None
    if context["waiting"]:
        services.drill_ask(card=card)
    return render(request, template, context)


@require_POST
def answer(request: HttpRequest, card_id: int) -> HttpResponse:
    """Take one answer, and go to what it was worth."""
    card, given = _card(request, card_id), request.POST
    page = reverse("practice", args=[card.pk])
    try:
        if card.is_drill:
            step = _whole(given, "step") or 0
            services.drill_answer(card=card, step=step - 1, choice=_whole(given, "choice", -1) or 0)
            return redirect(f"{page}?step={step}#verdict")
        if card.kind == PracticeCard.Kind.BLUFF:
            if given.get("said") not in ("bluff", "true"):
                raise services.NotNow("Say whether it was true or a bluff.")
            services.bluff_answer(card=card, bluff=given["said"] == "bluff")
        else:
            services.limit_answer(card=card, low=_money(given, "low"), high=_money(given, "high"))
    except services.NotNow as refused:
        messages.error(request, str(refused))
        return redirect(page)
    except selectors.PuzzleGone:
        raise Http404("The deal of this puzzle can't be read any more.") from None
    return redirect(f"{page}#verdict")


def _card(request: HttpRequest, card_id: int) -> PracticeCard:
    card = selectors.card_of(signed_in(request), card_id)
    if card is None:
        raise Http404("There is no such practice of yours.")
    return card


def _whole(given: QueryDict, name: str, otherwise: int | None = None) -> int | None:
    """A small whole number among what was sent."""
    raw = given.get(name, "")
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 4 else otherwise


def _money(given: QueryDict, name: str) -> float:
    """An amount among what was sent."""
    try:
        value = float(given.get(name, ""))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise services.NotNow("Both ends of the band are figures.")
    return value
