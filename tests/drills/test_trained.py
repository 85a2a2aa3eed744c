"""Trained models that ship as tables: their play is what the table says, and what their source says of it is true."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from negotiation.engine.drills import GAMES, KuhnStrategy, Player, Strategy
from negotiation.engine.drills.books_hats_balls import encode
from negotiation.engine.drills.by_figures import FiguresStrategy, by_figures, rows
from negotiation.engine.drills.ipd import IPDStrategy
from negotiation.engine.drills.kuhn.theory import nash_conv
from negotiation.engine.drills.study import SUSPECTS, facing
from negotiation.engine.drills.study.chances import seen_by
from negotiation.engine.drills.theory.ipd_response import best_response
from negotiation.engine.drills.trained import player_of, remembering, table_of, trained
from tests.drills.kinds import dilemma_player, model_of, simultaneous
from tests.effort import few, matrix
from trainer.domains.drills import export
from trainer.domains.drills.contestants import Named
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.export import add, entry, figures
from trainer.errors import BadInput

PLAYED = sorted(trained())


def test_every_game_has_a_trained_model_and_no_suspect_has_its_name() -> None:
    assert sorted(GAMES) == PLAYED
    assert not any(name in SUSPECTS[game] for game in PLAYED for name in trained()[game])


@pytest.mark.parametrize("game", matrix(PLAYED, one_in=3))
def test_what_its_source_says_of_a_model_is_what_its_table_measures(game) -> None:
    model = model_of(game)
    found = figures(evaluate(GAMES[game], Named(model.strategy), few(1500, 4000), 7))
    for name, said in model.source.items():
        if name in found:
            assert found[name] == pytest.approx(
                said, abs=0.001 if name in ("nash_conv", "worst_margin") else few(0.08, 0.05)
            )


def test_exact_figures_of_the_models_follow_from_their_tables() -> None:
    kuhn, ipd = model_of("kuhn"), model_of("ipd")
    assert isinstance(kuhn.strategy, KuhnStrategy)
    assert isinstance(ipd.strategy, IPDStrategy)
    assert nash_conv([kuhn.strategy.behaviour] * 2) == pytest.approx(kuhn.source["nash_conv"], abs=1e-3)
    worst = best_response(ipd.strategy.cooperation, "margin").value
    assert worst == pytest.approx(ipd.source["worst_margin"], abs=1e-3)


@pytest.mark.parametrize("name", ["tft", "wsls", "zd_extort_2", "always_defect"])
def test_a_table_of_two_rounds_is_the_strategy_that_looks_no_further_back(name) -> None:
    game, strategy = simultaneous("ipd"), dilemma_player(name)
    twin = remembering("twin", "Twin", "", 2, table_of(strategy, 2))
    draws = game.draws(300, 5, "mixed")
    opponent = game.strategies["mixed"]
    assert np.array_equal(game.play(strategy, opponent, draws)[0], game.play(twin, opponent, draws)[0])


@pytest.mark.parametrize("game", PLAYED)
def test_theory_weighs_moves_against_a_model_as_against_anybody(game) -> None:
    rules, name = GAMES[game], model_of(game).strategy.name
    match = rules.match(rules.draws(1, 3, "x"))
    player: Player[Any] = player_of(rules, name)
    while match.to_move != (0,) and 0 not in match.to_move:
        match.play({1: player.act(match.view(1), match.number(1))})
    known = facing(rules, name, match.view(0))
    worths = known.worths(match.view(0))
    assert set(worths) == set(match.legal(0))
    assert known.balanced is None or known.best >= known.balanced


@pytest.mark.parametrize("game", matrix(["auction", "pie", "books_hats_balls"], one_in=3))
def test_what_the_best_play_earns_from_a_model_is_what_its_source_says(game) -> None:
    model = model_of(game)
    assert export.best_response(GAMES[game], model.strategy) == model.source["best_response"]


@pytest.mark.parametrize("game", matrix(["auction", "pie", "books_hats_balls"], one_in=3))
def test_what_a_person_is_paid_and_gives_away_is_what_the_best_play_earns(game) -> None:
    """Over many matches against the model that ships, with moves by chance."""
    rules, choose = simultaneous(game), np.random.default_rng(3)
    strategy = model_of(game).strategy
    assert isinstance(strategy, Strategy)
    draws, gaps = rules.draws(few(60, 150), 8, "gap"), []
    for place in range(draws.count):
        match = rules.match(draws, place)
        known = facing(rules, strategy.name, match.view(0))
        lost = 0.0
        while not match.done:
            worths, mine = known.worths(match.view(0)), int(choose.choice(match.legal(0)))
            lost += max(worths.values()) - worths[mine]
            match.play({0: mine, 1: strategy.act(match.view(1), match.number(1))})
        gaps.append((lost + sum(paid for paid, _ in match.payoffs)) / rules.rounds - known.best)
    assert np.mean(gaps) == pytest.approx(0, abs=4 * np.std(gaps) / draws.count**0.5)


def test_a_demand_beyond_the_pile_and_a_table_of_another_shape_are_refused() -> None:
    strategy = model_of("books_hats_balls").strategy
    assert isinstance(strategy, FiguresStrategy)
    demands = strategy.demands
    with pytest.raises(ValueError, match="asks for more than there is"):
        by_figures("x", "X", "", np.full_like(demands, encode((4, 4, 4))))
    with pytest.raises(ValueError, match="of shape"):
        by_figures("x", "X", "", demands[:2])


def test_a_division_hangs_on_the_round_and_on_nothing_that_anybody_did() -> None:
    game, strategy = simultaneous("books_hats_balls"), model_of("books_hats_balls").strategy
    assert isinstance(strategy, Strategy)
    for round_, told in list(rows())[::997]:
        seen = [seen_by([action] * round_, [action] * round_, [told]) for action in (0, encode((1, 1, 1)))]
        one, other = (strategy.choose(each, np.zeros(1, dtype=np.float32)) for each in seen)
        assert one == other
        assert int(one[0]) in game.legal(told)


def test_damaged_tables_are_refused() -> None:
    tables = table_of(dilemma_player("tft"), 2)
    with pytest.raises(ValueError, match="a table for each"):
        remembering("x", "X", "", 2, tables[:-1])
    with pytest.raises(ValueError, match="between 0 and 1"):
        remembering("x", "X", "", 2, [[1.5], *tables[1:]])


def test_a_name_stands_for_one_play_for_ever(tmp_path) -> None:
    file = tmp_path / "trained.json"
    made = entry(GAMES["kuhn"], GAMES["kuhn"].strategies["nash"], 0, "one", {"weights": 1})
    add(file, "kuhn", made)
    assert json.loads(file.read_text())["kuhn"][0]["bets"][1] == pytest.approx([1 / 3, 0, 1], abs=1e-5)
    with pytest.raises(BadInput, match="for ever"):
        add(file, "kuhn", made)
    with pytest.raises(BadInput, match="no small table"):
        entry(GAMES["pie"], GAMES["pie"].strategies["fair"], None, "one", {})
