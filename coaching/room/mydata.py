"""Everything about one person as an archive of JSON files, to take along."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.forms.models import model_to_dict
from django.utils import timezone

from accounts.consent import WORDINGS
from accounts.models import User
from coaching.live.selectors import said_about, written_by
from coaching.models import LinkView, SpectatorLink
from coaching.room.models import Attempt, CheckResult, DataExport, PersonRating, RatedGame
from coaching.room.rubrics import answers_of
from coaching.skills.models import PracticeRun, SkillEvidence
from negotiation.coalitions.models import CoalitionDeal
from negotiation.coalitions.selectors import frames_after as coalition_frames_after
from negotiation.diplomacy.selectors import archive_of as board_games_of
from negotiation.models import Game
from negotiation.selectors import frames_after
from negotiation.smallgames.selectors import archive_of as small_games_of

INLINE_GAMES = 25
"""Up to so many games are put together while the person waits; more are left to the worker."""

GAME_FIELDS = (
    "scenario", "persona", "seat", "difficulty", "horizon", "status", "turns", "assisted", "assisted_reason",
    "outcome_reason", "price", "efficiency", "total_reward",
)  # fmt: skip
"""What of a game's row is its player's to have; the seed, from which all hidden truth follows, is not."""

COALITION_FIELDS = (
    "scenario",
    "seat",
    "opponents",
    "status",
    "round",
    "moves",
    "formed",
    "payoff",
    "shapley",
)
"""The same for a deal for three."""

README = """What Parlay keeps about you, as JSON.

profile.json       your account, teams, and every answer you gave about training use
games/             one file for each deal: the log as you may see it. While a deal is live that leaves out what
                   the other side hides; afterwards the log is whole. Words that were deleted are empty.
ratings.json       your ratings and what each game changed
skills.json        what your games said about your skills, and what you practised
small-games.json   your matches in the small games, move by move
diplomacy.json     your games of Diplomacy, as you could see them
attempts.json      your attempts at assignments and how they were judged
comments.json      what you wrote about deals, yours and others', and verdicts that you gave
links.json         links that you made for others to watch, and when they were opened
"""


def is_small(user: User) -> bool:
    """Whether the archive can be made while the person waits."""
    deals = Game.objects.filter(player=user).count() + CoalitionDeal.objects.filter(player=user).count()
    return deals <= INLINE_GAMES


def archive_of(user: User) -> bytes:
    """The archive, built from the database as it is now."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        for name, content in _files(user):
            archive.writestr(name, json.dumps(content, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
    return out.getvalue()


def _files(user: User) -> Iterator[tuple[str, Any]]:
    yield "profile.json", _profile(user)
    for game in Game.objects.filter(player=user).order_by("created_at").iterator():
        yield f"games/{game.created_at:%Y-%m-%d}-{game.pk}.json", _game(game)
    for deal in CoalitionDeal.objects.filter(player=user).order_by("created_at").iterator():
        yield f"games/{deal.created_at:%Y-%m-%d}-for-three-{deal.pk}.json", _deal_for_three(deal)
    yield (
        "ratings.json",
        {
            "now": [
                model_to_dict(row, exclude=["id", "user"]) for row in PersonRating.objects.filter(user=user)
            ],
            "games": [
                model_to_dict(row, exclude=["id", "user"]) | {"at": row.at}
                for row in RatedGame.objects.filter(user=user).order_by("at")
            ],
        },
    )
    yield "skills.json", _skills(user)
    yield "small-games.json", small_games_of(user)
    yield "diplomacy.json", board_games_of(user)
    yield (
        "attempts.json",
        [_attempt(one) for one in Attempt.objects.filter(user=user).select_related("assignment")],
    )
    yield "comments.json", written_by(user)
    yield (
        "links.json",
        {
            "made": [
                {
                    "game": str(link.game_id),
                    "scope": link.scope,
                    "made": link.created_at,
                    "until": link.expires_at,
                }
                for link in SpectatorLink.objects.filter(created_by=user)
            ],
            "opened": [
                {"game": str(view.link.game_id), "kind": view.kind, "at": view.at}
                for view in LinkView.objects.filter(viewer=user).select_related("link")
            ],
        },
    )


def _profile(user: User) -> dict[str, Any]:
    return {
        "email": user.email,
        "name": user.display_name,
        "joined": user.date_joined,
        "shown_to": user.visibility,
        "teams": [
            {"team": one.team.name, "role": one.role} for one in user.memberships.select_related("team")
        ],
        "training_use": [
            {"granted": one.granted, "at": one.at, "wording": WORDINGS[one.wording]}
            for one in user.consents.all()
        ],
        "ticks_given": CheckResult.objects.filter(by=user).count(),
    }


def _game(game: Game) -> dict[str, Any]:
    # The role decides what of a live game may be known; its seed never is.
    role = "player" if game.is_live else "coach"
    return {
        **model_to_dict(game, fields=GAME_FIELDS),
        "id": str(game.pk),
        "ended": game.finished_at,
        "started": game.created_at,
        "log": frames_after(game.pk, 0, role),  # type: ignore[arg-type]  # one of two roles
        "notes": [note.text for note in game.case_notes.all()],
        **({} if game.is_live else said_about(game)),
        "checks": [
            {"rubric": rubric["name"], "check": row.question.text, "answer": row.answer, "why": row.why}
            for rubric in answers_of(game)
            for row in rubric["results"]
        ],
    }


def _deal_for_three(deal: CoalitionDeal) -> dict[str, Any]:
    return {
        **model_to_dict(deal, fields=COALITION_FIELDS),
        "id": str(deal.pk),
        "started": deal.created_at,
        "ended": deal.finished_at,
        "log": coalition_frames_after(deal, 0),
    }


def _skills(user: User) -> dict[str, Any]:
    runs = PracticeRun.objects.filter(card__user=user).select_related("card").order_by("created_at")
    return {
        "evidence": [
            model_to_dict(row, exclude=["id", "user"])
            for row in SkillEvidence.objects.filter(user=user).order_by("at")
        ],
        "practice": [
            {
                **model_to_dict(run.card, fields=["kind", "skill", "persona", "game", "turn", "due"]),
                # What lies ready but was not played would give its answers away.
                **model_to_dict(
                    run, fields=["positions", "answers", "score"] if run.finished_at else ["answers"]
                ),
                "finished": run.finished_at,
            }
            for run in runs
        ],
    }


def _attempt(one: Attempt) -> dict[str, Any]:
    return model_to_dict(one, exclude=["id", "user", "assignment", "rubric"]) | {
        "assignment": one.assignment.title,
        "started": one.started_at,
    }


def export_ask(*, user: User) -> DataExport:
    """An export that is ready at once, or will be; one that is being made is not begun twice."""
    from coaching.room.tasks import build_export

    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        waiting = DataExport.objects.filter(user=user, ready_at=None).first()
        if waiting is not None:
            return waiting
        DataExport.objects.filter(user=user).delete()
        export = DataExport.objects.create(user=user)
        if not is_small(user):
            transaction.on_commit(lambda: build_export.delay(str(export.pk)))
            return export
    return export_build(export_id=export.pk) or export


def export_build(*, export_id: uuid.UUID) -> DataExport | None:
    """Put the archive together. None when the person took the wish, or the account, back meanwhile."""
    export = DataExport.objects.select_related("user").filter(pk=export_id).first()
    if export is None or export.ready_at is not None:
        return export
    export.archive, export.ready_at = archive_of(export.user), timezone.now()
    export.save(update_fields=["archive", "ready_at"])
    return export
