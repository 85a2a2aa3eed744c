"""How every course begins: a policy learns examples and becomes a base of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainer.datasets import Example
from trainer.learning import sft
from trainer.learning.apprentice import save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.policy import Policy, merged_copy
from trainer.learning.sft import SftSettings
from trainer.runs import Run


def teach(
    policy: Policy,
    rows: Mapping[str, list[Example]],
    settings: SftSettings,
    seed: int,
    run: Run,
    *,
    resume: bool,
) -> dict[str, Any]:
    """Learn ``rows["train"]``, watched on ``rows["valid"]``; writes ``base/`` into the run's folder."""
    encoded = {part: sft.encode(policy, own) for part, own in rows.items()}
    checkpoints = Checkpoints(run.folder / "sft")
    found = sft.train(
        policy, encoded["train"], encoded["valid"], settings, seed, run, checkpoints, resume=resume
    )
    save_base(merged_copy(policy), policy.tokenizer, run.folder / "base")
    return {"examples": len(rows["train"]), "validation_loss": found.get("validation_loss")}
