"""``manage.py dataset NAME --output DIR``: a frozen dataset as the trainer reads it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.management.bad_input import one_line_errors
from trainer.errors import BadInput
from trainer.flywheel.datasets import DatasetRefused, dataset_write
from trainer.flywheel.models import Dataset


class Command(BaseCommand):
    help = "Write train.jsonl, validation.jsonl and card.json of a frozen dataset; the use is noted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("name", help="as the data room calls it")
        parser.add_argument("--output", required=True, type=Path, help="the folder to write to")
        parser.add_argument("--run", default="", help="what to note as the use; by default the folder")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        dataset = Dataset.objects.filter(name=options["name"]).first()
        if dataset is None:
            raise CommandError(f"there is no dataset {options['name']!r}", returncode=2)
        output: Path = options["output"]
        try:
            counts = dataset_write(dataset=dataset, folder=output, run=options["run"] or str(output))
        except (DatasetRefused, BadInput) as refused:
            raise CommandError(str(refused), returncode=2) from refused
        if options["json"]:
            self.stdout.write(json.dumps({"sha256": dataset.sha256, **counts}))
        else:
            self.stdout.write(", ".join(f"{count} to {split} on" for split, count in counts.items()))
