"""An experiment reads its flags, keeps every cell as it is done, goes on where it was stopped, and writes what it found."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import experiment as module
from bench.experiment import Cell, Figures, Given, experiment, option, processes, written


def called(command: Callable[[], None], *arguments: str) -> None:
    """The command as it is started from a shell."""
    before, sys.argv = sys.argv, ["bench", *arguments]
    try:
        command()
    finally:
        sys.argv = before


def counting(stop_at: int | None, measured: list[Cell]) -> Callable[[], None]:
    """An experiment over seeds that dies at one of them."""

    @experiment("counting.json", option("--seeds", type=int, default=3), rehearsal=True)
    def main(given: Given) -> Figures:
        report = given.kept({"runs": {}})

        def measure(cell: Cell) -> Figures:
            if int(cell[1]) == stop_at:
                raise RuntimeError("stopped")
            measured.append(cell)
            return {"value": int(cell[1])}

        cells = [("runs", str(seed)) for seed in range(given.seeds)]
        given.cells(
            report, cells, measure, lambda report: sum(run["value"] for run in report["runs"].values())
        )
        return report

    return main


def test_a_stopped_experiment_goes_on_with_the_cells_that_it_had_not_done(tmp_path: Path) -> None:
    output, first, second = tmp_path / "found.json", list[Cell](), list[Cell]()
    with pytest.raises(RuntimeError, match="stopped"):
        called(counting(2, first), "--output", str(output))
    assert json.loads(output.read_text())["summary"] == 1
    called(counting(None, second), "--output", str(output), "--seeds", "4")
    assert (first, second) == ([("runs", "0"), ("runs", "1")], [("runs", "2"), ("runs", "3")])
    found = json.loads(output.read_text())
    assert set(found.pop("measured")) == {"at", "revision", "machine"}
    assert found == {"runs": {str(seed): {"value": seed} for seed in range(4)}, "summary": 6}


def test_a_rehearsal_goes_on_from_nothing_and_writes_nowhere_near_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(module, "SCRATCH", tmp_path / "scratch")
    again: list[Cell] = []
    for _ in range(2):
        called(counting(None, again), "--rehearse", "--seeds", "1")
    assert again == [("runs", "0")] * 2
    assert not (tmp_path / "results").exists()
    assert json.loads((tmp_path / "scratch" / "counting.json").read_text())["runs"] == {"0": {"value": 0}}
    assert capsys.readouterr().out.count('"runs"') == 2
    called(counting(None, again), "--seeds", "1")
    assert (tmp_path / "results" / "counting.json").exists()


def test_what_holds_no_more_tables_stands_on_one_line_and_reads_back_the_same() -> None:
    found = {"a": {"b": [1.5, None, True], "c": [{"d": 1}, {"d": "é"}]}, 2: {}, "e": [], "f": (1, 2)}
    text = written(found)
    assert json.loads(text) == json.loads(json.dumps(found))
    assert text.splitlines() == [
        "{",
        ' "a": {',
        '  "b": [1.5, null, true],',
        '  "c": [',
        '   {"d": 1},',
        '   {"d": "\\u00e9"}',
        "  ]",
        " },",
        ' "2": {},',
        ' "e": [],',
        ' "f": [1, 2]',
        "}",
    ]


def test_jobs_come_back_in_their_order() -> None:
    assert processes(2, abs, range(-5, 0), chunk=2) == [5, 4, 3, 2, 1]
