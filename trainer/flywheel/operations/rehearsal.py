"""A restore that is rehearsed: a backup is put back into a place of its own, brought up to date and played from.

A backup that nobody has restored is a hope. The rehearsal takes nothing from the house and leaves nothing behind: another
process restores into a scratch folder and a scratch database (a file, or a database beside the real one that is dropped
afterwards), migrates, counts, and replays the latest deals from their logs, move by move.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from accounts.models import User
from negotiation import sessions
from negotiation.models import Game
from negotiation.table.errors import LogDiverged
from trainer.flywheel.operations.backup import BackupRefused, is_in_place

MOST_REPLAYED = 50
"""Deals that are played again, the latest first."""
SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What stood there after the restore: people, deals, deals replayed, and those whose engine has moved on since."""

    people: int
    deals: int
    replayed: int
    of_before: int
    seconds: float = 0.0


def rehearse(folder: Path) -> Rehearsed:
    """Restore the backup in ``folder`` beside the house and play from it.

    Raises:
        BackupRefused: when it can't be restored, or what it held is not what it should be.
    """
    began = time.monotonic()
    if not is_in_place(folder):
        raise BackupRefused(f"{folder} holds no backup")
    # Beside the backup, where there is room for as much again; /tmp may be memory.
    place = tempfile.TemporaryDirectory(prefix=".rehearsal-", dir=folder.parent)
    with place as scratch, _database(Path(scratch)) as url:
        environment = {
            **os.environ,
            "PARLAY_VAR": scratch,
            "DATABASE_URL": url,
            "REDIS_URL": "redis://127.0.0.1:9/0",  # nothing that works here may reach the house
            "MODEL_URL": "",
        }
        _manage(environment, "restore", str(folder.resolve()))
        told = json.loads(_manage(environment, "rehearse", "--inside").splitlines()[-1])
    return Rehearsed(**{**told, "seconds": round(time.monotonic() - began, 1)})


def inspect() -> Rehearsed:
    """What stands in the database here; each deal is played again from its log.

    Raises:
        BackupRefused: when a log does not come to what was written down.
    """
    replayed = of_before = 0
    latest = Game.objects.order_by("-updated_at").filter(redaction=None)
    for game in latest[:MOST_REPLAYED]:
        try:
            sessions.rebuild(game)
        except LogDiverged:
            of_before += 1
            continue
        except Exception as broken:
            raise BackupRefused(f"the deal {game.pk} can't be played again: {broken!r}") from broken
        replayed += 1
    return Rehearsed(User.objects.count(), Game.objects.count(), replayed, of_before)


def as_json(told: Rehearsed) -> dict[str, float]:
    """For a command's answer."""
    return asdict(told)


@contextmanager
def _database(scratch: Path) -> Iterator[str]:
    """The address of an empty database that is gone afterwards."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{scratch / 'rehearsal.sqlite3'}"
        return
    name = f"rehearsal_{uuid.uuid4().hex[:12]}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield _address(name)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _address(name: str) -> str:
    """The house's own database server, with another database."""
    address = os.environ["DATABASE_URL"]
    head, question, options = address.partition("?")
    return f"{head.rsplit('/', 1)[0]}/{name}{question}{options}"


def _manage(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    if done.returncode:
        raise BackupRefused((done.stderr.strip().splitlines() or ["failed"])[-1])
    return done.stdout
