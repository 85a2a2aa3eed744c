"""``manage.py backup DIR``: the database and the flywheel's files, checksummed; again, it copies only what is new."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.management.bad_input import one_line_errors
from trainer.flywheel.operations.backup import BackupRefused, backup


class Command(BaseCommand):
    help = "Back up the database and what models learn from, into a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument(
            "folder", type=Path, help="made if it is not there; an earlier backup is brought up to now"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            told = backup(options["folder"])
        except BackupRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        self.stdout.write(json.dumps(told.as_json()))
