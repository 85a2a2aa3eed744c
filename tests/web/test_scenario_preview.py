"""What playing a scenario by machine warns of: each warning from a scenario that deserves it, none from one that doesn't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negotiation.engine.deal import scenarios
from negotiation.engine.deal.scenario import DriftEvent, Effect, Scenario
from negotiation.scenario_figures import figures
from negotiation.scenario_preview import SEEDS, Cell, Played, cell_of, preview, warnings_of, zones_of

SAAS = scenarios()["saas_enterprise"]


def jittery(jitter: float) -> Scenario:
    return replace(SAAS, seats={seat: replace(spec, jitter=jitter) for seat, spec in SAAS.seats.items()})


def cells(**efficiency: float) -> list[Cell]:
    return [Cell(name, 96, 0.9, mean, mean, mean) for name, mean in efficiency.items()]


CALM = cells(expert=0.5, linear=0.3, stonewaller=0.1, capitulator=0.1)


def test_a_sound_scenario_is_not_warned_about() -> None:
    zones = zones_of(SAAS)
    assert sum(zones.counts) == SEEDS
    assert zones.empty == pytest.approx(SAAS.empty_zone_probability, abs=0.02)
    assert warnings_of(zones, CALM, CALM) == []


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (replace(SAAS, empty_zone_probability=0.3), "Empty zone in "),
        (
            replace(SAAS, drift=(DriftEvent("crash", 5, "Crash.", {"buyer": Effect(walk_away=-0.3)}),)),
            "Drift events alone shut the zone in ",
        ),
        (jittery(0.25), "had to be widened"),
    ],
    ids=["empty", "drift", "jitter"],
)
def test_a_zone_that_deserves_it_is_warned_about(scenario: Scenario, words: str) -> None:
    [warning] = warnings_of(zones_of(scenario), CALM, CALM)
    assert words in warning


def test_strategies_that_should_not_win_are_named_when_they_do() -> None:
    zones = zones_of(SAAS)
    [stone] = warnings_of(zones, CALM, cells(expert=0.5, stonewaller=0.6, capitulator=0.1))
    assert stone.startswith("A strategy that never concedes does best (stonewaller, 60% of the zone)")
    [early] = warnings_of(zones, CALM, cells(expert=0.5, stonewaller=0.1, capitulator=0.6))
    assert early.startswith("A strategy that gives in at once does best (capitulator, 60% of the zone)")
    [few] = warnings_of(zones, [Cell("Nobody, you are the buyer", 144, 0.3, 0.2, 0.1, 0.3)], CALM)
    assert few == "Nobody, you are the buyer: only 30% of the games end in a deal."


def test_a_deal_that_is_played_in_several_ways_counts_once() -> None:
    once = [Played("linear", "shark", "seller", seed, True, seed / 10) for seed in range(10)]
    thrice = [
        replace(game, strategy=strategy) for game in once for strategy in ("linear", "conceder", "expert")
    ]
    few, many = cell_of("x", once), cell_of("x", thrice)
    assert (few.games, many.games) == (10, 30)
    assert (many.efficiency, many.low, many.high) == pytest.approx((few.efficiency, few.low, few.high))


@pytest.mark.slow
def test_a_preview_tells_how_far_it_is_and_draws_figures_with_their_numbers() -> None:
    heard: list[tuple[int, int]] = []
    result = preview(SAAS, lambda done, total: heard.append((done, total)))
    assert [done for done, _ in heard] == list(range(1, heard[0][1] + 1))
    assert {cell["games"] for cell in result["opponents"]} == {144}
    for figure in figures(result, "€"):
        assert figure["table"]["rows"]
        assert {len(row) for row in figure["table"]["rows"]} == {len(figure["table"]["columns"])}
