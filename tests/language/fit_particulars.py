"""The particular ear's adapter, fitted so that ways to ask for one thing, and its answer, lie near each other.

    .venv-train/bin/python -m tests.language.fit_particulars [--epochs 4] [--rank 16] [--seed 0] [--apart | --points]

Contrastive (van den Oord et al. 2018, InfoNCE): of some particulars of one seat at a time, each way to ask has to find the
other way to ask for the same among those for the others, and among questions on the same subjects that ask for something
else; and the answer among theirs. Ways to ask are the case's and those of ``tests/language/asked``. Twelve minutes on one
core. Then all that the shipped cases hold is put through it. With ``--apart`` one particular in seven is kept out of the
fitting, nothing is written, and it is told how often each of its ways to ask is heard as the one that it is, among all of
its seat. With ``--points`` nothing is fitted: texts that were changed go through the adapter that is there.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from negotiation.engine.deal.case.declared import Particular
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening.ear.encoder import Encoder
from negotiation.engine.deal.listening.ear.particular import ADAPTER, POINTS, is_short, kept_adapter
from negotiation.engine.deal.listening.ear.points import keep_points
from tests.language.adapter import Adapted, halves, optimiser_of, weights
from tests.language.asked import More, more

BATCH, RATE, SHARPNESS, ANSWERS, DROPPED = 24, 1e-3, 20.0, 0.4, 0.05
ONE_IN, LEVELS = 7, 10
"""Ten levels to either side tell particulars apart as well as 127 do, in a third of the room."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A particular, the ways to ask for it that say by themselves what they ask for, and a question on its subject that it
    does not answer; ``own`` are its author's ways."""

    particular: Particular
    own: tuple[str, ...]
    ways: tuple[str, ...]
    near: str


Seats = list[list[Learnt]]


def seats() -> Seats:
    """The particulars of every seat of the shipped cases."""
    return [
        [_learnt(each, more(scenario, name)[each.id]) for each in seat.particulars]
        for scenario, case in cases().items()
        for name, seat in case.seats.items()
        if seat.particulars
    ]


def _learnt(particular: Particular, beside: More) -> Learnt:
    own = tuple(each for each in particular.asks if not is_short(each, particular))
    return Learnt(particular, own, (*own, *beside.ways), beside.near)


def fit(learnt_from: Seats, *, epochs: int, rank: int, seed: int) -> dict[str, np.ndarray[Any, Any]]:
    """The adapter's factors."""
    import torch
    from torch.nn import functional

    order = random.Random(seed)
    encoder = Adapted(rank=rank, seed=seed, dropped=DROPPED)
    steps = epochs * sum(1 for _ in _batches(learnt_from, random.Random(seed)))
    optimiser, schedule = optimiser_of([{"params": encoder.learnt, "lr": RATE}], steps)
    for epoch in range(epochs):
        for batch in _batches(learnt_from, order):
            asked = [order.sample(each.ways, 2) for each in batch]
            said = [order.choice(each.particular.says) for each in batch]
            texts = [*(one for one, _ in asked), *(two for _, two in asked), *said, *(e.near for e in batch)]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                points = encoder.points(texts)
            one, other, answer, near = points.float().split(len(batch))
            wanted = torch.arange(len(batch))

            def found(
                some: Any, *among: Any, wanted: Any = wanted
            ) -> Any:  # how far each is from finding its own
                return functional.cross_entropy(SHARPNESS * some @ torch.cat(among).T, wanted)

            loss = (found(one, other, near) + found(other, one, near)) / 2
            loss = loss + ANSWERS * (found(one, answer) + found(other, answer) + found(answer, one, near)) / 2
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.learnt, 1.0)
            optimiser.step()
            schedule.step()
        sys.stderr.write(f"epoch {epoch + 1} of {epochs}: loss {loss.item():.3f}\n")
    return encoder.factors()


def _batches(learnt_from: Seats, order: random.Random) -> Iterator[list[Learnt]]:
    """Particulars of one seat each, in any order."""
    found = []
    for seat in learnt_from:
        able = list(seat)
        order.shuffle(able)
        found += [able[at : at + BATCH] for at in range(0, len(able) - BATCH // 2, BATCH)]
    order.shuffle(found)
    yield from found


def told_apart(encoder: Encoder, every: Seats, kept_out: Sequence[set[str]]) -> float:
    """The share of ways to ask for what was kept out whose likest other way to ask is for the same."""
    right = count = 0
    for seat, out in zip(every, kept_out, strict=True):
        asks = [(each.particular.id, ask) for each in seat for ask in each.own]
        points = np.concatenate(
            [encoder.encode([ask for _, ask in asks[at : at + 64]]) for at in range(0, len(asks), 64)]
        )
        like = points @ points.T
        np.fill_diagonal(like, -1)
        for row, (id_, _) in enumerate(asks):
            if id_ in out:
                count += 1
                right += asks[int(like[row].argmax())][0] == id_
    return right / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("epochs", 4), ("rank", 16), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--points", action="store_true")
    chosen = parser.parse_args()
    if chosen.points:
        put_through()
        return
    every, order = seats(), random.Random(chosen.seed)
    out = [
        {each.particular.id for each in order.sample(seat, len(seat) // ONE_IN)} if chosen.apart else set()
        for seat in every
    ]
    learnt_from = [
        [each for each in seat if each.particular.id not in gone]
        for seat, gone in zip(every, out, strict=True)
    ]
    fitted = halves(fit(learnt_from, epochs=chosen.epochs, rank=chosen.rank, seed=chosen.seed))
    if chosen.apart:
        encoder = Encoder(weights(), {name: each.astype(np.float32) for name, each in fitted.items()})
        before = told_apart(Encoder(weights(), {}), every, out)
        sys.stdout.write(f"{told_apart(encoder, every, out):.3f}, without an adapter {before:.3f}\n")
        return
    np.savez_compressed(ADAPTER, **fitted)
    put_through()


def put_through() -> None:
    """Write the points of all that the shipped cases hold."""
    listed = (each.particular for seat in seats() for each in seat)
    texts = (text for each in listed for text in (*each.asks, *each.says))
    keep_points(POINTS, Encoder(weights(), kept_adapter()), texts, levels=LEVELS)


if __name__ == "__main__":
    main()
