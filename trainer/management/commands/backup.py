"""``manage.py backup DIR``: the database and the flywheel's files, checksummed; again, it copies only what is new."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.management.bad_input import one_line_errors
from trainer.flywheel.operations.backup import BackupRefused, backup
from trainer.flywheel.operations.nightly import back_up_tonight
from trainer.flywheel.operations.rehearsal import as_json


class Command(BaseCommand):
    help = "Back up the database and what models learn from, into a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument(
            "folder", type=Path, help="made if it is not there; an earlier backup is brought up to now"
        )

        parser.add_argument(
            "--nightly",
            action="store_true",
            help="into a folder of today's name, restored beside the house to see that it is one; the oldest go",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["nightly"]:
                told, rehearsed = back_up_tonight(options["folder"])
                answer = {**told.as_json(), "rehearsed": as_json(rehearsed)}
            else:
                answer = {**backup(options["folder"]).as_json()}
        except BackupRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        self.stdout.write(json.dumps(answer))
