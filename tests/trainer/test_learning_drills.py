"""The drills learnt: play read off a model is the play that it writes, and SEPO teaches what its objective says."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
import torch

from negotiation.engine.drills import GAMES, KuhnStrategy
from negotiation.engine.drills.kuhn.rules import histories
from trainer.commands import main
from trainer.domains.drills.contestants import Choosing
from trainer.domains.drills.evaluation import evaluate
from trainer.domains.drills.games import DrillGames, DrillTask
from trainer.domains.drills.prompts import Telling, user
from trainer.errors import BadInput
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.course import apprentice
from trainer.learning.grpo import averaged, generator_of
from trainer.learning.policy import load
from trainer.learning.rollout import roll_out
from trainer.learning.sepo.course import (
    begin,
    examples_of,
    open_model,
    settings_for,
    strengthen,
    texts_of,
    write_about,
)
from trainer.learning.sepo.model import Model, hand_at
from trainer.learning.sepo.source import groups_of, tasks_of, training_samples
from trainer.runs import Run, read_metrics

TINY = {
    "per_game": 200,
    "build.hidden": 16,
    "build.inner": 32,
    "build.layers": 1,
    "build.heads": 2,
    "build.vocabulary": 300,
    "sft.steps": 40,
    "lora.rank": 4,
    "sepo.steps": 2,
    "sepo.num_generations": 2,
    "sepo.eval_steps": 2,
    "sepo.eval_episodes": 4,
    "episodes": 4,
}


def tiny(game, **changes):
    return settings_for(None, {"game": game, **TINY, **changes})


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Beginners of the dilemma and of poker."""
    folders = {}
    for game in ("ipd", "kuhn"):
        settings = tiny(game)
        folders[game] = tmp_path_factory.mktemp(game)
        write_about(folders[game], settings)
        begin(settings, 0, Run(folders[game], "test", settings, 0))
    return folders


def test_play_read_off_the_dilemma_is_the_play_that_is_written(begun) -> None:
    game = GAMES["ipd"]
    model = open_model(game, begun["ipd"] / "base", 1)
    written = Choosing(model._choose)
    for opponent in ("mixed", "grim"):
        draws = game.draws(200, 3, opponent)
        read, wrote = (each.against(game, opponent, draws).payoffs[0].mean() for each in (model, written))
        assert read == pytest.approx(wrote, abs=0.2)


def test_play_read_off_poker_is_the_play_that_is_written_at_all_twelve_information_sets(begun) -> None:
    model = open_model(GAMES["kuhn"], begun["kuhn"] / "base", 1)
    strategy = model.strategy(GAMES["kuhn"])
    assert isinstance(strategy, KuhnStrategy)
    behaviour = strategy.behaviour
    assert behaviour.shape == (4, 3)
    for row, history in enumerate(histories(2)[0]):
        for card in range(3):
            bets = np.mean(model._choose([hand_at(history, card)] * 400))
            assert bets == pytest.approx(behaviour[row, card], abs=0.1)


def test_told_alone_a_hand_of_poker_is_one_of_twelve() -> None:
    hands = [hand_at(history, card) for history in histories(2)[0] for card in range(3)]
    assert len({user(hand, 0, Telling(thoughts=False, told=0)) for hand in hands}) == 12
    assert all(hand.to_move == (0,) for hand in hands)


def test_the_last_rounds_are_told_with_their_numbers_and_the_others_are_not() -> None:
    match = GAMES["ipd"].match(GAMES["ipd"].draws(1, 1, "x"))
    for _ in range(4):
        match.play({0: 0, 1: 1})
    told = user(match, 0, Telling(told=2)).splitlines()
    assert [line.split(":")[0] for line in told[1:]] == ["Round 3", "Round 4"]
    assert user(match, 0, Telling(told=9)) == user(match, 0)


