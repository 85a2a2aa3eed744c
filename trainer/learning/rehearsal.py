"""Old examples among the new ones: an adapter that sees nothing but new deals forgets how answers are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from trainer import datasets
from trainer.datasets import Example
from trainer.errors import BadInput


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Which old examples, and how many (Robins 1995, "Catastrophic forgetting, rehearsal and pseudorehearsal")."""

    data: Path | None = None
    """A folder as ``generate`` writes it, such as the one that the base was taught."""
    share: float = 0.3
    """Of all examples, those that are old; fewer where the folder holds fewer."""

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise BadInput("rehearsal.share must lie between 0 and 1")

    def added_to(self, examples: list[Example], seed: int) -> list[Example]:
        """The examples and old ones beside them, drawn by ``seed``."""
        if self.data is None:
            return examples
        old = list(datasets.read(self.data / "train.jsonl"))
        wanted = min(len(old), round(len(examples) * self.share / (1 - self.share)))
        drawn = np.random.default_rng(seed).choice(len(old), wanted, replace=False)
        return examples + [old[place] for place in sorted(drawn)]
