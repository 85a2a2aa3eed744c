"""Poker drawn from tables: the same play, samples and gradient as written out, at a fraction of the cost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from negotiation.engine.drills import GAMES, KuhnStrategy
from trainer.domains.drills.games import DrillGames
from trainer.domains.drills.prompts import Telling
from trainer.learning import optimizer as optimizers
from trainer.learning.checkpoint import Checkpoints, put_weights, trained_weights
from trainer.learning.course import apprentice
from trainer.learning.grpo import generator_of, update
from trainer.learning.loss import LossSettings
from trainer.learning.micro_batches import MicroBatches
from trainer.learning.policy import load
from trainer.learning.processes import ProcessGroup
from trainer.learning.rollout import roll_out
from trainer.learning.samples import can_merge, merged
from trainer.learning.sepo.course import examples_of, texts_of
from trainer.learning.sepo.hands import Hands
from trainer.learning.sepo.model import Model
from trainer.learning.sepo.source import losing_to, tasks_of, training_samples

from .test_learning_drills import tiny

KUHN = GAMES["kuhn"]


@pytest.fixture(scope="module")
def beginner(tmp_path_factory):
    folder = tmp_path_factory.mktemp("poker")
    settings = tiny("kuhn")
    apprentice(settings.build, texts_of(examples_of(settings)["train"]), folder, 0)
    return folder


@pytest.fixture
def policy(beginner):
    return load(beginner, lora=tiny("kuhn").lora, train=True, seed=0)


def played(policy, rollouts=2, matches=2):
    settings = tiny(
        "kuhn", **{"sepo.num_generations": rollouts, "sepo.matches": matches, "sepo.loss.kl": 0.0}
    )
    hands = Hands(policy, settings.telling, settings.sepo.sampling.temperature)
    tasks = tasks_of(KUHN, settings.sepo, [], 0, 0)
    repeated = [task for task in tasks for _ in range(rollouts)]
    return settings, hands, tasks, repeated


def test_the_tables_hold_the_play_that_is_read_off_and_their_chances_are_those_of_the_sampler(policy) -> None:
    settings, hands, _, _ = played(policy)
    twin = Model(KUHN, policy, settings.telling, settings.sepo.sampling.temperature).strategy(KUHN)
    assert isinstance(twin, KuhnStrategy)
    assert np.allclose(hands.strategy.behaviour, twin.behaviour, atol=1e-6)
    for ways in hands._ways:
        assert sum(way.likely for way in ways) == pytest.approx(1)
        for way in ways:
            assert np.exp(sum(way.written.logprobs)) == pytest.approx(way.likely, rel=1e-3)


def test_rollouts_from_tables_are_episodes_like_any_other(policy) -> None:
    settings, hands, _, repeated = played(policy)
    ours = hands.roll_out(repeated, np.random.default_rng(1))
    games = DrillGames(settings.telling)
    theirs = roll_out(policy, games, repeated, settings.sepo.sampling, generator_of(0, "x", 0))
    for one, other in zip(ours, theirs, strict=True):
        assert one.facts.keys() == other.facts.keys()
        assert len(one.rows) == len(one.facts["rounds"])
        assert one.facts["match"].done
    prompts = {tuple(row.prompt) for each in theirs for row in each.rows}
    assert prompts <= {tuple(prompt) for prompt in hands._prompts}
    many = hands.roll_out(repeated * 30, np.random.default_rng(2))
    paid = [np.mean([each.facts["score"] for each in found]) for found in (many, theirs * 1)]
    assert paid[0] == pytest.approx(paid[1], abs=0.5)


def test_equal_rows_put_together_leave_the_gradient_as_it_was(policy, tmp_path) -> None:
    settings, hands, tasks, repeated = played(policy, rollouts=4, matches=3)
    episodes = hands.roll_out(repeated, np.random.default_rng(3))
    samples = training_samples(KUHN, tasks, episodes, settings.sepo, losing_to(KUHN, hands.strategy))
    few = merged(samples)
    assert len(few) <= sum(map(len, hands._ways)) < len(samples)
    steps, begun = [], trained_weights(policy)
    for rows in (samples, few):
        put_weights(policy, begun, "the beginner")
        # Plain descent: what Adam makes of a gradient does not tell its size.
        sgd = torch.optim.SGD(policy.trainable, lr=1.0)
        learner = replace(
            settings.sepo,
            optimizer=optimizers.OptimizerSettings(learning_rate=1.0, warm_up=0, clip=1e9),
        )
        update(policy, rows, learner, sgd, 0, MicroBatches(256), ProcessGroup(), Checkpoints(tmp_path))
        steps.append(torch.cat([(w - begun[n]).flatten() for n, w in trained_weights(policy).items()]))
    assert steps[0].norm() > 1e-4
    assert torch.allclose(steps[0], steps[1], atol=1e-5 + 1e-3 * float(steps[0].abs().max()))


def test_rows_are_put_together_only_where_the_loss_is_linear_in_the_advantage() -> None:
    assert can_merge(LossSettings(kl=0.0), 1)
    assert not can_merge(LossSettings(kl=0.1), 1)
    assert not can_merge(LossSettings(kl=0.0), 2)
    assert not can_merge(LossSettings(kl=0.0, norm="rows"), 1)


def test_poker_told_of_earlier_hands_is_no_table_of_twelve(policy) -> None:
    assert Model(KUHN, policy, Telling(thoughts=False, told=2)).strategy(KUHN) is None
