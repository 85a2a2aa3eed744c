"""The empty database as all migrations leave it, kept as SQL: a first start reads it in a moment where migrating takes
five seconds. Standard library only.

``manage.py schema`` writes it anew after a new migration; a test holds it to what migrating makes. Where it is of
other migrations than the tree's, nobody uses it.
"""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATH = Path(__file__).with_name("schema.sql")
MARK = "-- migrations "
BRING_TABLES = ("django==", "django-allauth==", "django-otp==")
"""Pins of what has migrations of its own."""


def digest() -> str:
    """Of every migration of the tree, and of the versions of those that come with packages."""
    told = hashlib.sha256()
    for path in sorted(ROOT.glob("*/migrations/*.py")) + sorted(ROOT.glob("*/*/migrations/*.py")):
        if not path.parts[len(ROOT.parts)].startswith("."):
            told.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        if line.startswith(BRING_TABLES):
            told.update(line.split()[0].encode())
    return told.hexdigest()


def is_current() -> bool:
    """Whether the file is of the tree's migrations."""
    return PATH.exists() and PATH.read_text().split("\n", 1)[0] == f"{MARK}{digest()}"


def lay(database: Path) -> None:
    """Make ``database``, which must not exist, whole or not at all."""
    draft = database.with_name(f"{database.name}.new")
    draft.unlink(missing_ok=True)
    with sqlite3.connect(draft) as connection:
        connection.executescript(PATH.read_text())
    connection.close()
    draft.rename(database)


def applied(database: Path) -> str:
    """A digest of the migrations that ``database`` says it has had; empty where it can't say."""
    try:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        rows = connection.execute("SELECT app, name FROM django_migrations ORDER BY app, name").fetchall()
        connection.close()
    except sqlite3.Error:
        return ""
    return hashlib.sha256(repr(rows).encode()).hexdigest()
