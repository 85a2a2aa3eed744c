"""What docs/agents.md says of its own example and of what the server costs."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from negotiation.engine.deal import Action, Negotiation, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.figures import bootstrap
from tests.servers import ROOT

PAGE = " ".join((ROOT / "docs/agents.md").read_text().split())
MEASURED = (ROOT / "docs/measured.md").read_text()
DEALS = 60
Played = tuple[float, bool]


def _table(seed: int) -> Negotiation:
    return Negotiation("saas_enterprise", "shark", "seller", seed)


def _ended(game: Negotiation) -> Played:
    assert game.outcome is not None
    return game.outcome.efficiency, game.outcome.deal


def concede(seed: int) -> Played:
    """As the page's client does."""
    game, price = _table(seed), 180_000.0
    while not game.done:
        price = max(price - 2_000, game.observe().own.walk_away)
        game.step(Action(text=f"We can do {price:,.0f}.", offer=price))
    return _ended(game)


def repeat(seed: int) -> Played:
    """One offer to the end."""
    game = _table(seed)
    while not game.done:
        game.step(Action(text="We can do 158.", offer=158_000))
    return _ended(game)


def strategy(name: str) -> Callable[[int], Played]:
    def play(seed: int) -> Played:
        game, player, rng = _table(seed), STRATEGIES[name](), stream(seed, "player")
        player.told(scenarios()["saas_enterprise"])
        while not game.done:
            game.step(player.act(game.observe(), rng))
        return _ended(game)

    return play


@pytest.mark.parametrize(
    ("player", "told"),
    [
        (concede, "this concession wins {} of the zone and closes {:.0%} of them"),
        (strategy("linear"), "plain `linear` {} and {:.0%}"),
        (strategy("expert"), "`expert` {} and {:.0%}"),
        (repeat, "Repeating 158,000 to the end wins {}"),
    ],
    ids=["the example", "linear", "expert", "one offer repeated"],
)
def test_the_example_wins_over_many_seeds_what_the_page_says(
    player: Callable[[int], Played], told: str
) -> None:
    played = [player(seed) for seed in range(DEALS)]
    share = bootstrap([share for share, _ in played])
    short = [f"{value:.2f}".removeprefix("0") for value in (share.mean, *share.ci95)]
    closed = sum(deal for _, deal in played) / DEALS
    assert told.format(f"{short[0]} [{short[1]}, {short[2]}]", closed) in PAGE


def test_the_client_of_the_page_plays_the_moves_that_are_measured() -> None:
    assert 'price = max(price - 2_000, result.observation["own"]["walk_away"])' in PAGE
    assert f"{repeat(7)[0]:.2f}".removeprefix("0") == ".66"
    assert "takes .66 of the one with seed 7" in PAGE


def test_what_the_server_costs_stands_beside_an_environment_with_as_many_processes() -> None:
    found = json.loads((ROOT / "bench/results/openenv.json").read_text())
    assert found["processes"]["deal"] == found["processes"]["trivial_equal"]
    for kind in ("trivial", "trivial_equal", "deal", "deal_without_words"):
        for figures in ("steps_per_second", "steps_per_server_cpu_second"):
            row = [f"{value:,.0f}" for value in found[figures][kind].values()]
            assert " | ".join(row) in PAGE, kind
            assert row[2] in MEASURED, kind
    for share in ("share_of_trivial_equal", "share_of_trivial_equal_per_cpu_second"):
        assert f"{found[share]['deal']['32']:.0%}" in MEASURED
    assert f"commit {found['measured']['revision'][:7]}" in PAGE
