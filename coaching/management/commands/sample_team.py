"""``manage.py sample_team``: give the demo team colleagues with four weeks of deals. Running it again changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from coaching.room.sample import furnish
from coaching.room.tasks import furnish_sample


class Command(BaseCommand):
    """Only where demo mode is on, and after ``manage.py demo``."""

    help = "Give the demo team colleagues with four weeks of deals behind them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Now or later."""
        parser.add_argument("--later", action="store_true", help="leave it to the worker and return at once")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play the deals, or have them played."""
        if not settings.DEMO:
            raise CommandError("PARLAY_DEMO: demo data is off here")
        if options["later"]:
            furnish_sample.delay()
            return
        self.stdout.write(f"{furnish()} deals played")
