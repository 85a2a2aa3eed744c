"""``manage.py schema``: write the empty database as SQL, for first starts and for tests. To be run after a new migration."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from parlay_web import schema

ONCE = "2026-01-01 00:00:00"
"""When its migrations ran, so that the same migrations always give the same text."""
RAN = re.compile(r"""(INSERT INTO "django_migrations" VALUES\(.*,)'[^']*'\);""")


class Command(BaseCommand):
    """Migrates a database of its own."""

    help = "Write parlay_web/schema.sql anew from the migrations."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate in a fresh process, whatever database this one is set to."""
        schema.PATH.write_text(f"{schema.MARK}{schema.digest()}\n{migrated()}")
        self.stdout.write(f"{schema.PATH.relative_to(schema.ROOT)} is of the present migrations")


def migrated() -> str:
    """The SQL of a database that every migration has gone over."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"],
            cwd=schema.ROOT,
            env={**environment, "PARLAY_VAR": folder, "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev"},
            check=True,
        )
        with sqlite3.connect(Path(folder) / "parlay.sqlite3") as connection:
            lines = list(connection.iterdump())
        connection.close()
    return "".join(RAN.sub(rf"\1'{ONCE}');", line) + "\n" for line in lines)
