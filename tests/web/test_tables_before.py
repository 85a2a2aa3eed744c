"""A database of the house before all tables had one kernel opens, lists and replays after migrating.

``tests/data/before_tables.sql.gz`` was written at commit ed74cdd: of each kind of game a table that is over and one that
is live, words taken out of two, a retry, a lesson of Diplomacy. ``before_tables_postgres.sql.gz`` has the same rows on
PostgreSQL, in the tables that version 0.1.0 made there: its own migrations at commit 89b5c88, then ``pg_dump``.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import postgres
from tests.servers import ROOT

pytestmark = pytest.mark.slow
BEFORE = ROOT / "tests" / "data" / "before_tables.sql.gz"
BEFORE_ON_POSTGRES = ROOT / "tests" / "data" / "before_tables_postgres.sql.gz"
LOOK = """
import json, django
django.setup()
from django.test import Client
from accounts.models import User
from coaching.room import mydata
from negotiation import sessions
from negotiation.coalitions import sessions as for_three
from negotiation.coalitions.selectors import debrief_of
from negotiation.diplomacy.models import AllianceLesson
from negotiation.diplomacy.selectors import sitting_of
from negotiation.smallgames import selectors as small
from negotiation.table import forgetting, kinds
rep = User.objects.get(email="rep@example.com")
def three(deal):  # without its words it can't be played again: what it showed was kept
    return debrief_of(deal) if hasattr(deal, "redaction") else for_three.rebuild(deal)


replays = {"deal": sessions.rebuild, "coalition": three, "diplomacy": sitting_of, "small": small.sitting_of}
found = {}
for kind in kinds.every():
    tables = list(kind.of(rep).order_by("created_at"))
    for table in tables:
        replays[kind.name](table)
        assert len(kind.read(table.pk, 0)) == table.last_seq
    found[kind.name] = [[table.status, kind.redactions is not None and hasattr(table, "redaction")] for table in tables]
found["reasons"] = sorted(
    [row.reason, str(row.table.status)] for kind in kinds.every() if kind.redactions for row in kind.redactions.objects.all()
)
found["lessons"] = [len(row.chapters) for row in AllianceLesson.objects.all()]
client = Client()
client.force_login(rep, backend="allauth.account.auth_backends.AuthenticationBackend")
pages = ("/", "/diplomacy/", "/games/", "/account/privacy/", "/progress/")
found["pages"] = [client.get(page).status_code for page in pages]
found["archive"] = len(mydata.archive_of(rep))
found["with_words"] = forgetting.tables_with_words(rep)
print(json.dumps(found))
"""


@contextmanager
def on_sqlite(var: Path) -> Iterator[str]:
    """The old database, where a process with this folder looks for it; its URL, none."""
    with closing(sqlite3.connect(var / "parlay.sqlite3")) as database:
        database.executescript(gzip.decompress(BEFORE.read_bytes()).decode())
    yield ""


@contextmanager
def on_postgres(var: Path) -> Iterator[str]:
    """The old database in a PostgreSQL of its own; its URL."""
    with postgres() as server:
        server.psql(gzip.decompress(BEFORE_ON_POSTGRES.read_bytes()).decode())
        yield server.get_uri()


@pytest.fixture(
    scope="module", params=[on_sqlite, pytest.param(on_postgres, marks=pytest.mark.postgres)],
    ids=["sqlite", "postgres"],
)  # fmt: skip
def after(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    var: Path = tmp_path_factory.mktemp("before")
    with request.param(var) as url:
        yield upgraded(var, url)


def upgraded(var: Path, url: str) -> dict[str, Any]:
    """What this version finds in the database once it has migrated it."""
    environment = {
        **os.environ,
        "PARLAY_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev",
        "SECRET_KEY": "not secret",
        "DATABASE_URL": url,
        "ALLOWED_HOSTS": "testserver",
    }
    how: dict[str, Any] = {"cwd": ROOT, "env": environment, "check": True, "timeout": 120}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], **how)
    looked = subprocess.run([sys.executable, "-c", LOOK], stdout=subprocess.PIPE, **how)
    return dict(json.loads(looked.stdout.splitlines()[-1]))


def test_every_old_table_is_listed_and_its_log_replays(after: dict[str, Any]) -> None:
    assert [status for status, _ in after["deal"]] == ["finished", "finished", "live", "live"]
    assert [status for status, _ in after["coalition"]] == ["finished", "finished", "live"]
    assert [status for status, _ in after["diplomacy"]] == ["finished", "live"]
    assert sorted(status for status, _ in after["small"]) == ["finished"] * 5 + ["live"] * 5


def test_what_was_taken_out_of_old_logs_stays_noted(after: dict[str, Any]) -> None:
    assert after["reasons"] == [["request", "finished"], ["retention", "finished"]]
    assert [gone for _, gone in after["deal"]] == [False, True, False, False]
    assert [gone for _, gone in after["coalition"]] == [False, True, False]
    assert after["with_words"] == 2, "the deal for two and the one for three that still have theirs"


def test_old_lessons_and_pages_open(after: dict[str, Any]) -> None:
    assert len(after["lessons"]) == 1
    assert after["pages"] == [200] * 5
    assert after["archive"] > 1000
