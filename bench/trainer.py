"""How fast the learner is: rollouts, tokens written and learnt from, and what of it is the model's bare time.

``.venv-train/bin/python -m bench.trainer --base DIR --output bench/results/trainer.json``

The yardstick for writing is transformers' own ``generate`` on the same prompts for the same number of tokens, sampling
freely; for learning, one forward and backward pass of the bare model over the same rows. TRL's trainer is a yardstick
where it is installed (it is no requirement of ours): the same model, the same number of prompts and tokens, a reward
that costs nothing; elsewhere the result says that it is absent.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from trainer.domains.deal.games import DealGames
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.learning import grpo
from trainer.learning import optimizer as optimizers
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.grpo import GrpoSettings
from trainer.learning.memory import Pieces
from trainer.learning.policy import Lora, Policy, load, merged_copy
from trainer.learning.recipes import use_two_threads
from trainer.learning.rollout import Sampling, roll_out
from trainer.learning.team import Team
from trainer.runs import revision


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    use_two_threads()
    policy = load(given.base, lora=Lora(), train=True)
    settings = GrpoSettings(groups=max(1, given.episodes // 8), group=8, rows=0, piece=128)
    found = {
        "revision": revision(),
        "threads": torch.get_num_threads(),
        "weights": sum(weight.numel() for weight in policy.model.parameters()),
        "ours": best(given.repeats, lambda: ours(policy, settings)),
        "bare_writing": best(given.repeats, lambda: bare_writing(policy, given.episodes)),
        "trl": trl(given.base, given.episodes),
    }
    text = json.dumps(found, indent=1) + "\n"
    print(text)
    if given.output:
        given.output.write_text(text)


def best(repeats: int, measure: Any) -> dict[str, float]:
    """The fastest of several runs: the others were disturbed."""
    return min((measure() for _ in range(repeats)), key=lambda found: found["seconds"])


def ours(policy: Policy, settings: GrpoSettings) -> dict[str, float]:
    """One step: episodes played against the live environment, then learnt from."""
    tasks = [
        t for t in DealCurriculum(Mixture(), 0).groups(0, settings.groups) for _ in range(settings.group)
    ]
    began = time.perf_counter()
    games = DealGames(OpenTables())
    episodes = roll_out(
        policy, games, tasks, settings.sampling, torch.Generator().manual_seed(0), merged_copy(policy)
    )
    played = time.perf_counter()
    lessons, _ = grpo.lessons_of(episodes, settings, policy)
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    nothing = Checkpoints(Path(tempfile.gettempdir()) / "none")
    grpo.update(policy, lessons, settings, optimizer, 0, Pieces(settings.piece), Team(), nothing)
    done = time.perf_counter()
    written = sum(len(row.written.tokens) for e in episodes for row in [*e.rows, *e.failed])
    read = sum(len(row.prompt) for e in episodes for row in [*e.rows, *e.failed])
    learnt = sum(len(each.row.prompt) + len(each.row.written.tokens) for each in lessons)
    return {
        "seconds": done - began,
        "rollouts_per_second": len(episodes) / (played - began),
        "turns_per_second": sum(len(e.rows) for e in episodes) / (played - began),
        "tokens_written_per_second": written / (played - began),
        "tokens_read_per_second": read / (played - began),
        "tokens_learnt_per_second": learnt / (done - played),
    }


def bare_writing(policy: Policy, rows: int) -> dict[str, float]:
    """transformers' generate on as many first prompts, twenty tokens each."""
    tasks = DealCurriculum(Mixture(), 0).held_out(rows)
    prompts = [policy.tokens(position.chat) for position in DealGames(OpenTables()).start(tasks)]
    policy.tokenizer.padding_side = "left"
    batch = policy.tokenizer.pad({"input_ids": prompts}, return_tensors="pt")
    model = merged_copy(policy)
    began = time.perf_counter()
    with torch.inference_mode():
        model.generate(
            **batch,
            max_new_tokens=20,
            min_new_tokens=20,
            do_sample=True,
            temperature=0.7,
            pad_token_id=policy.pad,
        )
    seconds = time.perf_counter() - began
    sampling = Sampling(most=20)
    began = time.perf_counter()
    policy.write(
        prompts, most=sampling.most, temperature=0.7, generator=torch.Generator().manual_seed(0), model=model
    )
    own = time.perf_counter() - began
    return {"seconds": seconds, "tokens_per_second": rows * 20 / seconds, "ours_over_bare": seconds / own}


def trl(base: Path, rows: int) -> dict[str, Any]:
    """TRL's GRPOTrainer on single-turn prompts of the same game, where it is installed."""
    if importlib.util.find_spec("trl") is None:
        return {"absent": "trl is not installed in this environment"}
    from datasets import Dataset
    from peft import LoraConfig
    from trl import GRPOConfig, GRPOTrainer

    tasks = DealCurriculum(Mixture(), 0).held_out(rows // 8)
    chats = [position.chat for position in DealGames(OpenTables()).start(tasks)]
    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            output_dir=folder,
            per_device_train_batch_size=rows,
            num_generations=8,
            max_completion_length=21,
            max_steps=2,
            report_to="none",
            use_cpu=not torch.cuda.is_available(),
            logging_steps=100,
        )
        trainer = GRPOTrainer(
            model=str(base),
            reward_funcs=lambda completions, **_: [0.0] * len(completions),
            args=config,
            train_dataset=Dataset.from_list([{"prompt": chat} for chat in chats] * 8),
            peft_config=LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"),
        )
        began = time.perf_counter()
        trainer.train()
        seconds = (time.perf_counter() - began) / 2
    return {
        "seconds_per_step": seconds,
        "answers_per_second": rows / seconds,
        "tokens_per_second": rows * 21 / seconds,
    }


if __name__ == "__main__":
    main()
