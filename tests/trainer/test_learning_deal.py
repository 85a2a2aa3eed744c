"""Whole trainings on the deal, small and real: every place where its games can be played, and by whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from trainer.commands import ablate
from trainer.commands.ablate import AblationSettings
from trainer.domains.deal.tasks import Mixture
from trainer.errors import BadInput
from trainer.evaluation.run import EvaluationSettings
from trainer.learning import recipes
from trainer.learning.policy import check_adapter
from trainer.learning.recipes import TrainSettings
from trainer.learning.rollout import Sampling
from trainer.learning.settings import GrpoSettings
from trainer.runs import Run, read_metrics
from trainer.settings import dump

from .toy import agents_server, make_deal_base

ROOT = Path(__file__).parents[2]
PACKAGES = "software_licensing"
SHORT = TrainSettings(
    mixture=Mixture(scenarios=("saas_enterprise",), personas=("shark",)),
    grpo=GrpoSettings(
        steps=2,
        prompts_per_step=2,
        num_generations=2,
        eval_steps=2,
        eval_tasks=2,
        save_every=2,
        sampling=Sampling(decoding="masked", most=160),
    ),
)
BRIEF = Sampling(decoding="masked", most=40)
"""Random weights choose the longest way; what has no room left is ended in the shortest."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def trained(base: Path, settings: TrainSettings, folder: Path) -> list[dict]:
    """Train; the metrics without what a clock or the machine says."""
    torch.set_num_threads(1)
    recipes.train(base, settings, 3, Run(folder, "grpo", settings, 3))
    check_adapter(base, folder / "adapter")
    clock = ("rollout_seconds", "update_seconds", "memory_mb")
    return [{k: v for k, v in line.items() if k not in clock} for line in read_metrics(folder)]


def test_training_over_openenv_is_training_in_process(tmp_path) -> None:
    base = make_deal_base(tmp_path / "base")
    here = trained(base, SHORT, tmp_path / "here")
    with agents_server() as url:
        there = trained(base, replace(SHORT, transport="openenv", url=url), tmp_path / "there")
    assert here == there
    assert here[-1]["rounds"] > 1


def test_a_frozen_self_across_answers_every_training_game(tmp_path) -> None:
    base = make_deal_base(tmp_path / "base")
    alone = replace(SHORT, mixture=replace(SHORT.mixture, self_play=1.0), frozen_every=1)
    persona, itself = trained(base, SHORT, tmp_path / "persona"), trained(base, alone, tmp_path / "itself")
    games = [[line for line in found if line["kind"] == "grpo"] for found in (persona, itself)]
    assert [line["step"] for line in games[1]] == [0, 1]
    assert games[0] != games[1]  # another across, other games
    assert persona[0] == itself[0]  # chosen by the same held-out deals, against personas


def test_deals_over_packages_are_trained_on_too(tmp_path) -> None:
    base = make_deal_base(tmp_path / "base", (PACKAGES,))
    packages = replace(SHORT, mixture=replace(SHORT.mixture, scenarios=(PACKAGES,)))
    steps = [line for line in trained(base, packages, tmp_path / "run") if line["kind"] == "grpo"]
    assert [line["step"] for line in steps] == [0, 1]
    assert all(line["rounds"] >= 1 for line in steps)


def test_accelerate_launches_the_command_in_two_processes(tmp_path) -> None:
    base, folder = make_deal_base(tmp_path / "base"), tmp_path / "run"
    (tmp_path / "grpo.toml").write_text(dump(SHORT))
    command = [
        *(sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"),
        *(
            "--num_machines",
            "1",
            "--mixed_precision",
            "no",
            "--dynamo_backend",
            "no",
            "--main_process_port",
            "0",
        ),
        *("-m", "trainer", "grpo", "--base", str(base), "--config", str(tmp_path / "grpo.toml")),
        *("--output", str(folder), "--seed", "3"),
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    made = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500, check=False
    )
    assert made.returncode == 0, made.stderr[-2000:]
    steps = [line for line in read_metrics(folder) if line["kind"] == "grpo"]
    assert [line["step"] for line in steps] == [0, 1]
    check_adapter(base, folder / "adapter")
    alone = [line for line in trained(base, SHORT, tmp_path / "alone") if line["kind"] == "grpo"]
    assert steps[0]["rows"] < alone[0]["rows"]  # the first tells of its own share


def test_ablate_trains_every_variant_and_says_what_each_part_brought(tmp_path) -> None:
    bases = [make_deal_base(tmp_path / "one"), make_deal_base(tmp_path / "two", hidden=48)]
    wanted = AblationSettings(
        variants=("full", "without_tom"),
        train=replace(SHORT, grpo=replace(SHORT.grpo, steps=1, eval_tasks=0, sampling=BRIEF)),
        evaluation=EvaluationSettings(episodes=4),
    )
    (tmp_path / "ablate.toml").write_text(dump(wanted))
    folder = tmp_path / "run"
    told = ["--base", *map(str, bases), "--config", str(tmp_path / "ablate.toml"), "--seeds", "2"]
    assert ablate.run([*told, "--output", str(folder)]) == 0
    for seed, base in enumerate(bases):
        check_adapter(base, folder / f"without_tom-{seed}" / "adapter")
    for part, each in (("trained", 8), ("held_out", 8)):
        table = json.loads((folder / part / "evaluation.json").read_text())
        assert table["episodes"] == {"SFT": each, "full": each, "without_tom": each}
        assert set(table["by_seed"]) == {"0", "1"}
        assert set(table["brought"]) == {"SFT", "without_tom"}
        assert "| the whole, less | SFT | without_tom |" in (folder / part / "evaluation.md").read_text()
    off = tomllib.loads((folder / "without_tom-1" / "config.toml").read_text())
    on = tomllib.loads((folder / "full-1" / "config.toml").read_text())
    assert (on["rewards"]["theory_of_mind"], off["rewards"]["theory_of_mind"]) == (1.0, 0.0)
    assert "What each part brought" in (folder / "ablation.html").read_text()
    with pytest.raises(BadInput, match="one for each of the 3 seeds"):
        ablate.run([*told[:-1], "3", "--output", str(tmp_path / "refused")])
