"""Several processes as ``accelerate launch`` starts them: each plays its share, all stay the same model."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from trainer.runs import read_metrics

from .toy import make_base

ROOT = Path(__file__).parents[2]
_EACH = """
import sys, os
sys.path.insert(0, {root!r})
from dataclasses import replace
from pathlib import Path
import torch
from tests.trainer.test_learning_runs import SETTINGS
from tests.trainer.toy import make_policy, words
from trainer.learning import grpo
from trainer.learning.checkpoint import Checkpoints, trained_weights
from trainer.learning.domain_source import DomainSource
from trainer.runs import Run

folder, rank = Path({run!r}), int(os.environ["RANK"])
policy = make_policy(Path({base!r}))
settings = replace(SETTINGS, steps=3, eval_steps=3, save_every=3)
run = Run(folder, "grpo", settings, 5, resume=True)
ended = grpo.put_weights
grpo.put_weights = lambda policy, weights, source: torch.save(trained_weights(policy), folder / f"rank{{rank}}.pt")
grpo.train(policy, DomainSource(words(), settings, 5), 5, run, Checkpoints(folder / "checkpoints"))
"""


@pytest.mark.timeout(300)
def test_two_processes_learn_as_one(tmp_path) -> None:
    script = tmp_path / "each.py"
    run, base = tmp_path / "run", make_base(tmp_path / "base")
    run.mkdir()
    script.write_text(_EACH.format(root=str(ROOT), run=str(run), base=str(base)))
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc_per_node",
        "2",
        str(script),
    ]
    made = subprocess.run(
        command, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr[-2000:]
    one, two = (torch.load(run / f"rank{rank}.pt") for rank in (0, 1))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert any(weight.abs().sum() > 0 for name, weight in one.items() if "lora_B" in name)
    assert [line["step"] for line in read_metrics(run) if line["kind"] == "grpo"] == [0, 1, 2]
