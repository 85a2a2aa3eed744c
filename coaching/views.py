"""Pages for those who watch and those who look back: links, the watch page, the debrief."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import quotas
from accounts.streaming import RowByRow
from coaching import selectors, services
from coaching.cases.pages import lessons_of
from coaching.debriefs.pages import questions_of
from coaching.live.selectors import talk_of, verdict_of
from coaching.live.services import talk_seen
from coaching.models import LinkView, SpectatorLink
from coaching.retry.selectors import family_of, may_retry
from coaching.reviews.selectors import review_of
from coaching.room.access import may_tick
from coaching.room.assignment_selectors import attempt_of
from coaching.room.exports import lines
from coaching.room.rubrics import answers_of
from coaching.sharing.watching import left_out, nameless
from coaching.turns import turns
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.public import persona_card, scenario_card, seat_brief
from negotiation.selectors import bootstrap_of, snapshot_of
from negotiation.serving.selectors import voice_of
from negotiation.table.links import LinkRefused, guarded
from negotiation.table.watching import address_of, closed, private, viewer_of
from negotiation.views import signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """POST makes a link and tells its address this once; GET lists the links that there are."""
    user = signed_in(request)
    game = selectors.game_to_share(game_id, user)
    if game is None:
        raise Http404("There is no such deal of yours.")
    if request.method != "POST":
        return JsonResponse({"links": selectors.links_of(game)})
    scope = request.POST.get("scope", "watch")
    if scope not in SpectatorLink.Scope.values:
        known = ", ".join(SpectatorLink.Scope.values)
        return JsonResponse({"field": "scope", "message": f"A scope is one of {known}."}, status=422)
    days = request.POST.get("days", str(services.LIFETIMES[0]))
    if days not in map(str, services.LIFETIMES):
        return JsonResponse({"field": "days", "message": "A link opens for 1, 7 or 30 days."}, status=422)
    quotas.spend(request, "links")
    named = request.POST.get("named", "yes" if scope in selectors.LIVE else "no") == "yes"
    lifetime = timedelta(days=int(days))
    link, token = services.link_create(
        game=game, created_by=user, scope=scope, lifetime=lifetime, named=named
    )
    page = "shared" if scope in selectors.SHARED else "watch"
    return JsonResponse(
        {
            "id": str(link.id),
            "url": request.build_absolute_uri(reverse(page, args=[token])),
            "scope": link.scope,
            "named": link.named,
            "expires_at": link.expires_at.isoformat(),
        },
        status=201,
    )


@require_POST
def link_revoke(request: HttpRequest, game_id: uuid.UUID, link_id: uuid.UUID) -> HttpResponse:
    """Withdraw a link."""
    game = selectors.game_to_share(game_id, signed_in(request))
    link = game.links.filter(pk=link_id).first() if game else None
    if link is None:
        raise Http404("There is no such link of yours.")
    services.link_revoke(link=link)
    return JsonResponse({"id": str(link.id), "revoked": True})


@login_not_required
@require_safe
def watch(request: HttpRequest, token: str) -> HttpResponse:
    """A game through a link."""
    viewer = viewer_of(request)
    try:
        opened = guarded(address_of(request), lambda: selectors.link_opened(token, viewer=viewer))
    except LinkRefused as refused:
        return closed(request, refused)
    services.link_view(opened=opened, viewer=viewer, kind=LinkView.Kind.PAGE)
    game = opened.link.game
    names = left_out(opened.link, viewer)
    scenario = catalogue.for_game(game)
    context: dict[str, Any] = {
        "game": game,
        "scenario": scenario_card(scenario),
        "persona": persona_card(personas()[game.persona]),
        "voice": voice_of(game),
        "brief": seat_brief(scenario, game.seat),
        "role": opened.role,
        "discussion": talk_of(game, viewer) if viewer else None,
        "may_debrief": viewer is not None and selectors.game_to_debrief(game.pk, viewer) is not None,
        "bootstrap": nameless(bootstrap_of(game, role=opened.role, ws_url=f"/ws/watch/{token}/"), names),
    }
    return private(render(request, "watch/watch.html", context))


@never_cache
@require_safe
def debrief(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """How it went, in money."""
    user = signed_in(request)
    game = selectors.game_to_debrief(game_id, user)
    if game is None:
        raise Http404("There is no such deal of yours.")
    if game.status != game.Status.FINISHED:
        return redirect("deal-table", game_id=game.id) if game.player_id == user.pk else redirect("home")
    quotas.spend(request, "work")
    scenario = catalogue.for_game(game)
    review = selectors.debrief_of(game)
    talk = snapshot_of(game.id, "coach")["transcript"]
    discussion, verdict = talk_of(game, user), verdict_of(game, user)
    lessons = lessons_of(game, review, talk)
    talk_seen(game=game, user=user)
    return render(
        request,
        "debrief/debrief.html",
        {
            "game": game,
            "scenario": scenario_card(scenario),
            "persona": persona_card(personas()[game.persona]),
            "voice": voice_of(game),
            "brief": seat_brief(scenario, game.seat),
            "debrief": review,
            "talk": talk,
            "discussion": discussion,
            "verdict": verdict,
            "rubrics": answers_of(game),
            "attempt": attempt_of(game),
            "may_tick": may_tick(user, game),
            **lessons,
            **questions_of(game, review, talk, lessons, selectors.figures_of(review)),
            "family": family_of(game, user),
            "may_retry": may_retry(user, game),
            "is_player": game.player_id == user.pk,
        },
    )


@never_cache
@require_safe
def turns_csv(request: HttpRequest, game_id: uuid.UUID) -> RowByRow:
    """The deal turn by turn, for a spreadsheet."""
    game = selectors.game_to_debrief(game_id, signed_in(request))
    if game is None or game.status != game.Status.FINISHED:
        raise Http404("There is no such finished deal of yours.")
    quotas.spend(request, "exports")
    talk = snapshot_of(game.id, "coach")["transcript"]
    rows = turns(selectors.debrief_of(game), talk, review_of(game.pk))
    return RowByRow(
        lines(rows),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="deal-{game.pk}.csv"',
            "Cache-Control": "no-store",
        },
    )
