"""Backup and restore: the database and the flywheel's files, so that rows and files come back together.

A backup is a folder of objects, each named by its checksum, and a list of what they are, which is written last. So a
backup that was killed leaves the one before whole, the second one copies only what is new, and a restore knows of every
byte whether it is the one that was kept. The database is read first, the files after it: whatever a row names is there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from trainer.flywheel import store

FORMAT = 1
LIST = "backup.json"
OBJECTS = "objects"
DATABASE = "database"
SKIPPED = (".lock", "lock")


class BackupRefused(ValueError):
    """It can't be backed up or restored; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a backup holds: how many files, how many of them were new to it, and their size in bytes."""

    files: int
    new: int
    size: int

    def as_json(self) -> dict[str, int]:
        """For a command's answer."""
        return {"files": self.files, "new": self.new, "bytes": self.size}


def backup(folder: Path) -> Told:
    """Bring the backup in ``folder`` up to now.

    Raises:
        BackupRefused: when something can't be read or written.
    """
    try:
        (folder / OBJECTS).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            dumped = Path(scratch) / DATABASE
            _dump(dumped)
            database = _keep(dumped, folder)
        kept = {name: _keep(path, folder) for name, path in _artefacts()}
        files = {name: sha256 for name, (sha256, _) in kept.items()}
        made = {
            "format": FORMAT,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "engine": connection.vendor,
            "database": database[0],
            "files": files,
        }
        _write_list(folder, made)
        named = {database[0], *files.values()}
        _forget(folder, named)
    except OSError as problem:
        raise BackupRefused(f"{problem.filename or folder}: {problem.strerror or problem}") from problem
    size = sum(_object(folder, sha256).stat().st_size for sha256 in named)
    return Told(len(kept) + 1, sum(new for _, new in kept.values()) + database[1], size)


def is_in_place(folder: Path) -> bool:
    """Whether a folder says that it holds a backup."""
    return (folder / LIST).is_file()


def restore(folder: Path, *, overwrite: bool = False) -> Told:
    """Put back what the backup in ``folder`` holds. Doing it twice comes to the same.

    Nothing is touched before every object was read and found to be what it should be.

    Args:
        overwrite: whether a database in use and files that are there may be replaced.

    Raises:
        BackupRefused: for a folder without a backup, a damaged object, another database, a place that is not empty.
    """
    made = _read_list(folder)
    wanted = {made["database"], *made["files"].values()}
    for sha256 in sorted(wanted):
        if _checksum(_object(folder, sha256)) != sha256:
            raise BackupRefused(f"{_object(folder, sha256)} is damaged or missing; nothing was restored")
    if made["engine"] != connection.vendor:
        raise BackupRefused(f"the backup is of {made['engine']}, the database here is {connection.vendor}")
    if not overwrite and _is_in_use():
        raise BackupRefused("there are people in the database here; --overwrite replaces them")
    try:
        _load(_object(folder, made["database"]))
        for name, sha256 in made["files"].items():
            store.write(name, _object(folder, sha256).read_bytes())
        if overwrite:
            for name, _ in list(_artefacts()):
                if name not in made["files"]:
                    store.remove(name)
    except OSError as problem:
        raise BackupRefused(f"{problem.filename}: {problem.strerror or problem}") from problem
    size = sum(_object(folder, sha256).stat().st_size for sha256 in wanted)
    return Told(len(made["files"]) + 1, len(wanted), size)


def _artefacts() -> Iterator[tuple[str, Path]]:
    """Every file of the store: examples, runs, models. Words handed to a run that works now are not kept.

    None where artefacts are kept elsewhere: that storage has its own versions.
    """
    if settings.ARTEFACTS_ELSEWHERE:
        return
    for name in store.names(""):
        path = store.path_of(name)
        in_hand = "/data/" in name and name.startswith("runs/")
        if not path.is_symlink() and path.name not in SKIPPED and not in_hand:
            yield name, path


def _keep(path: Path, folder: Path) -> tuple[str, bool]:
    """Keep a file as an object: its checksum, and whether it was new."""
    sha256 = _checksum(path)
    kept = _object(folder, sha256)
    if kept.is_file() and kept.stat().st_size == path.stat().st_size:
        return sha256, False
    kept.parent.mkdir(parents=True, exist_ok=True)
    partial = kept.with_name(f".{kept.name}{store.PARTIAL}")
    shutil.copyfile(path, partial)
    if (
        _checksum(partial) != sha256
    ):  # it was written to meanwhile, as logs are: what was copied is what counts
        sha256 = _checksum(partial)
        kept = _object(folder, sha256)
        kept.parent.mkdir(parents=True, exist_ok=True)
    _flush(partial)
    partial.replace(kept)
    return sha256, True


def _object(folder: Path, sha256: str) -> Path:
    return folder / OBJECTS / sha256[:2] / sha256


def _checksum(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


def _flush(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def _write_list(folder: Path, made: dict[str, Any]) -> None:
    partial = folder / f".{LIST}{store.PARTIAL}"
    partial.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    _flush(partial)
    partial.replace(folder / LIST)


def _read_list(folder: Path) -> dict[str, Any]:
    try:
        made: dict[str, Any] = json.loads((folder / LIST).read_text(encoding="utf-8"))
        complete = made["format"] == FORMAT and isinstance(made["files"], dict) and bool(made["database"])
    except (OSError, ValueError, KeyError, TypeError):
        complete = False
    if not complete:
        raise BackupRefused(f"{folder} holds no backup that this version can read")
    return made


def _forget(folder: Path, named: set[str]) -> None:
    """Take away objects of earlier backups that the present list does not name: withdrawn words among them."""
    for path in (folder / OBJECTS).glob("*/*"):
        if path.name not in named:
            path.unlink(missing_ok=True)


# --- databases ----------------------------------------------------------------------------------------
def _dump(to: Path) -> None:
    """The whole database as it is at one moment, while others write to it."""
    if connection.vendor == "sqlite":
        with (
            closing(sqlite3.connect(_sqlite_path())) as source,
            closing(sqlite3.connect(to)) as target,
        ):
            source.backup(target)
        return
    _postgres("pg_dump", "--format=custom", "--no-owner", f"--file={to}")


def _load(dump: Path) -> None:
    if connection.vendor == "sqlite":
        # Through SQLite itself: whoever has the file open sees the restored one, and its log is not left behind.
        connection.close()
        with (
            closing(sqlite3.connect(f"file:{dump}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(_sqlite_path())) as target,
        ):
            source.backup(target)
        return
    _postgres("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", str(dump))


def _sqlite_path() -> str:
    return str(settings.DATABASES["default"]["NAME"])


def _postgres(program: str, *arguments: str) -> None:
    known = settings.DATABASES["default"]
    where = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    given = {name: str(known[key]) for name, key in where.items() if known.get(key)}
    options = {"PGHOST": str(found)} if (found := known.get("OPTIONS", {}).get("host")) else {}
    name = str(known["NAME"])
    to = (f"--dbname={name}",) if program == "pg_restore" else (name,)
    found_program = shutil.which(program)
    if found_program is None:
        raise BackupRefused(f"{program} is not installed; it comes with PostgreSQL's client programs")
    done = subprocess.run(  # noqa: S603  # PostgreSQL's own program, a shell is not involved
        [found_program, *arguments, *to],
        env={**os.environ, **given, **options},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupRefused(f"{program}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")


def _is_in_use() -> bool:
    if "accounts_user" not in connection.introspection.table_names():
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM accounts_user)")
        found = cursor.fetchone()
    return bool(found and found[0])
