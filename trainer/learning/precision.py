"""The precision that matrices are multiplied in: bfloat16 where the processor does that in hardware.

Only the products of whole sequences with a weight are: weights, gradients, attention, the softmax and the last layer
stay in float32, and so does a token written by itself, where nothing would be gained. (Micikevicius et al. 2018, mixed
precision; Kalamkar et al. 2019, bfloat16.) PyTorch's own autocast is not used, since its attention is slower that way
on a CPU.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import torch
from torch.overrides import TorchFunctionMode

Precision = Literal["float32", "auto"]
"""``auto`` takes bfloat16 on a CPU that multiplies in it: twice as quick here. A run repeats bit for bit in either, on a
processor of the same kind."""


def mixed(precision: Precision) -> AbstractContextManager[Any]:
    """What a model is run in."""
    return _QuickProducts() if precision == "auto" and _in_hardware() else nullcontext()


def _in_hardware() -> bool:
    # On a GPU weights are bfloat16 as loaded.
    return not torch.cuda.is_available() and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


class _QuickProducts(TorchFunctionMode):  # type: ignore[misc]
    """Inside it, sequences are multiplied in bfloat16."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.nn.functional.linear and args[0].dim() == 3 and args[0].shape[1] > 1:
            bias = args[2] if len(args) > 2 else None
            rounded = None if bias is None else bias.bfloat16()
            return func(args[0].bfloat16(), args[1].bfloat16(), rounded).float()
        return func(*args, **(kwargs or {}))
