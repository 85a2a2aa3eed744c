"""The database that first starts read from a file is the one that migrating makes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from parlay_web import schema
from parlay_web.management.commands.schema import migrated


def test_the_file_is_of_these_migrations() -> None:
    assert schema.is_current(), "migrations changed: run manage.py schema"


@pytest.mark.slow
def test_the_file_is_what_migrating_makes() -> None:
    assert schema.PATH.read_text().split("\n", 1)[1] == migrated(), "run manage.py schema"


def test_a_database_is_laid_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "house.sqlite3"
    schema.lay(database)
    assert schema.applied(database)
    broken = tmp_path / "broken.sql"
    broken.write_text("CREATE TABLE one (id integer); CREATE TABLE ;")
    monkeypatch.setattr(schema, "PATH", broken)
    with pytest.raises(sqlite3.Error):
        schema.lay(tmp_path / "other.sqlite3")
    assert not (tmp_path / "other.sqlite3").exists()


def test_what_a_database_has_had_tells_it_from_another(tmp_path: Path) -> None:
    database = tmp_path / "house.sqlite3"
    assert schema.applied(database) == ""
    schema.lay(database)
    before = schema.applied(database)
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'coaching'")
    assert schema.applied(database) not in ("", before)
