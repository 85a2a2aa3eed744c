"""The board learnt: answers in two stages that can all be played, masks that are distributions, runs that resume."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from negotiation.engine.diplomacy import Chance, opening
from negotiation.engine.diplomacy.bots import DumbBot
from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.saved import position_from_json
from negotiation.opponents.protocol.grammar import accepts
from trainer.commands import main
from trainer.domains.diplomacy.answers import CLOSE, OPEN, orders_grammar, parse
from trainer.domains.diplomacy.games import task_of
from trainer.domains.diplomacy.judge import local_judge
from trainer.domains.diplomacy.lines import lines_of
from trainer.domains.diplomacy.pool import HELD_OUT, PoolSettings, PositionTask, bots_at_play
from trainer.domains.diplomacy.reward import BoardRewardSettings
from trainer.domains.diplomacy.rollouts import played
from trainer.domains.diplomacy.tables import Sample, Start
from trainer.domains.diplomacy.telling import chat
from trainer.errors import BadInput
from trainer.learning.apprentice import make_model, make_tokenizer, save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.diplomacy.bot import BoardPlayer
from trainer.learning.diplomacy.course import (
    BoardCourseSettings,
    begin,
    open_player,
    reader,
    run_course,
    strengthen,
)
from trainer.learning.diplomacy.stages import TwoStages
from trainer.learning.diplomacy.tries import longest
from trainer.learning.loss import answer_logprobs, collate
from trainer.learning.policy import load
from trainer.runs import Run, read_metrics
from trainer.settings import load as load_settings

TINY = {
    "workers": 0,
    "rollouts": 2,
    "self_play_every": 2,
    "self_play_games": 1,
    "build.hidden": 32,
    "build.layers": 1,
    "build.heads": 2,
    "build.key_value_heads": 2,
    "build.inner": 48,
    "examples.games": 3,
    "examples.years": 3,
    "positions.games": 3,
    "positions.years": 2,
    "lora.rank": 4,
    "sft.steps": 30,
    "sft.batch": 16,
    "grpo.steps": 4,
    "grpo.prompts_per_step": 2,
    "grpo.num_generations": 4,
    "grpo.save_every": 1,
    "grpo.eval_steps": 4,
    "grpo.eval_tasks": 4,
}


def tiny(**changes):
    return load_settings(BoardCourseSettings, None, {**TINY, **changes})


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A beginner's folder."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("board")
    settings = tiny()
    begin(settings, 0, Run(folder, "test", settings, 0))
    (folder / "diplomacy.json").write_text(json.dumps({"style": settings.style, "free": settings.free}))
    return folder


@pytest.fixture(scope="module")
def starts():
    """Turns of every kind: moves, retreats, builds, disbands."""
    return [start for start, _ in bots_at_play(PoolSettings(games=2, years=4), 3, HELD_OUT)]


def luck(rows, seed=0):
    return torch.rand((rows, 400), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def written(policy, starts, free=24, seed=0, temperature=1.0):
    stages = TwoStages(policy, free)
    prompts = [policy.tokens(chat(start, "brief")) for start in starts]
    answers = stages.write(prompts, [s.lines for s in starts], temperature, luck(len(starts), seed))
    return prompts, answers


@pytest.mark.parametrize("stage", ["untrained", "base"])
def test_every_answer_can_be_played_in_every_kind_of_phase(begun, starts, stage) -> None:
    policy = load(begun / stage)
    some = starts[:: max(1, len(starts) // 60)]
    assert {(s.state.moving, s.state.retreating) for s in starts} == {
        (True, False),
        (False, True),
        (False, False),
    }
    for seed in range(2):
        _, answers = written(policy, some, seed=seed)
        for start, answer in zip(some, answers, strict=True):
            read = parse(policy.text(answer), start.state, start.power)
            assert len(read.orders) == len(start.lines.rows) or start.lines.due is not None
            assert answer.ended


def test_lines_are_the_language_of_the_grammar(starts) -> None:
    rng = np.random.default_rng(0)
    for start in starts[::5]:
        lines, place, block = start.lines, start.lines.start, ""
        while options := lines.options(place):
            line, place = options[int(rng.integers(len(options)))]
            block += f"{line}\n"
        assert accepts(orders_grammar(start.state, start.power), OPEN + block + CLOSE)


def test_in_winter_the_lines_are_exactly_those_that_are_due() -> None:
    page = {"phase": "W1901A", "units": {"FRANCE": ["A BEL"]}, "centers": {"FRANCE": ["PAR", "BRE", "SPA"]}}
    lines = lines_of(position_from_json(page), 2)
    blocks: list[tuple[str, ...]] = []

    def walk(place, said) -> None:
        options = lines.options(place)
        if not options:
            blocks.append(said)
        for line, after in options:
            walk(after, (*said, line))

    walk(lines.start, ())
    assert len(blocks) == len(set(blocks))
    builds, homes = ("A BRE B", "F BRE B"), ("A PAR B",)
    expected = {("WAIVE", "WAIVE"), ("A PAR B", "WAIVE")}
    expected |= {(one, other) for one in builds for other in (*homes, "WAIVE")}
    assert set(blocks) == expected


def test_log_probabilities_are_those_of_the_masked_distribution_and_the_trainer_finds_the_same(
    begun, starts
) -> None:
    policy = load(begun / "base")
    some = starts[:12]
    prompts, answers = written(policy, some)
    batch = collate(
        prompts,
        [a.tokens for a in answers],
        policy.pad,
        policy.device,
        masks=[a.masks for a in answers],
        forced=[a.forced for a in answers],
    )
    with torch.no_grad():
        again, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0)
    for row, answer in enumerate(answers):
        kept = [p for p, forced in zip(answer.logprobs, answer.forced, strict=True) if not forced]
        assert again[row][batch.mine[row]].tolist() == pytest.approx(kept, abs=2e-4)
        assert answer.drawn == len(kept) == int(batch.mine[row].sum())


def test_every_mask_renormalises_to_one_and_allows_what_was_drawn(begun, starts) -> None:
    policy = load(begun / "base")
    _, answers = written(policy, starts[:12])
    logits = torch.randn(len(policy.spellings), generator=torch.Generator().manual_seed(1))
    seen = set()
    for answer in answers:
        for token, mask, forced in zip(answer.tokens, answer.masks, answer.forced, strict=True):
            if forced:
                assert mask == -1
                continue
            (allowed,) = policy.automaton.masks([mask])
            assert allowed[token]
            assert int(allowed.sum()) > 1
            total = torch.softmax(logits.masked_fill(~allowed, -torch.inf), dim=0).sum()
            assert float(total) == pytest.approx(1.0, abs=1e-5)
            seen.add(mask)
    assert len(seen) > 5


def test_forced_tokens_cost_no_pass_and_teach_nothing(begun, starts) -> None:
    policy = load(begun / "base")
    moves = [start for start in starts if start.state.moving][:16]
    _, answers = written(policy, moves, free=0)
    tokens = sum(len(a.tokens) for a in answers)
    drawn = sum(a.drawn for a in answers)
    assert drawn / tokens < 0.5

    class Counted:
        """The model, and how often it was asked."""

        passes = 0
        parameters = staticmethod(policy.model.parameters)

        def __call__(self, *arguments, **named):
            self.passes += 1
            return policy.model(*arguments, **named)

    counted = Counted()
    stages = TwoStages(policy, 0)
    prompts = [policy.tokens(chat(start, "brief")) for start in moves]
    again = stages.write(prompts, [s.lines for s in moves], 1.0, luck(len(moves)), counted)
    assert counted.passes <= max(a.drawn for a in again) + 2
    assert counted.passes < max(len(a.tokens) for a in again)
    weights = [w for w in policy.model.parameters() if w.requires_grad]
    gradients = []
    for forced_worth in (0.0, 1e6):
        batch = collate(
            prompts,
            [a.tokens for a in again],
            policy.pad,
            policy.device,
            masks=[a.masks for a in again],
            forced=[a.forced for a in again],
            advantages=[[forced_worth if f else 1.0 for f in a.forced] for a in again],
        )
        logprobs, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0)
        loss = -(logprobs * batch.advantages * batch.mine).sum()
        gradients.append(torch.autograd.grad(loss, weights)[0])
    assert float(gradients[0].abs().sum()) > 0
    assert torch.equal(*gradients)


def test_words_stop_at_their_cap_and_orders_follow_all_the_same(begun) -> None:
    policy = load(begun / "untrained")
    start = Start(opening(), 2)
    for free in (0, 3, 12):
        _, (answer,) = written(policy, [start], free=free)
        place = policy.text(answer).rfind(OPEN)
        words = sum(
            not f for f, b in zip(answer.forced, policy.begins(answer.tokens), strict=True) if b < place
        )
        assert words <= free
        assert len(parse(policy.text(answer), start.state, start.power).orders) == 3


def test_an_answer_does_not_depend_on_who_is_written_beside_it(begun, starts) -> None:
    policy = load(begun / "base")
    some = starts[:9]
    _, together = written(policy, some)
    stages = TwoStages(policy, 24)
    numbers = luck(len(some))
    for row in (0, 4, 8):
        prompt = [policy.tokens(chat(some[row], "brief"))]
        (alone,) = stages.write(prompt, [some[row].lines], 1.0, numbers[row : row + 1])
        assert alone.tokens == together[row].tokens
        assert alone.logprobs == pytest.approx(together[row].logprobs, abs=1e-4)


def test_a_tokenizer_that_joins_lines_is_refused(tmp_path) -> None:
    text = "".join(f"{line}\n" for line in longest(lines_of(opening(), 2)))
    tokenizer = make_tokenizer([text] * 50, 400)
    save_base(make_model(tiny().build, tokenizer, 0), tokenizer, tmp_path)
    policy = load(tmp_path)
    assert len(policy.answer_tokens(text)) < 5
    with pytest.raises(BadInput, match="joins the lines"):
        written(policy, [Start(opening(), 2)])


def test_a_frozen_policy_answers_the_same_to_the_same_numbers(begun) -> None:
    player = open_player(begun / "base")
    state, chance = opening(), Chance(5, 1)
    one = player.orders(state, 2, chance.draws(state, 2), Start(state, 2).ledger)
    assert one == player.orders(state, 2, Chance(5, 1).draws(state, 2), Start(state, 2).ledger)
    several = {
        tuple(player.orders(state, 2, Chance(5, n).draws(state, 2), Start(state, 2).ledger))
        for n in range(12)
    }
    assert len(several) > 1
    assert isinstance(player, BoardPlayer)


def told(folder: Path):
    clock = ("rollout_seconds", "update_seconds", "memory_mb", "tokens_per_second")
    return [{k: v for k, v in line.items() if k not in clock} for line in read_metrics(folder)]


def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit_with_its_own_games(begun, tmp_path) -> None:
    settings = tiny()
    strengthen(settings, begun / "base", 0, Run(tmp_path / "whole", "test", settings, 0))
    half = replace(settings, grpo=replace(settings.grpo, steps=3))
    strengthen(half, begun / "base", 0, Run(tmp_path / "cut", "test", settings, 0))
    # It stops in the middle of the second batch of its own games, which have to be played again.
    strengthen(
        settings, begun / "base", 0, Run(tmp_path / "cut", "test", settings, 0, resume=True), resume=True
    )
    states = [
        torch.load(tmp_path / name / "checkpoints" / "000004" / "state.pt")["weights"]
        for name in ("whole", "cut")
    ]
    assert Checkpoints(tmp_path / "cut" / "checkpoints").latest() == 4
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])
    whole, cut = ([m for m in told(tmp_path / name) if m["kind"] == "grpo"] for name in ("whole", "cut"))
    assert whole == cut


def test_a_course_leaves_every_stage_and_can_be_seated(tmp_path) -> None:
    settings = tiny(**{"grpo.steps": 1, "grpo.eval_steps": 1, "self_play_every": 0})
    found = run_course(settings, 1, Run(tmp_path, "test", settings, 1))
    assert found["best_step"] in (0, 1)
    for stage in ("untrained", "base", "adapter", ""):
        assert open_player(tmp_path / stage if stage else tmp_path).speaks
    kinds = {line["kind"] for line in read_metrics(tmp_path)}
    assert kinds == {"sft", "grpo", "choose"}
    line = next(line for line in read_metrics(tmp_path) if line["kind"] == "grpo")
    assert line["validity"] == 1.0
    assert {"term_hard", "term_soft", "term_mistagged", "dropped_groups"} <= line.keys()


def test_a_folder_without_a_player_is_refused_by_name(tmp_path) -> None:
    with pytest.raises(BadInput, match=r"diplomacy\.json"):
        open_player(tmp_path)


def test_a_player_trained_before_plays_the_others_under_common_luck(begun, starts) -> None:
    others = reader(f"model:{begun}/base")
    assert isinstance(others, BoardPlayer)
    start = next(each for each in starts if each.state.phase == "S1903M")
    orders = tuple(others.answers([start], [Chance(1, 1).draws(start.state, start.power)])[0].orders)
    task = task_of(PositionTask(start, 3), others)
    jobs = [(task, Sample(orders), 3, BoardRewardSettings(), local_judge)] * 2
    one, other = played(jobs)
    assert one == other  # equal samples meet equal numbers, model or not
    assert len(set(one.hards)) > 1  # and rollouts differ by theirs
    (deaf,) = played([(replace(task, others=DumbBot()), *jobs[0][1:])])
    assert deaf != one


def test_rollouts_against_a_trained_player_train(begun, tmp_path) -> None:
    settings = tiny(**{"others": f"model:{begun}/base", "grpo.steps": 1, "grpo.eval_steps": 1})
    settings = replace(
        settings, grpo=replace(settings.grpo, prompts_per_step=1, num_generations=2, eval_tasks=2)
    )
    found = strengthen(settings, begun / "base", 0, Run(tmp_path, "test", settings, 0))
    assert (tmp_path / "adapter" / "adapter_config.json").exists()
    assert found["best_step"] in (0, 1)


def test_a_trained_player_sits_in_an_arena_and_a_seed_repeats_it(begun, capsys) -> None:
    seats = f"model:{begun}/base:1,trusting:6"
    arguments = [
        "diplomacy",
        "arena",
        "--seats",
        seats,
        "--games",
        "7",
        "--years",
        "2",
        "--seed",
        "1",
        "--json",
    ]
    pages = []
    for _ in range(2):
        assert main(arguments) == 0
        pages.append(json.loads(capsys.readouterr().out))
    assert pages[0] == pages[1]
    model = pages[0]["policies"][f"model:{begun}/base"]
    assert 0 < model["centre_share"]["mean"] < 1
    assert set(model["by_power"]) == set(POWERS)


def test_what_a_course_is_asked_wrongly_is_one_line(tmp_path, capsys) -> None:
    for changes, named in (
        ('others = "nobody"', "nobody"),
        ("free = -1", "free"),
        ("[positions]\nspring = -1", "spring"),
        ("[grpo]\ngroup = 1", "num_generations"),
    ):
        (tmp_path / "config.toml").write_text(changes)
        asked = [
            "diplomacy",
            "train",
            "--config",
            str(tmp_path / "config.toml"),
            "--output",
            str(tmp_path / "run"),
        ]
        assert main(asked) == 2
        said = capsys.readouterr().err
        assert named in said
        assert len(said.splitlines()) == 1
