"""Several processes that learn as one, where ``accelerate launch`` (or torchrun) started them; otherwise one alone.

Every process plays its own share of the tasks; gradients are averaged before the step, so all stay the same model.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import torch

Item = TypeVar("Item")


class ProcessGroup:
    """This process among the others."""

    def __init__(self) -> None:
        self.size = int(os.environ.get("WORLD_SIZE", "1"))
        self._state: Any = None
        if self.size > 1:
            from accelerate import PartialState

            self._state = PartialState(cpu=not torch.cuda.is_available())
        self.rank = 0 if self._state is None else int(self._state.process_index)

    @property
    def leads(self) -> bool:
        """Whether this process writes files."""
        return self.rank == 0

    def share(self, items: Sequence[Item]) -> list[Item]:
        """This process's share of the items."""
        return list(items[self.rank :: self.size])

    def average(self, weights: Iterable[torch.nn.Parameter]) -> None:
        """Average the gradients over all processes."""
        if self.size == 1:
            return
        for weight in weights:
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
            torch.distributed.all_reduce(weight.grad)
            weight.grad /= self.size

    def wait(self) -> None:
        """Until all have come here."""
        if self._state is not None:
            self._state.wait_for_everyone()
