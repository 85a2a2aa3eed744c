"""How fast the learner is: rollouts, tokens written and learnt from, and what of it is the model's bare time.

``.venv-train/bin/python -m bench.trainer --base DIR --output bench/results/trainer.json``

The yardstick for writing is transformers' own ``generate`` on the same prompts for the same number of tokens, sampling
freely. TRL's GRPOTrainer (Apache-2.0) is the yardstick for a whole step, where it is installed: it is no requirement of
ours, ``requirements/yardstick.in`` names it. Both take one step on single answers to the same prompts, as many of them,
of as many tokens at most, with the same adapter, the same KL penalty and a reward that costs nothing; both in float32, with
as many threads. Elsewhere the result says that TRL is absent.
"""

from __future__ import annotations

import importlib.util
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from bench.experiment import Figures, Given, experiment, option
from trainer.domains.deal.games import DealGames
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.learning import grpo
from trainer.learning import optimizer as optimizers
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.loss import LossSettings
from trainer.learning.micro_batches import MicroBatches
from trainer.learning.policy import Lora, Policy, load, merged_copy
from trainer.learning.processes import ProcessGroup
from trainer.learning.recipes import fix_threads
from trainer.learning.rollout import Row, roll_out
from trainer.learning.samples import TrainingSample, training_samples
from trainer.learning.settings import GrpoSettings

GROUP, ANSWER_TOKENS, KL = 8, 21, 0.02
"""Of the single step that is compared with TRL's: answers to a prompt, tokens of an answer at most, weight of the KL."""

Began = tuple[float, float]
"""Of a clock on the wall, and of this process's own work, which says what a step costs on a machine that others use."""


