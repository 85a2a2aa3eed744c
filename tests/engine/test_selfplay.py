"""Self-play and its command."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from negotiation.engine.deal.selfplay import STRATEGIES, play_one, selfplay
from tests.effort import few
from tests.engine.players import PERSONAS

GAMES = few(40, 80)
KEYS = {
    "episodes", "mean_efficiency", "efficiency_ci95", "deal_rate",
    "mean_turns", "mean_reward", "floor_breaches", "episodes_per_second",
}  # fmt: skip


def test_the_nine_reference_strategies_are_there() -> None:
    assert set(STRATEGIES) == {
        "capitulator", "conceder", "linear", "boulware", "tit_for_tat",
        "bayesian", "stonewaller", "random", "expert",
    }  # fmt: skip


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_reference_strategy_breaches_its_floor(strategy) -> None:
    for persona in PERSONAS:
        report = selfplay("acquisition_term_sheet", persona, "buyer", strategy, few(8, 25), seed=100)
        assert report.floor_breaches == 0
        assert report.efficiency_ci95[0] <= report.mean_efficiency <= report.efficiency_ci95[1]


def test_episodes_are_reproducible_and_seeds_differ() -> None:
    first = [play_one("saas_enterprise", "veteran", "seller", "expert", s) for s in range(5)]
    again = [play_one("saas_enterprise", "veteran", "seller", "expert", s) for s in range(5)]
    assert first == again
    assert len({outcome.price for outcome in first}) > 1


def test_skill_pays_and_the_personas_are_ordered() -> None:
    """The veteran is the hardest, then the shark, then the diplomat; the expert beats plain concession."""
    plain = {
        p: selfplay("saas_enterprise", p, "seller", "linear", GAMES, 0).mean_efficiency for p in PERSONAS
    }
    skilled = {
        p: selfplay("saas_enterprise", p, "seller", "expert", GAMES, 0).mean_efficiency for p in PERSONAS
    }
    assert plain["diplomat"] > plain["shark"] > plain["veteran"]
    for persona in PERSONAS:
        assert skilled[persona] > plain[persona] + 0.1


def test_the_command_prints_one_json_object() -> None:
    out = StringIO()
    call_command(
        "selfplay", scenario="hiring_package", persona="shark", seat="buyer", rep="boulware",
        episodes=5, seed=3, json=True, stdout=out,
    )  # fmt: skip
    assert set(json.loads(out.getvalue())) == KEYS


@pytest.mark.parametrize("bad", [{"episodes": 0}, {"seed": -1}, {"difficulty": 2.0}])
def test_bad_numbers_are_refused_with_status_two_and_their_name(bad) -> None:
    options = {"scenario": "saas_enterprise", "persona": "shark", "rep": "linear"} | bad
    with pytest.raises(CommandError) as refused:
        call_command("selfplay", **options)
    assert refused.value.returncode == 2
    assert next(iter(bad)) in str(refused.value)
