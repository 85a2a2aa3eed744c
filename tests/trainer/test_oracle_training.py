"""The oracle's training, in NumPy: gradients that are right, runs that come out the same, a command that writes it down."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.oracle.choice import CARD, OUTPUTS, Open
from negotiation.engine.deal.oracle.features import WIDTH
from negotiation.engine.deal.oracle.network import Network
from trainer.commands import main
from trainer.domains.deal.oracle.distribution import curiosity, draw, likelihood
from trainer.domains.deal.oracle.games import HIDDEN, TrainingTable, play
from trainer.domains.deal.oracle.layers import Layers, Single
from trainer.domains.deal.oracle.learning import Learner, OracleSettings
from trainer.runs import read_metrics

SMALL = OracleSettings(
    iterations=3, cells=2, games=24, hidden=8, minibatch=128, save_every=2, watched=1, scenarios=("saas_enterprise",),
    personas=("diplomat", "auditor"),
)  # fmt: skip


def outputs_and_choices(seed: int = 0) -> tuple[np.ndarray, np.ndarray, Open]:
    rng = np.random.default_rng(seed)
    outputs = rng.normal(size=(40, OUTPUTS)).astype(np.float32)
    cards = rng.random((40, OUTPUTS - CARD)) < 0.6
    cards[:, 0] = True
    there = Open(accept=rng.random(40) < 0.7, call=rng.random(40) < 0.5, card=cards)
    return outputs, np.array([-0.3], dtype=np.float32), there


@pytest.mark.parametrize("output", range(OUTPUTS))
def test_the_slope_of_the_likelihood_is_what_small_steps_say(output: int) -> None:
    outputs, deviation, there = outputs_and_choices()
    drawn = draw(outputs, deviation, there, np.random.default_rng(1))
    _, slope, _ = likelihood(outputs, deviation, drawn.chosen, there)
    step = np.zeros_like(outputs)
    step[:, output] = 0.01
    above = likelihood(outputs + step, deviation, drawn.chosen, there)[0].astype(np.float64)
    below = likelihood(outputs - step, deviation, drawn.chosen, there)[0].astype(np.float64)
    assert slope[:, output] == pytest.approx((above - below) / 0.02, abs=2e-3)


def test_the_slope_in_the_deviation_is_what_small_steps_say() -> None:
    outputs, deviation, there = outputs_and_choices()
    drawn = draw(outputs, deviation, there, np.random.default_rng(1))
    slope = likelihood(outputs, deviation, drawn.chosen, there)[2]
    above = likelihood(outputs, deviation + np.float32(0.01), drawn.chosen, there)[0].astype(np.float64)
    below = likelihood(outputs, deviation - np.float32(0.01), drawn.chosen, there)[0].astype(np.float64)
    assert slope == pytest.approx((above - below) / 0.02, abs=5e-3)


def test_curiosity_climbs_towards_a_higher_entropy() -> None:
    outputs, _, there = outputs_and_choices()

    def entropy(of: np.ndarray) -> float:
        coins = 1 / (1 + np.exp(-of[:, 1:3].astype(np.float64)))
        each = -(coins * np.log(coins) + (1 - coins) * np.log(1 - coins))
        total = float((each * np.stack([there.accept, there.call], axis=1)).sum())
        logits = np.where(there.card, of[:, CARD:], -30.0).astype(np.float64)
        mass = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        return total - float((mass * np.log(np.maximum(mass, 1e-12))).sum())

    slope = curiosity(outputs, there)
    gained = entropy(outputs + np.float32(0.01) * slope) - entropy(outputs - np.float32(0.01) * slope)
    assert gained == pytest.approx(0.02 * float((slope.astype(np.float64) ** 2).sum()), rel=0.01)


def test_what_cannot_be_done_is_never_drawn() -> None:
    outputs, deviation, there = outputs_and_choices()
    for seed in range(20):
        chosen = draw(outputs, deviation, there, np.random.default_rng(seed)).chosen
        assert not (chosen.accept & ~there.accept).any()
        assert not (chosen.call & ~there.call).any()
        assert there.card[np.arange(40), chosen.card].all()


def test_a_network_fits_what_it_is_shown() -> None:
    """Adam with gradients by hand: a wrong sign or a wrong layer would not come down."""
    rng = np.random.default_rng(0)
    layers = Layers((3, 16, 16, 1), [0.0], [], rng)
    inputs = rng.normal(size=(256, 3)).astype(np.float32)
    wanted = np.sin(inputs[:, 0]) * inputs[:, 1] + inputs[:, 2]

    def missed() -> Single:
        away: Single = layers.forward(inputs)[:, 0] - wanted
        return away

    first = float((missed() ** 2).mean())
    for _ in range(400):
        layers.step((missed() / np.float32(256))[:, None], layers.free, 1e-2, 10.0)
    assert float((missed() ** 2).mean()) < 0.05 * first


def test_moves_of_a_game_follow_one_another_and_end_it_once() -> None:
    policy = Layers((WIDTH, 8, 8, OUTPUTS), [0.0] * OUTPUTS, [-0.4], np.random.default_rng(0))
    cell = TrainingTable(scenarios()["commercial_lease"], personas()["shark"], "buyer", 0.5)
    games = play(cell, np.arange(30, dtype=np.uint64), policy, np.random.default_rng(0))
    moments = games.moments
    assert moments.read.shape[1] == WIDTH
    assert moments.hidden.shape[1] == HIDDEN
    for game in range(30):
        turns = moments.turn[moments.game == game]
        assert turns.tolist() == list(range(1, len(turns) + 1))
    assert (games.share[~games.deal] == 0).all()


def test_a_seed_is_a_training_and_a_stopped_one_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    whole, again, stopped = (Learner(SMALL, seed=5) for _ in range(3))
    logged = [whole.learn(step) for step in range(3)]
    assert [again.learn(step) for step in range(3)] == logged
    stopped.learn(0)
    stopped.save(tmp_path / "state.npz", 1)
    resumed = Learner(SMALL, seed=5)
    first = resumed.restore(tmp_path / "state.npz")
    assert [resumed.learn(step) for step in range(first, 3)] == logged[1:]
    for one, other in zip(whole.policy.weights, resumed.policy.weights, strict=True):
        assert (one == other).all()
    other_seed = Learner(SMALL, seed=6)
    assert other_seed.learn(0) != logged[0]


def test_the_command_writes_weights_that_play_and_the_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "small.toml"
    config.write_text(
        'iterations = 2\ncells = 2\ngames = 16\nhidden = 8\nminibatch = 64\nwatched = 1\npersonas = ["shark"]\n'
        'scenarios = ["hiring_package"]\n'
    )
    asked = ["oracle", "--config", str(config), "--output", str(tmp_path / "run"), "--seed", "3", "--json"]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["watched_breaches"] == 0
    assert Network.read(Path(told["weights"])).biases[-1].shape == (OUTPUTS,)
    assert [line["step"] for line in read_metrics(tmp_path / "run")] == [0, 1]
    assert main(asked) == 2
