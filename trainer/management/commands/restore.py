"""``manage.py restore DIR``: put back what ``backup`` kept, after every checksum was found right."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from negotiation.management.bad_input import one_line_errors
from trainer.flywheel.operations.backup import BackupRefused, restore


class Command(BaseCommand):
    help = "Restore a backup into an empty place; stop the servers and workers first."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("folder", type=Path, help="as backup wrote it")
        parser.add_argument("--overwrite", action="store_true", help="replace what is here")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            told = restore(options["folder"], overwrite=options["overwrite"])
        except BackupRefused as refused:
            raise CommandError(str(refused), returncode=2) from None
        # A backup of an earlier version is brought up to this one.
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write(json.dumps(told.as_json()))