@experiment(
    "trainer.json",
    option("--base", type=Path, required=True),
    option("--episodes", type=int, default=64),
    option("--repeats", type=int, default=3),
)
def main(given: Given) -> Figures:
    fix_threads()
    policy = load(given.base, lora=Lora(), train=True)
    settings = GrpoSettings(
        prompts_per_step=max(1, given.episodes // 8), num_generations=8, rows=0, micro_batch=128
    )
    found = {
        "threads": torch.get_num_threads(),
        "weights": sum(weight.numel() for weight in policy.model.parameters()),
        "ours": best(given.repeats, lambda: ours(policy, settings)),
        "bare_writing": best(given.repeats, lambda: bare_writing(policy, given.episodes)),
        "single_turn": best(given.repeats, lambda: single_turn(policy, given.episodes)),
        "trl": trl(given.base, given.episodes, given.repeats),
    }
    if "seconds" in found["trl"]:
        found["ours_over_trl"] = {
            name: found["single_turn"][name] / found["trl"][name]
            for name in ("rollouts_per_second", "tokens_per_second", "tokens_per_processor_second")
        }
    return found


def best(repeats: int, measure: Any) -> dict[str, float]:
    """The fastest of several runs: the others were disturbed."""
    return min((measure() for _ in range(repeats)), key=lambda found: found["seconds"])


def ours(policy: Policy, settings: GrpoSettings) -> dict[str, float]:
    """One step: episodes played against the live environment, then learnt from."""
    tasks = [
        t
        for t in DealCurriculum(Mixture(), 0).tasks(0, settings.prompts_per_step)
        for _ in range(settings.num_generations)
    ]
    began = time.perf_counter()
    games = DealGames(OpenTables())
    episodes = roll_out(
        policy, games, tasks, settings.sampling, torch.Generator().manual_seed(0), merged_copy(policy)
    )
    played = time.perf_counter()
    samples, _ = training_samples(episodes, settings, policy)
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    nothing = Checkpoints(Path(tempfile.gettempdir()) / "none")
    grpo.update(
        policy, samples, settings, optimizer, 0, MicroBatches(settings.micro_batch), ProcessGroup(), nothing
    )
    done = time.perf_counter()
    written = sum(len(row.written.tokens) for e in episodes for row in [*e.rows, *e.failed])
    read = sum(len(row.prompt) for e in episodes for row in [*e.rows, *e.failed])
    learnt = sum(len(each.row.prompt) + len(each.row.written.tokens) for each in samples)
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
    began = time.perf_counter()
    policy.write(prompts, most=20, temperature=0.7, generator=torch.Generator().manual_seed(0), model=model)
    own = time.perf_counter() - began
    return {"seconds": seconds, "tokens_per_second": rows * 20 / seconds, "ours_over_bare": seconds / own}


def single_turn(policy: Policy, rows: int) -> dict[str, float]:
    """One of our steps on TRL's ground: single answers to the first prompts, a reward that costs nothing."""
    games = DealGames(OpenTables())
    tasks = DealCurriculum(Mixture(), 0).held_out(rows // GROUP)
    prompts = [policy.tokens(position.chat) for position in games.start(tasks) for _ in range(GROUP)]
    settings = GrpoSettings(rows=0, micro_batch=rows, loss=LossSettings(kl=KL))
    optimizer = optimizers.make(policy.trainable, settings.optimizer)
    nothing = Checkpoints(Path(tempfile.gettempdir()) / "none")
    began = now()
    written = policy.write(
        prompts,
        most=ANSWER_TOKENS,
        temperature=1.0,
        generator=torch.Generator().manual_seed(0),
        model=merged_copy(policy),
    )
    samples = [
        TrainingSample(Row(prompt, answer), [0.0] * len(answer.tokens))
        for prompt, answer in zip(prompts, written, strict=True)
    ]
    grpo.update(
        policy, samples, settings, optimizer, 0, MicroBatches(settings.micro_batch), ProcessGroup(), nothing
    )
    tokens = sum(len(answer.tokens) for answer in written)
    return _single(began, len(written), tokens)


def trl(base: Path, rows: int, repeats: int) -> dict[str, Any]:
    """The same step by TRL's GRPOTrainer, where it is installed; the fastest of several, after one to warm up."""
    if importlib.util.find_spec("trl") is None:
        return {"absent": "trl is not installed in this environment"}
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    tasks = DealCurriculum(Mixture(), 0).held_out(rows // GROUP)
    chats = [position.chat for position in DealGames(OpenTables()).start(tasks)]
    found: list[dict[str, float]] = []
    written: list[int] = []

    def free(completion_ids: list[list[int]], **_: Any) -> list[float]:
        written.append(sum(map(len, completion_ids)))
        return [0.0] * len(completion_ids)

    class Watch(TrainerCallback):  # type: ignore[misc]
        def on_step_begin(self, *_: Any, **__: Any) -> None:
            self.began = now()

        def on_step_end(self, *_: Any, **__: Any) -> None:
            found.append(_single(self.began, rows, written[-1]))

    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            output_dir=folder,
            per_device_train_batch_size=rows,
            num_generations=GROUP,
            max_completion_length=ANSWER_TOKENS,
            max_steps=repeats + 1,
            beta=KL,
            report_to="none",
            use_cpu=not torch.cuda.is_available(),
            bf16=False,
            gradient_checkpointing=False,
            save_strategy="no",
            disable_tqdm=True,
        )
        trainer = GRPOTrainer(
            model=str(base),
            reward_funcs=free,
            args=config,
            train_dataset=Dataset.from_list([{"prompt": chat} for chat in chats] * GROUP),
            peft_config=LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"),
            callbacks=[Watch()],
        )
        whole = time.perf_counter()
        trainer.train()
        whole = time.perf_counter() - whole
    fastest = min(found[1:], key=lambda each: each["seconds"])
    return {"version": version("trl"), "seconds_of_all_steps": whole, **fastest}


def _single(began: Began, answers: int, tokens: int) -> dict[str, float]:
    seconds, processor = time.perf_counter() - began[0], time.process_time() - began[1]
    return {
        "seconds": seconds,
        "processor_seconds": processor,
        "rollouts_per_second": answers / seconds,
        "tokens_per_second": tokens / seconds,
        "tokens_per_processor_second": tokens / processor,
    }


def now() -> Began:
    return time.perf_counter(), time.process_time()


if __name__ == "__main__":
    main()
