"""States that many tests begin with, worked out once a process and then taken from memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.db import connection

from tests import database

T = TypeVar("T")


def remembered(name: str, make: Callable[[], T]) -> T:
    """What ``make`` returns, with the database and the flywheel's files as it leaves them.

    ``database.remembered`` says when it is called again; on another database than SQLite, or within a transaction, always.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return make()
    connection.ensure_connection()
    return database.remembered(name, connection.connection, Path(settings.FLYWHEEL_DIR), make)
