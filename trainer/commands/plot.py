"""``plot``: the curves of a run, as one page."""

from __future__ import annotations

import argparse
from pathlib import Path

from trainer.commands.arguments import OneLineParser, show
from trainer.errors import BadInput
from trainer.reports import curves, page
from trainer.runs import read_metrics


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = OneLineParser(prog="python -m trainer plot", description=__doc__)
    arguments.add_argument("run", type=Path, help="the run's folder")
    arguments.add_argument("--output", type=Path, help="the page (default curves.html in the run's folder)")
    arguments.add_argument("--json", action="store_true", help="print the result as one JSON object")
    arguments.add_argument("--config", type=Path, help=argparse.SUPPRESS)
    arguments.add_argument("--seed", type=int, help=argparse.SUPPRESS)
    arguments.add_argument("--resume", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args(argv)
    plots = curves.of_run(read_metrics(given.run))
    if not plots:
        raise BadInput(f"{given.run} has no metrics that could be drawn")
    path = given.output or given.run / "curves.html"
    page.write(page.Report(f"Run {given.run.name}", "What was learnt, step by step.", plots), path)
    show({"page": str(path)}, as_json=given.json)
    return 0