@pytest.mark.parametrize("credit", ["own", "paper"])
def test_every_answer_is_worth_what_its_round_was(begun, credit) -> None:
    settings = tiny("kuhn", **{"sepo.objective.credit": credit})
    policy = load(begun["kuhn"] / "base", lora=settings.lora, train=True, seed=0)
    tasks = tasks_of(GAMES["kuhn"], settings.sepo, [], 0, 0)
    repeated = [task for task in tasks for _ in range(settings.sepo.num_generations)]
    games = DrillGames(settings.telling)
    episodes = roll_out(policy, games, repeated, settings.sepo.sampling, generator_of(0, "x", 0))
    samples = training_samples(GAMES["kuhn"], tasks, episodes, settings.sepo)
    taught = [e for e, t in zip(episodes, repeated, strict=True) if credit == "own" or t.pool == "train"]
    assert len(samples) == sum(len(each.rows) + len(each.failed) for each in taught)
    for group in groups_of(GAMES["kuhn"], tasks, episodes, settings.sepo):
        assert (group.auxiliary is not None) == (credit == "paper" and group.pool == "train")


def test_sepo_teaches_a_beginner_to_yield_less_to_a_defector(begun, tmp_path) -> None:
    # Eight steps show it where harm is charged in all groups; without, the network needs more of them (docs/sepo.md).
    short = {"sepo.steps": 8, "sepo.num_generations": 4, "sepo.eval_steps": 8}
    settings = tiny("ipd", **short, **{"sepo.objective.harm": "all"})
    strengthen(settings, begun["ipd"] / "base", 0, Run(tmp_path, "test", settings, 0))
    before = open_model(GAMES["ipd"], begun["ipd"] / "base", 1)
    after = Model(GAMES["ipd"], load(begun["ipd"] / "base", tmp_path / "adapter"), settings.telling)
    exploit = [evaluate(GAMES["ipd"], each, 2000, 1)["exploit"]["mean"] for each in (before, after)]
    assert exploit[1] < exploit[0]


@pytest.mark.parametrize(("game", "grow_every"), [("ipd", 1), ("kuhn", 0), ("kuhn", 1)])
def test_a_run_that_was_cut_short_goes_on_bit_for_bit_with_the_pool_that_had_grown(
    begun, tmp_path, game, grow_every
) -> None:
    changes = {"sepo.steps": 3, "sepo.save_every": 2, "sepo.eval_steps": 3}
    settings = tiny(game, **changes, **{"sepo.grow_every": grow_every, "sepo.grow_keep": 3})
    for name in ("whole", "cut"):
        run = Run(tmp_path / name, "test", settings, 0)
        strengthen(settings, begun[game] / "base", 0, run)
    newest = sorted((tmp_path / "cut" / "checkpoints").iterdir())[-1]
    shutil.rmtree(newest)
    assert Checkpoints(tmp_path / "cut" / "checkpoints").latest() == 2
    again = Run(tmp_path / "cut", "test", settings, 0, resume=True)
    strengthen(settings, begun[game] / "base", 0, again, resume=True)
    clock = ("rollout_seconds", "update_seconds", "memory_mb")
    lines = [
        [{k: v for k, v in line.items() if k not in clock} for line in read_metrics(tmp_path / name)]
        for name in ("whole", "cut")
    ]
    assert lines[0] == lines[1]
    whole, cut = (Checkpoints(tmp_path / name / "checkpoints").extra() for name in ("whole", "cut"))
    assert [name for name, _ in whole["grown"]] == [
        f"best_response_{step}" for step in (0, 1, 2) if grow_every
    ]
    for (_, ours), (_, theirs) in zip(whole["grown"], cut["grown"], strict=True):
        assert all(torch.equal(one, other) for one, other in zip(ours, theirs, strict=True))
    weights = [
        (tmp_path / name / "adapter" / "adapter_model.safetensors").read_bytes() for name in ("whole", "cut")
    ]
    assert weights[0] == weights[1]


def test_poker_grows_its_pool_and_keeps_the_latest(begun, tmp_path) -> None:
    settings = tiny("kuhn", **{"sepo.steps": 3, "sepo.grow_every": 1, "sepo.grow_keep": 2})
    run = Run(tmp_path, "test", settings, 0)
    strengthen(settings, begun["kuhn"] / "base", 0, run)
    assert [line["grown"] for line in read_metrics(tmp_path) if line["kind"] == "sepo"] == [1, 2, 2]


