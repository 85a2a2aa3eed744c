"""Rollouts written by a real vLLM server: the adapter of every step, its token ids, our log-probabilities."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from trainer.domains.deal.tasks import Mixture
from trainer.learning import recipes
from trainer.learning.loss import answer_logprobs, collate
from trainer.learning.policy import check_adapter
from trainer.learning.recipes import TrainSettings
from trainer.learning.rollout import Sampling
from trainer.learning.served import Served
from trainer.learning.settings import GrpoSettings
from trainer.runs import Run, read_metrics

from .toy import make_deal_base, make_policy

sys.path.insert(0, str(Path(__file__).parents[2] / "bin"))
import _models

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_models.ModelServer]:
    """One for all tests here, as somebody else may have started it: it draws as the model's own file says, unless asked
    otherwise."""
    folder = tmp_path_factory.mktemp("served")
    base = make_deal_base(folder / "base", hidden=64)
    bent = {"top_k": 2, "top_p": 0.5, "repetition_penalty": 1.5, "temperature": 0.1}
    (base / "generation_config.json").write_text(json.dumps(bent))
    made = _models.ModelServer(base, log=folder / "server.log", extra=("--generation-config", "auto"))
    try:
        yield made.start()
    finally:
        made.stop()


def test_a_server_writes_with_the_adapter_as_it_stands(server, tmp_path) -> None:
    policy = make_policy(server.model)
    served = Served(server.url, tmp_path / "served")
    prompts = [policy.tokens([{"role": "user", "content": f"round {turn}"}]) for turn in (1, 2)] * 2
    greedy = []
    for change in (0.0, 0.2):
        with torch.no_grad():
            for weight in policy.trainable:
                weight.add_(change)
        served.renew(policy)
        generator = torch.Generator().manual_seed(1)
        written = served.write(policy, prompts, most=8, temperature=0.0, generator=generator)
        here = policy.write(prompts, most=8, temperature=0.0, generator=generator)
        assert [each.tokens for each in written] == [each.tokens for each in here]
        greedy.append([each.tokens for each in written])
        batch = collate(prompts, [each.tokens for each in written], policy.pad, policy.device)
        found, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0)
        for each, row, mine in zip(written, found, batch.mine, strict=True):
            assert each.logprobs == pytest.approx(row[mine].tolist(), abs=1e-5)
    assert greedy[0] != greedy[1]


def test_what_a_model_brings_along_does_not_bend_what_is_drawn(server, tmp_path) -> None:
    policy = make_policy(server.model)
    prompts = [policy.tokens([{"role": "user", "content": f"round {turn}"}]) for turn in (1, 2)] * 16
    served = Served(server.url, tmp_path / "served")
    served.renew(policy)
    generator = torch.Generator().manual_seed(1)
    written = served.write(policy, prompts, most=12, temperature=0.7, generator=generator)
    # Equal prompts are answered each for itself.
    assert len({tuple(each.tokens) for each in written}) == len(written)
    for each in written:
        assert each.sampled == pytest.approx(each.logprobs, abs=1e-3)


def test_a_training_on_the_deal_is_written_by_the_server(server, tmp_path) -> None:
    settings = TrainSettings(
        server=server.url,
        mixture=Mixture(scenarios=("saas_enterprise",), personas=("shark",)),
        grpo=GrpoSettings(
            steps=2, prompts_per_step=1, num_generations=2, eval_tasks=0, sampling=Sampling(most=48)
        ),
    )
    run = Run(tmp_path / "run", "grpo", settings, 3)
    recipes.train(server.model, settings, 3, run)
    steps = [line for line in read_metrics(run.folder) if line["kind"] == "grpo"]
    assert [line["step"] for line in steps] == [0, 1]
    # A model of random weights writes no decision: the server wrote what failed, and we what was played.
    assert all(line["fallbacks"] == 2 * line["rounds"] for line in steps)
    assert "load_lora_adapter" in server.log.read_text()
    check_adapter(server.model, run.folder / "adapter")
