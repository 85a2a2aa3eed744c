"""A model's play of the auction, the pie and the items, read off for people to play against, is the play of the model."""

from __future__ import annotations

import json

import numpy as np
import pytest

from negotiation.engine.drills import GAMES
from negotiation.engine.drills.by_figures import SHAPE, FiguresStrategy
from negotiation.engine.drills.remembering import MEMORIES, TableStrategy
from negotiation.engine.drills.trained import unpacked
from tests.drills.kinds import simultaneous
from tests.trainer.test_learning_drills import tiny
from trainer.commands import main
from trainer.errors import BadInput
from trainer.learning.sepo.course import begin, open_model, write_about
from trainer.learning.sepo.tables import play_of
from trainer.runs import Run


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Beginners of each game, and one of the items that is told of the rounds before."""
    told = {"auction": 1, "pie": 1, "books_hats_balls": 0, "told too much": 2}
    folders = {}
    for name, rounds in told.items():
        game = name if name in GAMES else "books_hats_balls"
        settings = tiny(game, **{"telling.told": rounds, "sft.steps": 60})
        folders[name] = tmp_path_factory.mktemp(game)
        write_about(folders[name], settings)
        begin(settings, 0, Run(folders[name], "test", settings, 0))
    return folders


def model_of(begun, name):
    game = GAMES[name if name in GAMES else "books_hats_balls"]
    return open_model(game, begun[name] / "base", 0)


@pytest.mark.parametrize("game", ["auction", "pie"])
def test_wherever_a_match_comes_to_the_table_says_what_the_model_does(begun, game) -> None:
    rules, memory, model = simultaneous(game), MEMORIES[game], model_of(begun, game)
    play, choose = play_of(model), np.random.default_rng(1)
    assert isinstance(play, TableStrategy)
    for seed in range(12):
        match = rules.match(rules.draws(1, seed, "tables"))
        while not match.done:
            view = match.view(0)
            likely = model.action_probabilities([match])[0]
            figures = memory.figure(view.private) if memory.figures else [0] * (match.round + 1)
            row: tuple[int, ...] = ()
            if match.round:
                row = (int(memory.pair(view.own[-1], view.other[-1])) * memory.kinds + int(figures[-2]),)
            said = play.plays[match.round][(*row, int(figures[-1]))]
            expected = [likely.get(action, 0.0) for action in memory.actions]
            assert said == pytest.approx(expected, abs=0.005)
            match.play({0: play.act(view, match.number(0)), 1: int(choose.choice(match.legal(1)))})


def test_in_the_items_it_asks_for_what_the_model_likes_best(begun) -> None:
    rules, model = simultaneous("books_hats_balls"), model_of(begun, "books_hats_balls")
    play = play_of(model)
    assert isinstance(play, FiguresStrategy)
    assert play.demands.shape == SHAPE
    for seed in range(20):
        match = rules.match(rules.draws(1, seed, "tables"))
        while not match.done:
            asked = play.act(match.view(0), match.number(0))
            assert asked in match.legal(0)
            assert [asked] == model.likeliest([match])
            match.play({0: asked, 1: match.legal(1)[0]})


def test_a_model_that_is_told_too_much_is_no_small_table(begun) -> None:
    with pytest.raises(BadInput, match="told of no round"):
        play_of(model_of(begun, "told too much"))


def test_the_command_keeps_a_table_that_the_browser_reads(begun, tmp_path, capsys) -> None:
    file = tmp_path / "trained.json"
    asked = ["--game", "pie", "--policy", f"model:{begun['pie'] / 'base'}", "--episodes", "50"]
    assert main(["drills", "export", *asked, "--name", "pupil", "--file", str(file)]) == 0
    source = json.loads(capsys.readouterr().out)
    (kept,) = json.loads(file.read_text())["pie"]
    assert (kept["name"], kept["told"], kept["source"]) == ("pupil", 1, source)
    first = unpacked(kept["plays"][0], MEMORIES["pie"].shape(0))
    assert first.sum() == 1000
    assert source["best_response"] > 0
    assert main(["drills", "export", *asked, "--name", "pupil", "--file", str(file)]) == 2
    assert "for ever" in capsys.readouterr().err
