"""Everything about one person as an archive of JSON files, to take along."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import structlog
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.forms.models import model_to_dict
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.consent import WORDINGS
from accounts.models import User
from coaching.live.selectors import said_about, written_by
from coaching.models import LinkView, SpectatorLink
from coaching.room.models import Attempt, CheckResult, DataExport, PersonRating, RatedGame
from coaching.room.rubrics import answers_of
from coaching.skills.models import PracticeRun, SkillEvidence
from negotiation.models import Game
from negotiation.table import kinds

INLINE_GAMES = 25
"""Up to so many games are put together while the person waits; more are left to the worker."""

LOST = timedelta(minutes=2)
"""An export that nobody has built by then is taken up by the sweep."""
log = structlog.get_logger(__name__)

README = """What Parlay keeps about you, as JSON.

profile.json       your account, teams, and every answer you gave about training use
ratings.json       your ratings and what each game changed
skills.json        what your games said about your skills, and what you practised
attempts.json      your attempts at assignments and how they were judged
comments.json      what you wrote about deals, yours and others', and verdicts that you gave
links.json         links that you made for others to watch, and when they were opened
"""


def is_small(user: User) -> bool:
    """Whether the archive can be made while the person waits."""
    return sum(kind.of(user).count() for kind in kinds.every()) <= INLINE_GAMES


def archive_of(user: User) -> bytes:
    """The archive, built from the database as it is now."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "README.txt", "\n".join([README, *(k.readme for k in kinds.every() if k.readme), ""])
        )
        for name, content in _files(user):
            archive.writestr(name, json.dumps(content, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
    return out.getvalue()


def _files(user: User) -> Iterator[tuple[str, Any]]:
    yield "profile.json", _profile(user)
    for kind in kinds.every():
        for path, content, table in kind.archive(user):
            yield path, content | _said_of(table) if isinstance(table, Game) else content
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


def _said_of(game: Game) -> dict[str, Any]:
    """What coaching holds of a deal: the player's own notes, what others said about it, its checks."""
    return {
        "notes": [note.text for note in game.case_notes.all()],
        **({} if game.is_live else said_about(game)),
        "checks": [
            {"rubric": rubric["name"], "check": row.question.text, "answer": row.answer, "why": row.why}
            for rubric in answers_of(game)
            for row in rubric["results"]
        ],
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
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        waiting = DataExport.objects.filter(user=user, ready_at=None).first()
        if waiting is not None:
            return waiting
        DataExport.objects.filter(user=user).delete()
        export = DataExport.objects.create(user=user)
        if not is_small(user):
            transaction.on_commit(lambda: _enqueue(export.pk), robust=True)
            return export
    return export_build(export_id=export.pk) or export


def _enqueue(export_id: uuid.UUID) -> None:
    # The task's module imports these services.
    from coaching.room.tasks import build_export

    try:
        build_export.delay(str(export_id))
    except OperationalError:  # the sweep finds it when the broker is back
        log.exception("export_not_enqueued", export=str(export_id))


def exports_owed() -> list[uuid.UUID]:
    """Exports whose worker died or was never told."""
    asked = DataExport.objects.filter(ready_at=None, asked_at__lt=timezone.now() - LOST)
    return list(asked.values_list("pk", flat=True))


def export_build(*, export_id: uuid.UUID) -> DataExport | None:
    """Put the archive together. None when the person took the wish, or the account, back meanwhile."""
    export = DataExport.objects.select_related("user").filter(pk=export_id).first()
    if export is None or export.ready_at is not None:
        return export
    export.archive, export.ready_at = archive_of(export.user), timezone.now()
    export.save(update_fields=["archive", "ready_at"])
    return export
