"""Work in pieces that fit: when memory runs out, the pieces are halved, once, and it is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

from trainer.errors import BadInput
from trainer.runs import say

Row = TypeVar("Row")


class Pieces:
    """Rows worked on in pieces of at most ``size``; all at once where there is no size."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size
        self._halved = False

    def over(
        self,
        rows: Sequence[Row],
        work: Callable[[Sequence[Row]], float],
        optimizer: torch.optim.Optimizer | None = None,
    ) -> float:
        """The sum of ``work`` over the pieces.

        Raises:
            BadInput: when memory runs out again after halving.
        """
        size = self.size or max(1, len(rows))
        try:
            return sum(work(rows[begin : begin + size]) for begin in range(0, len(rows), size))
        except (torch.OutOfMemoryError, MemoryError) as problem:
            if self._halved or size < 2:
                raise BadInput(f"out of memory with {size} rows at once; take a smaller batch") from problem
        self._halved, self.size = True, size // 2
        say(f"out of memory with {size} rows at once; going on with {self.size}")
        if optimizer is not None:
            optimizer.zero_grad(set_to_none=True)
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return self.over(rows, work, optimizer)
