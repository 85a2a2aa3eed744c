"""Comments and verdicts: forms that work without scripts, and the same part of the page alone for those with them."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from coaching.live import services
from coaching.live.access import judged_by, own_comment, talked_about
from coaching.live.asking import NOTHING, hint_ask
from coaching.live.forms import CommentForm, VerdictForm
from coaching.live.selectors import talk_of
from negotiation.models import Game
from negotiation.table.errors import MoveRefused
from negotiation.views import signed_in


@require_POST
def hint(request: HttpRequest, game_id: uuid.UUID) -> JsonResponse:
    """A hint for the player, which arrives as a note at the table; the deal then counts for learning only."""
    game = Game.objects.filter(pk=game_id, player=signed_in(request)).first()
    if game is None:
        raise Http404("There is no such deal of yours.")
    try:
        given = hint_ask(game)
    except MoveRefused as refused:
        return JsonResponse({"message": refused.message}, status=409)
    return JsonResponse({"given": given, "message": "" if given else NOTHING})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def comments(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """What was said about a game; POST adds to it."""
    user = signed_in(request)
    game = talked_about(user, game_id)
    if request.method != "POST":
        return _talk(request, game, user)
    form = CommentForm(request.POST, game=game)
    if not form.is_valid():
        return _answer(request, game, user, problem=_first(form))
    try:
        written = services.comment_write(game=game, author=user, **form.cleaned_data)
    except services.CommentRefused as refused:
        return _answer(request, game, user, problem=str(refused))
    return _answer(request, game, user, written=written.pk)


@require_POST
def edit(request: HttpRequest, game_id: uuid.UUID, comment_id: int) -> HttpResponse:
    """Change one's own words, shortly after they were written."""
    user = signed_in(request)
    game = talked_about(user, game_id)
    comment = own_comment(user, game, comment_id)
    form = CommentForm(request.POST, game=game)
    if not form.is_valid():
        return _answer(request, game, user, problem=_first(form))
    try:
        services.comment_edit(comment=comment, text=form.cleaned_data["text"])
    except services.CommentRefused as refused:
        return _answer(request, game, user, problem=str(refused))
    return _answer(request, game, user, written=comment.pk)


@require_POST
def delete(request: HttpRequest, game_id: uuid.UUID, comment_id: int) -> HttpResponse:
    """Take one's own words back."""
    user = signed_in(request)
    game = talked_about(user, game_id)
    services.comment_delete(comment=own_comment(user, game, comment_id))
    return _answer(request, game, user)


@require_POST
def verdict(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """Judge a game."""
    user = signed_in(request)
    game = judged_by(user, game_id)
    form = VerdictForm(request.POST, game=game)
    problem = "" if form.is_valid() else _first(form)
    if not problem:
        try:
            services.verdict_give(game=game, by=user, **form.cleaned_data)
        except services.CommentRefused as refused:
            problem = str(refused)
    if problem:
        messages.error(request, problem)
    return redirect(_debrief(game, user) + "#verdict")


def _answer(
    request: HttpRequest, game: Game, user: User, *, problem: str = "", written: int | None = None
) -> HttpResponse:
    """The part of the page anew for a script; a form without one goes back to the debrief."""
    if request.GET.get("part"):
        return _talk(request, game, user, problem=problem, written=written)
    if problem:
        messages.error(request, problem)
    return redirect(_debrief(game, user) + (f"#comment-{written}" if written else "#comments"))


def _talk(
    request: HttpRequest, game: Game, user: User, *, problem: str = "", written: int | None = None
) -> HttpResponse:
    services.talk_seen(game=game, user=user)
    context: dict[str, Any] = {
        "game": game,
        "discussion": talk_of(game, user),
        "problem": problem,
        "written": written,
    }
    return render(request, "debrief/_talk.html", context, status=422 if problem else 200)


def _debrief(game: Game, user: User) -> str:
    """Where a form without scripts came from: the debrief, which a live deal does not have yet."""
    return reverse("home") if game.is_live else reverse("debrief", args=[game.pk])


def _first(form: CommentForm | VerdictForm) -> str:
    return str(next(iter(form.errors.values()))[0])
