"""``manage.py rehearse DIR``: restore a backup beside the house and play from it, so that it is known to be one."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.management.bad_input import one_line_errors
from trainer.flywheel.operations.backup import BackupRefused
from trainer.flywheel.operations.rehearsal import as_json, inspect, rehearse


class Command(BaseCommand):
    help = "Restore a backup beside the house, bring it up to date and replay its latest deals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("folder", type=Path, nargs="?", help="as backup wrote it")
        parser.add_argument(
            "--inside", action="store_true", help="look at the database of this environment instead"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["folder"] is None and not options["inside"]:
            raise CommandError("name the folder of a backup", returncode=2)
        try:
            told = inspect() if options["inside"] else rehearse(options["folder"])
        except BackupRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        self.stdout.write(json.dumps(as_json(told)))
