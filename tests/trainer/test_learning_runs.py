"""A run as a whole: it learns, it is the same for the same seed, and a crash costs it nothing but time."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from trainer.datasets import Example
from trainer.errors import BadInput
from trainer.learning import grpo, sft
from trainer.learning.apprentice import save_base
from trainer.learning.checkpoint import Checkpoints
from trainer.learning.domain_source import DomainSource
from trainer.learning.loss import LossSettings, answer_logprobs, collate
from trainer.learning.optimizer import OptimizerSettings
from trainer.learning.policy import check_adapter, load, save_adapter
from trainer.learning.precision import mixed
from trainer.learning.rollout import Sampling
from trainer.learning.settings import GrpoSettings
from trainer.learning.sft import SftSettings
from trainer.runs import Run, read_metrics

from .toy import WORDS, make_base, make_policy, words

SETTINGS = GrpoSettings(
    steps=6,
    prompts_per_step=2,
    num_generations=4,
    save_every=2,
    eval_steps=3,
    eval_tasks=8,
    sampling=Sampling(decoding="masked", temperature=1.0, most=8),
    optimizer=OptimizerSettings(learning_rate=0.02, warm_up=1),
)


def train(folder: Path, base: Path, settings: GrpoSettings = SETTINGS, *, resume: bool = False):
    policy = make_policy(base)
    run = Run(folder, "grpo", settings, 5, resume=resume)
    source = DomainSource(words(), settings, 5)
    results = grpo.train(policy, source, 5, run, Checkpoints(folder / "checkpoints"), resume=resume)
    return policy, results


def last_weights(folder: Path) -> dict[str, torch.Tensor]:
    checkpoints = Checkpoints(folder / "checkpoints")
    return torch.load(folder / "checkpoints" / f"{checkpoints.latest():06d}" / "state.pt")["weights"]


def told(folder: Path) -> list[dict]:
    """The metrics without what a clock or the machine says."""
    clock = ("rollout_seconds", "update_seconds", "memory_mb")
    return [{k: v for k, v in line.items() if k not in clock} for line in read_metrics(folder)]


def test_it_learns_the_word_that_pays(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    settings = replace(
        SETTINGS, steps=25, prompts_per_step=4, num_generations=8, eval_steps=25, eval_tasks=64
    )
    _, results = train(tmp_path / "run", base, settings)
    chosen = [line for line in read_metrics(tmp_path / "run") if line["kind"] == "choose"]
    assert chosen[0]["score"] < 0.6
    assert chosen[-1]["score"] > 0.9
    assert results["best_score"] == chosen[-1]["score"]


def test_malformed_answers_become_rows_that_teach_the_format(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    half_wrong = [
        Example([{"role": "user", "content": f"round {turn}"}], word)
        for turn in (1, 2)
        for word in (*WORDS, "lo", "gh", "round")
    ]
    policy = load(base, train=True)
    settings = SftSettings(steps=40, batch=12, save_every=40, validate_every=40)
    run = Run(tmp_path / "sft", "sft", settings, 0)
    sft.train(policy, sft.encode(policy, half_wrong), [], settings, 0, run, Checkpoints(tmp_path / "ck"))
    save_base(policy.model, policy.tokenizer, tmp_path / "taught")
    raw = replace(
        SETTINGS,
        steps=25,
        prompts_per_step=4,
        num_generations=8,
        eval_steps=25,
        sampling=Sampling("raw", 1.0, most=8),
    )
    raw = replace(raw, optimizer=OptimizerSettings(learning_rate=0.004, warm_up=1))
    train(tmp_path / "run", tmp_path / "taught", raw)
    steps = [line for line in read_metrics(tmp_path / "run") if line["kind"] == "grpo"]
    first, last = (sum(line["validity"] for line in part) / 5 for part in (steps[:5], steps[-5:]))
    assert first < 0.4  # taught as many malformed answers as good ones
    assert last > first + 0.2


def test_the_same_seed_is_the_same_run_bit_for_bit(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    train(tmp_path / "one", base)
    train(tmp_path / "two", base)
    assert told(tmp_path / "one") == told(tmp_path / "two")
    one, two = last_weights(tmp_path / "one"), last_weights(tmp_path / "two")
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    train(tmp_path / "whole", base)
    half = replace(SETTINGS, steps=4)
    policy = make_policy(base)
    run = Run(tmp_path / "cut", "grpo", SETTINGS, 5)
    grpo.train(policy, DomainSource(words(), half, 5), 5, run, Checkpoints(tmp_path / "cut" / "checkpoints"))
    policy, _ = train(tmp_path / "cut", base, resume=True)
    whole, cut = last_weights(tmp_path / "whole"), last_weights(tmp_path / "cut")
    assert all(torch.equal(whole[name], cut[name]) for name in whole)
    at_four = [line for line in told(tmp_path / "cut") if line["kind"] == "grpo"]
    assert at_four == [line for line in told(tmp_path / "whole") if line["kind"] == "grpo"]


_CHILD = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.trainer.test_learning_runs import SETTINGS, train
from dataclasses import replace
train(Path({run!r}), Path({base!r}), replace(SETTINGS, steps=400), resume=True)
"""


