"""docs/measured.md says what the raw files say, and names for each of them a script and a commit."""

from __future__ import annotations

import re

import pytest

from tests.package.measured import models, opponents, people, speed
from tests.package.measured.reading import PAGE, RESULTS, Told, figure, raw, row
from tests.servers import ROOT


def told() -> list[Told]:
    """All rows of a figure."""
    return [*speed.told(), *opponents.told(), *people.told(), *models.told()]


def test_in_each_of_six_seeds_the_worst_opponent_takes_no_more_after_training() -> None:
    runs = raw("sepo_harm.json")["runs"]["ipd"]["ours"]
    assert len(runs) == 6
    for run in runs.values():
        assert run["stages"]["adapter"]["worst_margin"] <= run["stages"]["base"]["worst_margin"]


@pytest.mark.parametrize(
    ("begins", "figures"), told(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_row_says_what_its_file_says(begins: str, figures: list[str]) -> None:
    line = row(begins)
    assert figures
    assert [each for each in figures if each not in line] == [], line


def test_every_row_of_a_figure_names_script_file_and_commit() -> None:
    rows = [
        line for line in PAGE.splitlines() if re.search(r"`bench\.\w+`, `", line) and line.startswith("|")
    ]
    assert len(rows) == len(told())
    for line in rows:
        script, file, commits = re.search(r"`bench\.(\w+)`, `([\w./]+)`.*\| ([\w+, ]+) \|$", line).groups()  # type: ignore[union-attr]
        assert (ROOT / "bench" / f"{script}.py").exists(), line
        assert (RESULTS / file).exists(), line
        assert re.fullmatch(r"[0-9a-f]{7}\+?(, [0-9a-f]{7}\+?)*", commits), line


def test_the_auditor_is_as_measured() -> None:
    found, rated = raw("opponents_auditor.json"), raw("ratings_auditor.json")["auditor@0.5"]
    line = row("the Auditor, the fourth")
    assert figure(found["overall"]["auditor"], 3) in line
    assert figure(found["table"]["expert"]["auditor"], 2) in line
    assert f"{rated['rating']} ± {round(2 * rated['deviation'])}" in row("the Auditor's rating")
    readme = (ROOT / "README.md").read_text()
    assert "| 0.27 [0.26, 0.28] | 0.53 [0.50, 0.55] |" in readme


def test_every_raw_file_is_on_the_page_under_the_commit_that_it_names_itself() -> None:
    for path in RESULTS.glob("*.json"):
        assert f"`{path.name}`" in PAGE, path.name
        measured = raw(path.name).get("measured", {})
        if measured:
            commit = measured["revision"]
            line = next(line for line in PAGE.splitlines() if f"`{path.name}`" in line)
            assert commit[:7] + "+" * commit.endswith("+") in line, path.name


def test_the_loops_generations_would_not_have_passed_the_gate_of_the_product() -> None:
    """By the margins of the product, from the intervals that the bench kept."""
    from trainer.evaluation.gate import GateSettings

    house = GateSettings()
    for generation in raw("flywheel.json")["generations"]:
        criteria = {each["id"]: each for each in generation["criteria"]}
        assert criteria["validity"]["apart"]["ci95"][0] < -house.validity_margin
    assert "would have held all three" in row("the loop")
    assert "would have held all three" in (ROOT / "docs/flywheel.md").read_text()
