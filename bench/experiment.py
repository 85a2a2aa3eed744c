"""An experiment: what it asks for, its cells, what it found; and with every figure when, of which commit, on what.

    @experiment("ipd.json", option("--seeds", type=int, default=3))
    def main(given: Given) -> Figures:
        report = given.kept({"runs": {}})
        given.cells(report, (("runs", str(seed)) for seed in range(given.seeds)), measure, summary)
        return report

Called without arguments, ``main`` reads the command line, with the module's docstring as help, measures, writes and prints.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from trainer.runs import revision

RESULTS = Path(__file__).resolve().parent / "results"
SCRATCH = RESULTS.parent.parent / "var" / "bench"
"""Where models are kept, and where a rehearsal writes: its figures must not stand where measured ones do."""
LOAD_BEFORE = [round(load, 2) for load in os.getloadavg()]
"""Of the machine when the bench began: what others were doing, without what the bench adds."""
REHEARSAL = "a little of everything: its figures say nothing, and go to var/bench unless --output is given"

Figures = dict[str, Any]
Cell = tuple[str, ...]
"""The keys that lead to a cell's figures in the report."""
Option = tuple[tuple[str, ...], dict[str, Any]]
Job = TypeVar("Job")
Done = TypeVar("Done")


class Given(argparse.Namespace):
    """What was asked for, and the report on the disk."""

    output: Path
    rehearse: bool = False

    def kept(self, otherwise: Figures) -> Figures:
        """What a run that was stopped has kept, so that it goes on; ``otherwise`` where there is nothing yet."""
        if self.rehearse or not self.output.exists():
            return otherwise
        found: Figures = json.loads(self.output.read_text(encoding="utf-8"))
        found.pop("measured", None)
        return found

    def cells(
        self,
        report: Figures,
        cells: Iterable[Cell],
        measure: Callable[[Cell], Figures],
        summary: Callable[[Figures], Any] | None = None,
    ) -> None:
        """Measure every cell that the report does not hold yet, and keep the report with its ``summary`` after each."""
        for cell in cells:
            at = report
            for key in cell[:-1]:
                at = at.setdefault(key, {})
            if cell[-1] not in at:
                at[cell[-1]] = measure(cell)
                if summary is not None:
                    report["summary"] = summary(report)
                keep(report, self.output)


def option(*names: str, **how: Any) -> Option:
    """A flag, as :mod:`argparse` takes it."""
    return names, how


def experiment(
    output: str, *options: Option, rehearsal: bool = False, told: bool = True
) -> Callable[[Callable[[Given], Figures | None]], Callable[[], None]]:
    """Make a function that measures into a command.

    Args:
        output: the file, or the folder, under ``bench/results`` that is written unless another is named.
        rehearsal: whether it can do a little of everything, to see that it runs.
        told: whether what it found is printed; else it prints by itself. What is ``None`` it has kept by itself.
    """

    def made(measure: Callable[[Given], Figures | None]) -> Callable[[], None]:
        def command() -> None:
            about = sys.modules[measure.__module__].__doc__
            parser = argparse.ArgumentParser(
                description=about, formatter_class=argparse.RawDescriptionHelpFormatter
            )
            parser.add_argument(
                "--output", type=Path, help=f"unless given, bench/results/{output}".rstrip("/")
            )
            if rehearsal:
                parser.add_argument("--rehearse", action="store_true", help=REHEARSAL)
            for names, how in options:
                parser.add_argument(*names, **how)
            given = parser.parse_args(namespace=Given())
            if vars(given)["output"] is None:
                given.output = (SCRATCH if given.rehearse else RESULTS) / output
            found = measure(given)
            if found is not None:
                (tell if told else keep)(found, given.output)

        return command

    return made


def processes(workers: int, work: Callable[[Job], Done], jobs: Iterable[Job], chunk: int = 1) -> list[Done]:
    """What ``work`` makes of each job, in their order, in processes of their own, so many jobs at once to each."""
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(work, jobs, chunksize=chunk))


def keep(found: Figures, output: Path) -> None:
    """Write the raw output, with when it was written, of which commit, and on what machine."""
    measured = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "revision": revision(),
        "machine": {
            "cores": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
            "load_before": LOAD_BEFORE,
        },
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(written({"measured": measured, **found}) + "\n", encoding="utf-8")


def tell(found: Figures, output: Path) -> None:
    """Keep it, and print it."""
    keep(found, output)
    print(written(found))


def written(value: Any, indent: str = "") -> str:
    """As JSON, what holds no more tables or lists on one line."""
    if not isinstance(value, dict | list | tuple):
        return json.dumps(value)
    within = list(value.values() if isinstance(value, dict) else value)
    if not any(isinstance(each, dict | list | tuple) and each for each in within):
        return json.dumps(value)
    if isinstance(value, dict):
        # A key is written as json writes it: a number or None becomes text.
        names = [json.dumps({name: 0})[1:-4] for name in value]
        parts = [f"{name}: {written(each, indent + ' ')}" for name, each in zip(names, within, strict=True)]
        left, right = "{", "}"
    else:
        parts, left, right = [written(each, indent + " ") for each in within], "[", "]"
    body = f",\n{indent} ".join(parts)
    return f"{left}\n{indent} {body}\n{indent}{right}"