def test_kill_9_loses_at_most_the_steps_since_the_last_checkpoint(tmp_path) -> None:
    base, folder = make_base(tmp_path / "base"), tmp_path / "run"
    code = _CHILD.format(root=str(Path(__file__).parents[2]), run=str(folder), base=str(base))
    child = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        while (Checkpoints(folder / "checkpoints").latest() or 0) < 4:
            assert child.poll() is None
            time.sleep(0.05)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    reached = max(line["step"] for line in read_metrics(folder) if line["kind"] == "grpo") + 1
    kept = Checkpoints(folder / "checkpoints").latest()
    assert kept is not None
    assert reached - kept <= SETTINGS.save_every
    settings = replace(SETTINGS, steps=kept + 2)
    (folder / "config.toml").unlink()  # the length is the one thing that differs here
    train(folder, base, settings, resume=True)
    train(tmp_path / "whole", base, settings)
    whole, cut = last_weights(tmp_path / "whole"), last_weights(folder)
    assert all(torch.equal(whole[name], cut[name]) for name in whole)


def test_a_damaged_checkpoint_is_named_and_not_used(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    train(tmp_path / "run", base)
    state = tmp_path / "run" / "checkpoints" / "000006" / "state.pt"
    state.write_bytes(state.read_bytes()[:-100])
    with pytest.raises(BadInput, match="000006 is damaged"):
        train(tmp_path / "run", base, resume=True)


def test_a_checkpoint_that_does_not_fit_on_the_disk_is_named_and_the_older_one_is_whole(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    train(tmp_path / "run", base, replace(SETTINGS, steps=2))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    heard = signal.signal(
        signal.SIGXFSZ, signal.SIG_IGN
    )  # writing too much is an error then, as on a full disk
    (tmp_path / "run" / "config.toml").unlink()  # the length is the one thing that differs
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        with pytest.raises(BadInput, match="000004 cannot be written"):
            train(tmp_path / "run", base, replace(SETTINGS, steps=4), resume=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heard)
    assert Checkpoints(tmp_path / "run" / "checkpoints").latest() == 2
    assert not list((tmp_path / "run" / "checkpoints").glob(".*"))
    train(tmp_path / "run", base, replace(SETTINGS, steps=4), resume=True)
    assert Checkpoints(tmp_path / "run" / "checkpoints").latest() == 4


def test_a_loss_of_sft_that_is_no_number_stops_it_and_names_the_batch(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    policy = load(base, train=True)
    rows = sft.encode(policy, [Example([{"role": "user", "content": "round 1"}], word) for word in WORDS])
    settings = SftSettings(steps=3, batch=3)
    with torch.no_grad():
        policy.model.get_input_embeddings().weight[0, 0] = float("nan")
        policy.model.model.norm.weight[0] = float("nan")
    run = Run(tmp_path / "run", "sft", settings, 0)
    with pytest.raises(BadInput, match="loss of batch 0 is nan"):
        sft.train(policy, rows, [], settings, 0, run, Checkpoints(tmp_path / "ck"))


def test_a_run_of_an_older_version_goes_on_under_the_names_of_today(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    train(tmp_path / "whole", base)
    train(tmp_path / "cut", base)
    newest = sorted((tmp_path / "cut" / "checkpoints").iterdir())[-1]
    shutil.rmtree(newest)
    file = tmp_path / "cut" / "config.toml"
    text = re.sub(r"^average = .*\n", "", file.read_text(), flags=re.MULTILINE)
    for old, new in (GrpoSettings.OLD_KEYS | LossSettings.OLD_KEYS).items():
        assert f"{new} = " in text
        text = text.replace(f"{new} = ", f"{old} = ")
    file.write_text(text)
    train(tmp_path / "cut", base, resume=True)
    whole, cut = last_weights(tmp_path / "whole"), last_weights(tmp_path / "cut")
    assert all(torch.equal(whole[name], cut[name]) for name in whole)
    assert file.read_text() == (tmp_path / "whole" / "config.toml").read_text()


def test_other_settings_do_not_resume_a_run(tmp_path) -> None:
    base = make_base(tmp_path / "base")
    train(tmp_path / "run", base)
    with pytest.raises(BadInput, match="other settings"):
        train(tmp_path / "run", base, replace(SETTINGS, num_generations=8), resume=True)


def test_a_loss_that_is_no_number_stops_the_run_and_names_the_batch(tmp_path, monkeypatch) -> None:
    base = make_base(tmp_path / "base")
    learnt = answer_logprobs

    def spoilt(*arguments):
        logprobs, entropy = learnt(*arguments)
        return logprobs * float("nan"), entropy

    monkeypatch.setattr(grpo, "answer_logprobs", spoilt)
    with pytest.raises(BadInput, match=r"loss of step 0 .* is nan"):
        train(tmp_path / "run", base)


def test_out_of_memory_halves_the_pieces_until_they_fit(tmp_path, monkeypatch, capsys) -> None:
    base = make_base(tmp_path / "base")
    whole = answer_logprobs

    def tight(model, batch, *rest):
        if len(batch.ids) > 16:
            raise torch.OutOfMemoryError("too much")
        return whole(model, batch, *rest)

    settings = replace(SETTINGS, steps=1, num_generations=32, eval_tasks=4)
    monkeypatch.setattr(grpo, "answer_logprobs", tight)
    train(tmp_path / "run", base, settings)
    said = capsys.readouterr().err
    assert "out of memory with 64 rows at once; going on with 32" in said
    assert "out of memory with 32 rows at once; going on with 16" in said
    monkeypatch.setattr(
        grpo, "answer_logprobs", lambda *_: (_ for _ in ()).throw(torch.OutOfMemoryError("no"))
    )
    with pytest.raises(BadInput, match="out of memory with a single row"):
        train(tmp_path / "again", base, settings)


@pytest.mark.parametrize("precision", ["float32", "auto"])
def test_activations_are_worked_out_again_and_the_gradient_is_the_same(tmp_path, precision) -> None:
    base, found = make_base(tmp_path / "base"), {}
    for again in (False, True):
        policy = make_policy(base)
        if again:
            policy.recompute(precision)
        policy.model.train()
        batch = collate([[5, 6, 7] * 8] * 4, [[8, 9]] * 4, policy.pad, policy.device)
        kept: list[int] = []

        def keep(tensor: torch.Tensor, kept: list[int] = kept) -> torch.Tensor:
            kept.append(tensor.numel())
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor), mixed(precision):
            logprobs, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0)
        before = sum(kept)
        logprobs.sum().backward()
        found[again] = (before, [weight.grad.clone() for weight in policy.trainable])
    assert found[True][0] < found[False][0] / 2
    for one, other in zip(found[False][1], found[True][1], strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_a_template_that_knows_trains_of_thought_opens_none(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path / "base"))
    policy.tokenizer.chat_template += (
        "{% if enable_thinking is not defined or enable_thinking %}round 2{% endif %}"
    )
    chat = [{"role": "user", "content": "round 1"}]
    assert policy.tokens(chat) == make_policy(tmp_path / "base").tokens(chat)


def test_an_adapter_knows_its_base(tmp_path) -> None:
    base, other = make_base(tmp_path / "base"), make_base(tmp_path / "other", seed=1)
    policy = make_policy(base)
    save_adapter(policy, tmp_path / "adapter", style="brief")
    check_adapter(base, tmp_path / "adapter")
    with pytest.raises(BadInput, match="another base"):
        load(other, tmp_path / "adapter")
    about = json.loads((tmp_path / "adapter" / "parlay.json").read_text())
    assert about["style"] == "brief"


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda base: (base / "config.json").unlink(), "no model"),
        (lambda base: (base / "model.safetensors").write_bytes(b"nothing"), "base"),
        (lambda base: (base / "chat_template.jinja").unlink(), "chat template"),
    ],
)
def test_a_base_that_cannot_be_used_is_one_line(tmp_path, spoil, word) -> None:
    base = make_base(tmp_path / "base")
    spoil(base)
    with pytest.raises(BadInput, match=word):
        load(base)


def test_a_tokenizer_of_a_larger_model_is_refused(tmp_path) -> None:
    base, other = make_base(tmp_path / "base"), tmp_path / "other"
    make_base(other)
    tokens = json.loads((other / "tokenizer.json").read_text())
    tokens["added_tokens"].append(tokens["added_tokens"][-1] | {"id": 5000, "content": "<|more|>"})
    (base / "tokenizer.json").write_text(json.dumps(tokens))
    with pytest.raises(BadInput, match="another model"):
        load(base)