def test_with_a_running_average_it_is_the_average_that_is_kept() -> None:
    now, average = {"w": torch.tensor([1.0])}, {"w": torch.tensor([0.0])}
    assert averaged(average, now, 0.75)["w"].item() == pytest.approx(0.25)
    assert averaged(average, now, 0.0)["w"].item() == 1.0


def test_the_command_trains_and_evaluate_reads_what_it_wrote(tmp_path, capsys) -> None:
    config = tmp_path / "course.toml"
    config.write_text(
        "game = 'pie'\nper_game = 80\nepisodes = 3\n"
        "[build]\nhidden = 16\ninner = 32\nlayers = 1\nheads = 2\nvocabulary = 300\n"
        "[sft]\nsteps = 4\n[sepo]\nsteps = 1\nnum_generations = 2\neval_steps = 1\neval_episodes = 2\n"
    )
    folder = tmp_path / "run"
    assert main(["drills", "train", "--config", str(config), "--output", str(folder), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["stages"]) == ["untrained", "base", "adapter"]
    for policy in (folder, folder / "base"):
        asked = ["--game", "pie", "--policy", f"model:{policy}", "--episodes", "3", "--seed", "1", "--json"]
        assert main(["drills", "evaluate", *asked]) == 0
        found = json.loads(capsys.readouterr().out)
        assert {
            "pay",
            "exploit",
            "robust",
            "externality",
            "collusion",
            "safety_table1",
            "nra",
        } <= found.keys()
    assert main(["drills", "evaluate", "--game", "ipd", "--policy", f"model:{folder}"]) == 2
    assert "learnt pie" in capsys.readouterr().err


def test_a_model_that_thinks_is_asked_freely_and_again_under_the_mask(begun) -> None:
    settings = tiny("ipd", **{"telling.thoughts": True, "telling.told": 2})
    policy = apprentice(settings.build, texts_of(examples_of(settings)["train"]), begun["ipd"] / "thinker", 0)
    model = Model(GAMES["ipd"], policy, settings.telling)
    assert model.strategy(GAMES["ipd"]) is None
    model.against(GAMES["ipd"], "tft", GAMES["ipd"].draws(2, 1, "x"))
    assert model.answers == 16
    assert model.malformed > 0, "nobody taught it anything"


def test_a_table_in_the_settings_keeps_the_defaults_of_its_place() -> None:
    settings = settings_for(None, {"game": "kuhn", "sepo.loss.clip_low": 0.1, "telling.told": 3})
    assert (settings.sepo.loss.kl_estimator, settings.sepo.loss.kl, settings.sepo.loss.clip_low) == (
        "one_sided",
        0.0,
        0.1,
    )
    assert settings.telling == Telling(thoughts=False, told=3)


def test_the_pool_grows_where_best_responses_are_exact_unless_told_otherwise() -> None:
    for game in ("ipd", "kuhn"):
        assert settings_for(None, {"game": game}).sepo.grow_every == 1
        assert settings_for(None, {"game": game, "sepo.grow_every": 0}).sepo.grow_every == 0
    assert settings_for(None, {"game": "pie"}).sepo.grow_every == 0


def test_a_pool_grows_only_where_a_best_response_is_exact_and_a_folder_without_a_model_is_refused(
    tmp_path,
) -> None:
    with pytest.raises(BadInput, match="grow"):
        settings_for(None, {"game": "pie", "sepo.grow_every": 2})
    with pytest.raises(BadInput, match=r"drills\.json"):
        open_model(GAMES["pie"], tmp_path, 0)


def test_tasks_name_every_opponent_of_the_three_training_pools_and_none_of_the_shift_pool() -> None:
    game, settings = GAMES["ipd"], tiny("ipd").sepo
    tasks = tasks_of(game, settings, [game.strategies["wsls"]], 0, 0)
    pools = game.pools
    assert {t.opponent for t in tasks} == {*pools.train, *pools.exploit, *pools.collusive, "wsls"}
    assert {t.pool for t in tasks if t.opponent == "wsls"} == {"exploit"}
    assert isinstance(tasks[0], DrillTask)
