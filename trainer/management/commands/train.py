"""``manage.py train RUN``: work one training run and end. What a Job of Kubernetes does."""

from __future__ import annotations

import signal
import uuid
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand

from negotiation.management.bad_input import one_line_errors
from owed import services as owed
from trainer.flywheel.tasks import TRAINING


class Command(BaseCommand):
    help = "Work one training run. A run that another worker has, or that is over, is left as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("run", type=uuid.UUID, help="its key, as in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        # A node that is drained: what there is so far is sent, and the run waits for the next worker at once.
        signal.signal(signal.SIGTERM, _stop)
        self.stdout.write("worked" if owed.do(TRAINING, options["run"]) else "not to be had")


def _stop(_: int, __: FrameType | None) -> None:
    raise owed.NotYet
