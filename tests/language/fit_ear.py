"""The second ear's adapter, fitted to questions that were labelled with the clause that answers them best.

    .venv-train/bin/python -m tests.language.fit_ear [--epochs 8] [--rank 8] [--seed 0]

A low-rank adapter on every matrix of the published encoder and a softmax over the labels, by cross entropy. It learns from
``tests/language/intents`` and from the questions of ``fit_topics``; of the questions of ``bench/intents`` it is shown none.
Ten minutes on two cores. Then the clauses of the shipped cases are put through it, so that no process has to.
"""

from __future__ import annotations

import argparse
import random
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening.ear.encoder import SCALED, Encoder, published
from negotiation.engine.deal.listening.ear.intents import (
    ADAPTER,
    CLAUSES,
    LABELS,
    SHARPNESS,
    clauses_of,
    digest,
    kept,
)
from negotiation.engine.deal.listening.ear.wordpiece import MOST_PIECES
from negotiation.engine.deal.listening.trade import questions_of
from tests.language.fit_topics import questions

FOLDER = Path(__file__).with_name("intents")
MODULES = ("query", "key", "value", "dense")
BATCH, RATE, WARM, SMOOTHED, DROPPED = 32, 1e-3, 50, 0.1, 0.1


def labelled() -> Iterator[tuple[str, str]]:
    """Every question with its label, the first where several fit. Those of ``fit_topics`` were labelled before there were
    questions of any trade: where one is heard in them by its words, that is their label."""
    for text, topic in questions():
        of_the_trade = [each.label for each in questions_of(text)]
        yield text, (of_the_trade[0] if len(of_the_trade) == 1 else None) or topic
    for path in sorted(FOLDER.glob("*.toml")):
        for by_label in tomllib.loads(path.read_text(encoding="utf-8")).values():
            yield from ((text, label.split("|")[0]) for label, listed in by_label.items() for text in listed)


def fit(
    pairs: list[tuple[str, str]], *, epochs: int, rank: int, seed: int
) -> dict[str, np.ndarray[Any, Any]]:
    """The adapter's factors, the head and its labels."""
    import torch
    from peft import LoraConfig, get_peft_model
    from torch.nn import functional
    from transformers import AutoModel, AutoTokenizer

    torch.manual_seed(seed)
    order = random.Random(seed)
    folder = _weights()
    cut = AutoTokenizer.from_pretrained(folder)
    settings = LoraConfig(
        r=rank, lora_alpha=int(SCALED * rank), lora_dropout=DROPPED, target_modules=list(MODULES)
    )
    model = get_peft_model(AutoModel.from_pretrained(folder, add_pooling_layer=False), settings)
    head = torch.nn.Linear(model.config.hidden_size, len(LABELS))
    torch.nn.init.zeros_(head.bias)

    def points(texts: list[str]) -> Any:
        batch = cut(texts, return_tensors="pt", padding=True, truncation=True, max_length=MOST_PIECES)
        state = model(**batch).last_hidden_state
        there = batch["attention_mask"].unsqueeze(-1).float()
        return functional.normalize((state * there).sum(1) / there.sum(1), dim=-1)

    learnt = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(
        [{"params": learnt, "lr": RATE}, {"params": head.parameters(), "lr": 5 * RATE}], weight_decay=0.01
    )
    steps = epochs * (len(pairs) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / WARM) * max(0.02, 1 - step / steps)
    )
    model.train()
    for epoch in range(epochs):
        order.shuffle(pairs)
        for start in range(0, len(pairs) - BATCH + 1, BATCH):
            batch = pairs[start : start + BATCH]
            scores = SHARPNESS * head(functional.dropout(points([text for text, _ in batch]), DROPPED))
            wanted = torch.tensor([LABELS.index(label) for _, label in batch])
            loss = functional.cross_entropy(scores, wanted, label_smoothing=SMOOTHED)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        sys.stderr.write(f"epoch {epoch + 1} of {epochs}: loss {loss.item():.3f}\n")
    factors = {
        name.removeprefix("base_model.model.")
        .replace(".lora_A.default.weight", ".down")
        .replace(".lora_B.default.weight", ".up"): value.detach().numpy()
        for name, value in model.named_parameters()
        if ".lora_" in name
    }
    return {
        **factors,
        "head": head.weight.detach().numpy(),
        "bias": head.bias.detach().numpy(),
    }


def _weights() -> Path:
    folder = published()
    if folder is None:
        message = "install requirements/ear.txt into this environment first"
        raise SystemExit(message)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("epochs", 8), ("rank", 8), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    chosen = parser.parse_args()
    pairs = [pair for pair in labelled() if pair[1] in LABELS]
    sys.stderr.write(f"{len(pairs)} questions\n")
    fitted = fit(pairs, epochs=chosen.epochs, rank=chosen.rank, seed=chosen.seed)
    halves: dict[str, Any] = {name: each.astype(np.float16) for name, each in fitted.items()}
    np.savez_compressed(ADAPTER, labels=np.array(LABELS), **halves)
    encoder = Encoder(_weights(), kept(ADAPTER))
    texts = sorted(
        {text for case in cases().values() for seat in case.seats.values() for _, text in clauses_of(seat)}
    )
    points = np.concatenate([encoder.encode(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)])
    np.savez_compressed(
        CLAUSES,
        texts=np.array([digest(each) for each in texts], dtype=np.uint64),
        points=np.rint(points * 127 / np.abs(points).max()).astype(np.int8),
    )


if __name__ == "__main__":
    main()
