"""Work in micro-batches that fit: when memory runs out, they are halved, down to single rows, and it is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

from trainer.errors import BadInput
from trainer.runs import say

Row = TypeVar("Row")


class MicroBatches:
    """Rows worked on in micro-batches of at most ``size``; all at once where there is no size."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size

    def over(
        self,
        rows: Sequence[Row],
        work: Callable[[Sequence[Row]], float],
        optimizer: torch.optim.Optimizer | None = None,
    ) -> float:
        """The sum of ``work`` over the micro-batches.

        Raises:
            BadInput: when memory runs out with a single row.
        """
        size = self.size or max(1, len(rows))
        try:
            return sum(work(rows[begin : begin + size]) for begin in range(0, len(rows), size))
        except (torch.OutOfMemoryError, MemoryError) as problem:
            if size < 2:
                raise BadInput(
                    "out of memory with a single row; take a smaller model, shorter answers, or recompute = true"
                ) from problem
        self.size = size // 2
        say(f"out of memory with {size} rows at once; going on with {self.size}")
        if optimizer is not None:
            optimizer.zero_grad(set_to_none=True)
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return self.over(rows, work, optimizer)
