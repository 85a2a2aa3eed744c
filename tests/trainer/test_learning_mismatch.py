"""Answers drawn elsewhere: every request says how, what was drawn with is told, and a difference is seen and weighed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.neutral import NEUTRAL
from trainer.domains.deal.tasks import Mixture
from trainer.errors import BadInput
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.domain_source import DomainSource
from trainer.learning.grpo import train
from trainer.learning.loss import Batch, LossSettings, total
from trainer.learning.recipes import TrainSettings
from trainer.learning.rollout import Sampling
from trainer.learning.served import Served
from trainer.learning.settings import GrpoSettings
from trainer.runs import Run, read_metrics
from trainer.settings import dump

from .served_double import serving
from .toy import make_base, make_deal_base, make_policy, words

ROOT = Path(__file__).parents[2]
STATED = {"temperature": 0.7, **NEUTRAL}


def trained(base: Path, folder: Path, **how: Any) -> tuple[list[dict], list[tuple[str, dict]]]:
    """Two steps whose answers a server writes: what each step logged, and what the server was asked."""
    settings = GrpoSettings(
        steps=2, prompts_per_step=4, num_generations=4, eval_tasks=0, sampling=Sampling(most=4)
    )
    run = Run(folder, "grpo", settings, 3)
    with serving(base, **how) as double:
        policy = make_policy(base)
        served = Served(double.url, folder / "served")
        source = DomainSource(words(), settings, 3, served=served)
        train(policy, source, 3, run, Checkpoints(folder / "checkpoints"))
    return [line for line in read_metrics(folder) if line["kind"] == "grpo"], double.asked


def test_every_request_states_how_to_draw(tmp_path) -> None:
    _, asked = trained(make_base(tmp_path / "base"), tmp_path / "run")
    bodies = [body for path, body in asked if path.endswith("/completions")]
    drawn = [body for body in bodies if body["max_tokens"] > 1]
    assert len(drawn) >= 4
    for body in drawn:
        assert {name: body[name] for name in STATED} == STATED


def test_the_rollouts_of_a_group_are_drawn_each_for_itself(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    policy = make_policy(base)
    with serving(base) as double:
        served = Served(double.url, tmp_path / "served")
        served.renew(policy)
        prompts = [policy.tokens([{"role": "user", "content": "round 1"}])] * 16
        for temperature, least in ((3.0, 12), (0.0, 1)):
            again = [
                [
                    each.tokens
                    for each in served.write(policy, prompts, most=8, temperature=temperature, generator=luck)
                ]
                for luck in (torch.Generator().manual_seed(5) for _ in range(2))
            ]
            assert again[0] == again[1]
            assert len({tuple(tokens) for tokens in again[0]}) >= least


def test_a_server_that_draws_as_the_learner_shows_no_mismatch(tmp_path) -> None:
    steps, _ = trained(make_base(tmp_path / "base"), tmp_path / "run")
    assert all(step["mismatch"] < 1e-5 and step["truncated"] == 0 for step in steps)


def test_a_server_that_draws_otherwise_is_seen_in_every_step(tmp_path) -> None:
    steps, _ = trained(make_base(tmp_path / "base"), tmp_path / "run", heats=3.0)
    assert all(step["mismatch"] > 0.1 and step["mismatch_most"] > step["mismatch"] for step in steps)
    assert all(0 < step["truncated"] < 1 for step in steps)


def test_a_server_that_does_not_tell_what_it_draws_with_is_refused(tmp_path) -> None:
    with pytest.raises(BadInput, match="--logprobs-mode processed_logprobs"):
        trained(make_base(tmp_path / "base"), tmp_path / "run", raw=True)


def test_weighed_the_gradient_is_the_learners_own_whoever_drew() -> None:
    torch.manual_seed(4)
    scores = torch.randn(6, dtype=torch.float64, requires_grad=True)
    sampler = torch.log_softmax(scores.detach() + 0.3 * torch.randn(6, dtype=torch.float64), dim=0)
    gains = torch.randn(6, dtype=torch.float64)
    own = torch.log_softmax(scores, dim=0)
    exact = torch.autograd.grad(-(own.exp() * gains).sum(), scores, retain_graph=True)[0]

    def gradient(most: float, *, told: bool) -> torch.Tensor:
        """Of the loss over every token, as often as the sampler draws it."""
        shape = (6, 1)
        batch = Batch(
            torch.zeros(shape, dtype=torch.long),
            torch.ones(shape, dtype=torch.long),
            torch.ones(shape, dtype=torch.bool),
            torch.full(shape, -1),
            own.detach()[:, None],
            (sampler.exp() * gains)[:, None],
            sampler[:, None] if told else None,
        )
        settings = LossSettings(kl=0.0, truncate=most)
        loss, _ = total(own[:, None], None, batch, settings, rows=6, tokens=1)
        return torch.autograd.grad(loss, scores, retain_graph=True)[0]

    assert torch.allclose(gradient(100.0, told=True), exact, atol=1e-12)
    assert not torch.allclose(gradient(100.0, told=False), exact, atol=1e-2)
    ratio = (own.detach() - sampler).exp()
    cut = torch.autograd.grad(
        -((sampler.exp() * ratio.clamp(max=1.05)) * gains * own).sum(), scores, retain_graph=True
    )[0]
    assert torch.allclose(gradient(1.05, told=True), cut, atol=1e-12)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_of_two_processes_one_gives_the_server_the_adapter_and_both_wait(tmp_path) -> None:
    base = make_deal_base(tmp_path / "base")
    settings = TrainSettings(
        mixture=Mixture(scenarios=("saas_enterprise",), personas=("shark",)),
        grpo=GrpoSettings(
            steps=2, prompts_per_step=2, num_generations=2, eval_tasks=0, sampling=Sampling(most=24)
        ),
    )
    (tmp_path / "grpo.toml").write_text(dump(settings))
    command = [
        *(sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"),
        *("--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"),
        *("--main_process_port", "0", "-m", "trainer", "grpo", "--base", str(base), "--seed", "3"),
        *("--config", str(tmp_path / "grpo.toml"), "--output", str(tmp_path / "run")),
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    with serving(base, loads_for=1.0) as double:
        text = (tmp_path / "grpo.toml").read_text()
        (tmp_path / "grpo.toml").write_text(f'server = "{double.url}"\n' + text.replace('server = ""\n', ""))
        made = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500, check=False
        )
    assert made.returncode == 0, made.stderr[-2000:]
    loads = [path for path, _ in double.asked if path.endswith("/load_lora_adapter")]
    assert len(loads) == settings.grpo.steps
    assert double.early == 0
