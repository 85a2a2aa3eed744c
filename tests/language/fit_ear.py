"""The second ear's adapter, fitted to questions that were labelled with the clause that answers them best.

    .venv-train/bin/python -m tests.language.fit_ear [--epochs 8] [--rank 8] [--seed 0] [--points]

A low-rank adapter on every matrix of the published encoder and a softmax over the labels, by cross entropy. It learns from
``tests/language/intents`` and from the questions of ``fit_topics``; of the questions of ``bench/intents`` it is shown none.
Ten minutes on two cores. Then the clauses of the shipped cases are put through it, so that no process has to; with
``--points`` that is all that is done, for clauses that were changed.
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
from negotiation.engine.deal.listening.ear.encoder import Encoder
from negotiation.engine.deal.listening.ear.intents import (
    ADAPTER,
    CLAUSES,
    LABELS,
    SHARPNESS,
    clauses_of,
    kept,
)
from negotiation.engine.deal.listening.ear.points import keep_points
from negotiation.engine.deal.listening.trade import questions_of
from tests.language.adapter import Adapted, halves, optimiser_of, weights
from tests.language.fit_topics import questions

FOLDER = Path(__file__).with_name("intents")
BATCH, RATE, SMOOTHED, DROPPED = 32, 1e-3, 0.1, 0.1


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
    from torch.nn import functional

    order = random.Random(seed)
    encoder = Adapted(rank=rank, seed=seed)
    head = torch.nn.Linear(encoder.width, len(LABELS))
    torch.nn.init.zeros_(head.bias)
    optimiser, schedule = optimiser_of(
        [{"params": encoder.learnt, "lr": RATE}, {"params": head.parameters(), "lr": 5 * RATE}],
        epochs * (len(pairs) // BATCH),
    )
    for epoch in range(epochs):
        order.shuffle(pairs)
        for start in range(0, len(pairs) - BATCH + 1, BATCH):
            batch = pairs[start : start + BATCH]
            scores = SHARPNESS * head(
                functional.dropout(encoder.points([text for text, _ in batch]), DROPPED)
            )
            wanted = torch.tensor([LABELS.index(label) for _, label in batch])
            loss = functional.cross_entropy(scores, wanted, label_smoothing=SMOOTHED)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        sys.stderr.write(f"epoch {epoch + 1} of {epochs}: loss {loss.item():.3f}\n")
    return {
        **encoder.factors(),
        "head": head.weight.detach().numpy(),
        "bias": head.bias.detach().numpy(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("epochs", 8), ("rank", 8), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--points", action="store_true")
    chosen = parser.parse_args()
    if chosen.points:
        put_through()
        return
    pairs = [pair for pair in labelled() if pair[1] in LABELS]
    sys.stderr.write(f"{len(pairs)} questions\n")
    fitted = fit(pairs, epochs=chosen.epochs, rank=chosen.rank, seed=chosen.seed)
    np.savez_compressed(ADAPTER, labels=np.array(LABELS), **halves(fitted))
    put_through()


def put_through() -> None:
    """Write the points of the shipped cases' clauses."""
    seats = (seat for case in cases().values() for seat in case.seats.values())
    texts = (text for seat in seats for _, text in clauses_of(seat))
    keep_points(CLAUSES, Encoder(weights(), kept(ADAPTER)), texts)


if __name__ == "__main__":
    main()
