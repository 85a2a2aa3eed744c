"""What drawing one token a row costs beside the model, and how much of it goes between device and host.

    .venv-train/bin/python -m bench.draw [--rows 64] [--rounds 9] [--output bench/results/draw.json]

Of each vocabulary the least of several rounds, wall clock, on one thread or on a GPU where there is one. ``host_bytes`` is
what goes between device and host for a token of all rows; ``logits_bytes`` what their logits are.
"""

from __future__ import annotations

import time
from typing import Any

import torch

from bench.experiment import Figures, Given, experiment, option
from negotiation.opponents.protocol.grammar import choice, literal
from trainer.learning.decoding import WrittenAnswer, draw
from trainer.learning.masks import TokenAutomaton
from trainer.learning.policy import best_device
from trainer.learning.recipes import fix_threads

VOCABULARIES = {"apprentice": 1536, "qwen2.5": 151_936}
HOST_BYTES = 4 + 8 + 4
"""A row's uniform number, its token, its log-probability."""


def spent(rows: int, size: int, rounds: int, device: torch.device, *, masked: bool) -> dict[str, float]:
    """Milliseconds for a token of all rows."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn((rows, size), generator=generator).to(torch.bfloat16).to(device)
    automaton = TokenAutomaton([b"x" if token % 2 else b"y" for token in range(size)], 0)
    state = automaton.start(choice((literal("x"), literal("xx"))))
    seconds = []
    for _ in range(rounds + 1):  # the first warms up
        answers = [WrittenAnswer(state=state) for _ in range(rows)]
        began = time.perf_counter()
        chosen, logprobs = draw(logits.float(), answers, 0.7, generator, automaton if masked else None)
        chosen.tolist(), logprobs.tolist()
        seconds.append(time.perf_counter() - began)
    return {"ms": round(1000 * min(seconds[1:]), 3)}


@experiment(
    "draw.json",
    option("--rows", type=int, default=64),
    option("--rounds", type=int, default=9),
)
def main(given: Given) -> Figures:
    fix_threads()
    device = best_device()
    found: dict[str, Any] = {"device": str(device), "threads": torch.get_num_threads(), "rows": given.rows}
    for name, size in VOCABULARIES.items():
        found[name] = {
            "vocabulary": size,
            "free": spent(given.rows, size, given.rounds, device, masked=False),
            "masked": spent(given.rows, size, given.rounds, device, masked=True),
            "host_bytes": HOST_BYTES * given.rows,
            "logits_bytes": 4 * size * given.rows,
        }
    return found


if __name__ == "__main__":
    main()
