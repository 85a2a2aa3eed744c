"""One migrated SQLite database a checkout: made once, copied to whoever tests, put back after a test that commits.

Migrating takes seconds and so does a flush of every table over a whole run; a copy of an empty file takes
milliseconds. The original lies among pytest's own files, under the checksum of everything that decides what is in it.
"""

from __future__ import annotations

import copy
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".pytest_cache" / "database"
DECIDING = ("*/**/migrations/*.py", "*/**/models.py", "*/**/models/*.py", "*/**/*_models.py")
"""Migrations make the tables; models, the permissions that come with them."""
ALSO = ("requirements/base.in", "requirements/dev.txt", "parlay_web/settings/base.py")
Rows = tuple[tuple[str, int], ...]
APPS = ("accounts", "negotiation", "coaching", "trainer", "parlay_web", "owed")


@cache
def template() -> Path:
    """The migrated file, made by whichever process needs it first; the others wait for that one."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = FOLDER / f"{_checksum()}.sqlite3"
    with _alone(FOLDER / "lock"):
        if not made.exists():
            for old in FOLDER.glob("*.sqlite3"):
                old.unlink()
            _migrate(made)
    return made


def copy_to(place: Path) -> None:
    """A database of one's own at ``place``."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(template(), place)


def remembered(name: str, connection: sqlite3.Connection, folder: Path, make: Callable[[], T]) -> T:
    """What ``make`` returns, with the database and the files of ``folder`` as it leaves them; later from memory.

    A whole deal and its review take a second and come out the same in every test that begins with them. What is
    remembered takes the place of everything, so it is used only by a test that has got exactly as far as the one
    that it was made for: as many rows everywhere, and none of them anything that is played.
    """
    rows = _rows(connection)
    if any(count for table, count in rows if table == "django_session" or not table.startswith(PEOPLE)):
        return make()
    key = (name, rows)
    if key not in _remembered:
        made = make()
        image = sqlite3.connect(":memory:")
        connection.backup(image)
        _remembered[key] = (image, _files(folder), copy.deepcopy(made))
        return made
    image, files, value = _remembered[key]
    image.backup(connection)
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return copy.deepcopy(value)


PEOPLE = ("accounts_", "account_", "auth_", "django_", "sqlite_")
"""Tables whose rows are people and what comes with the migrations: numbered, and so the same in every test."""
_remembered: dict[tuple[str, Rows], tuple[sqlite3.Connection, dict[Path, bytes], Any]] = {}


def _rows(connection: sqlite3.Connection) -> Rows:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counted = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM \"{name}\"" for name in tables)  # noqa: S608
    return tuple(connection.execute(counted))


def _files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def put_back(connection: sqlite3.Connection) -> None:
    """Make the database behind an open connection what it was before anybody wrote to it."""
    _original().backup(connection)


def empty(connection: Any) -> None:
    """Take the rows out of a PostgreSQL, through Django's connection, but for what the migrations brought."""
    kept = ("django_", "auth_permission")
    tables = [name for name in connection.introspection.table_names() if not name.startswith(kept)]
    asked = " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")"  # noqa: S608
        for name in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        written = [name for (name,) in cursor.fetchall()]
        # One after another, in any order: nothing looks at foreign keys meanwhile.
        cursor.execute("SET session_replication_role = replica")
        for name in [*written, "django_session"]:
            cursor.execute(f'DELETE FROM "{name}"')  # noqa: S608
        cursor.execute("SET session_replication_role = DEFAULT")


@cache
def _original() -> sqlite3.Connection:
    """The template in memory, where no file has to be read for every test."""
    kept = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(template())) as file:
        file.backup(kept)
    return kept


def _checksum() -> str:
    digest = hashlib.sha256(sys.version.encode())
    found = [path for app in APPS for pattern in DECIDING for path in ROOT.glob(pattern.replace("*", app, 1))]
    for path in [*sorted(set(found)), *(ROOT / name for name in ALSO)]:
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _migrate(made: Path) -> None:
    """In a process of its own, so that none of the caller's settings have a part in it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "PARLAY_"))}
    kept.pop("DATABASE_URL", None)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"],
            cwd=ROOT,
            env={**kept, "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev", "PARLAY_VAR": folder},
            check=True,
        )
        file = Path(folder) / "parlay.sqlite3"
        # Out of the log and into the file, which is then whole by itself.
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        file.rename(made)
