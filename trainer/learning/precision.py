"""The precision that matrices are multiplied in: bfloat16 where the processor does that in hardware.

Only the products of whole sequences with a weight are: weights, gradients, attention, the softmax and the last layer
stay in float32, and so does a token written by itself, where nothing would be gained. (Micikevicius et al. 2018, mixed
precision; Kalamkar et al. 2019, bfloat16.) PyTorch's own autocast is not used on a CPU, since its attention is
slower that way there.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import torch
from torch.overrides import TorchFunctionMode

Precision = Literal["float32", "auto"]
"""``auto`` takes bfloat16 on a CPU that multiplies in it: twice as quick here. A run repeats bit for bit in either, on a
processor of the same kind. On a GPU, where weights are bfloat16 as loaded, it is the adapter's products that are: PEFT
keeps an adapter in float32, and so would multiply whole sequences with it."""


def mixed(precision: Precision) -> AbstractContextManager[Any]:
    """What a model is run in."""
    if precision != "auto":
        return nullcontext()
    if torch.cuda.is_available():
        quick: AbstractContextManager[Any] = torch.autocast("cuda", dtype=torch.bfloat16)
        return quick
    return _QuickProducts() if torch.ops.mkldnn._is_mkldnn_bf16_supported() else nullcontext()


class _QuickProducts(TorchFunctionMode):  # type: ignore[misc]
    """Inside it, sequences are multiplied in bfloat16."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.nn.functional.linear and args[0].dim() == 3 and args[0].shape[1] > 1:
            bias = args[2] if len(args) > 2 else None
            rounded = None if bias is None else bias.bfloat16()
            return func(args[0].bfloat16(), args[1].bfloat16(), rounded).float()
        return func(*args, **(kwargs or {}))
