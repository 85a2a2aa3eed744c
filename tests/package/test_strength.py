"""docs/strength.md says what the raw files say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from negotiation.engine.deal.oracle.player import trained
from negotiation.engine.deal.selfplay import STRATEGIES
from tests.package.measured.reading import figure, short
from tests.servers import ROOT
from trainer.domains.deal.oracle.learning import OracleSettings

PAGE = (ROOT / "docs/strength.md").read_text()
FOUND: dict[str, Any] = json.loads((ROOT / "bench/results/oracle.json").read_text())
PERSONAS = ("diplomat", "auditor", "shark", "veteran")


def row(begins: str) -> list[str]:
    """The cells of the first line of the page that begins so, without the first."""
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| {begins} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_row_of_a_written_strategy_is_what_was_measured(strategy: str) -> None:
    table = FOUND["table"][strategy]
    told = [f"{figure(table[name], 2)} ({short(table[name]['deal_rate'], 2)})" for name in (*PERSONAS, "all")]
    assert row(strategy.replace("_", " ")) == told


def test_the_row_of_the_oracle_is_what_was_measured() -> None:
    cells = [FOUND["ships"]["by_persona"][name] for name in PERSONAS] + [FOUND["ships"]["middle"]]
    told = [f"**{figure(cell['oracle'], 2)}** ({short(cell['oracle_deal_rate'], 2)})" for cell in cells]
    assert row("**oracle**") == told


def test_the_oracle_is_above_the_expert_everywhere_and_makes_its_deals_within_its_limit() -> None:
    """The paired interval lies above zero with every persona, from both seats, in all scenarios and at all difficulties."""
    ships = FOUND["ships"]
    cells = [
        ships["middle"],
        *ships["by_persona"].values(),
        *ships["by_seat"].values(),
        *ships["by_scenario"].values(),
    ]
    cells += [each for by in ships["by_persona_and_difficulty"].values() for each in by.values()]
    assert all(cell["gain"]["ci95"][0] > 0 for cell in cells)
    assert all(cell["oracle_breaches"] == 0 for cell in cells)
    assert ships["middle"]["gain"]["mean"] >= 0.10
    assert ships["middle"]["oracle_deal_rate"] >= ships["middle"]["expert_deal_rate"] - 0.02


@pytest.mark.parametrize("persona", [*PERSONAS, "all four"])
def test_the_gains_on_the_page_are_those_of_the_file(persona: str) -> None:
    ships = FOUND["ships"]
    cell = ships["middle"] if persona == "all four" else ships["by_persona"][persona]
    name = "all four" if persona == "all four" else f"the {persona.title()}"
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| gain, {name} |"))
    assert figure(cell["gain"], 3) in line
    assert f"{short(cell['oracle_deal_rate'], 3)}, {short(cell['expert_deal_rate'], 3)}" in line


def test_the_training_is_as_the_page_says() -> None:
    settings, network = OracleSettings(), trained()
    weights = sum(each.size for each in (*network.weights, *network.biases))
    assert f"({weights:,} weights)" in PAGE
    assert f"reads {network.weights[0].shape[0]} numbers" in PAGE
    assert (
        f"{settings.cells} tables of {settings.games} deals an iteration, {settings.iterations} iterations"
        in PAGE
    )
    assert f"{round(settings.iterations * settings.cells * settings.games, -4):,} deals" in PAGE
    for seconds in FOUND["over_trainings"]["processor_seconds"]:
        assert seconds < 300, "from nothing in five processor minutes"
        assert re.search(rf"\b{round(seconds)}\b", PAGE)


def test_what_the_oracle_gains_with_a_case_and_what_evolution_found_are_as_measured() -> None:
    told = FOUND["with_a_case"]
    assert row("gained with a case") == [figure(told[name]["gain"], 3) for name in (*PERSONAS, "all")]
    against = json.loads((ROOT / "bench/results/champion.json").read_text())["against"]
    for name, label in (
        ("champion", "the numbers that evolution found"),
        *((each, f"the {each.title()}") for each in PERSONAS),
    ):
        cells = [against[name][way] for way in ("steady", "step for step", "firm", "oracle", "best response")]
        assert row(label) == [f"{figure(each['takes'], 2)} ({short(each['deal_rate'], 2)})" for each in cells]


def test_no_persona_that_ships_keeps_as_much_from_a_best_response_as_what_evolution_found() -> None:
    against = json.loads((ROOT / "bench/results/champion.json").read_text())["against"]
    for way in ("oracle", "best response"):
        most = against["champion"][way]["takes"]["ci95"][1]
        assert all(against[name][way]["takes"]["ci95"][0] > most for name in PERSONAS)
