"""Everything about one person as an archive of JSON files, to take along."""

from __future__ import annotations

import io
import json
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
from negotiation.models import Game
from negotiation.table import kinds
from owed import services as owed
from owed.kinds import Work, register
from owed.models import OPEN
from owed.queues import REST

INLINE_GAMES = 25
"""Up to so many games are put together while the person waits; more are left to the worker."""

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
        DataExport.objects.filter(user=user).exclude(state__in=OPEN).delete()
        if not is_small(user):
            return owed.ask(DataExport, user=user)
        export, _ = DataExport.objects.get_or_create(user=user)
    owed.do(EXPORT, export.pk)
    return DataExport.objects.get(pk=export.pk)


def _export(row: DataExport) -> dict[str, Any]:
    return {"archive": archive_of(row.user), "ready_at": timezone.now()}


EXPORT = register(Work("export", DataExport, _export, queue=REST))
