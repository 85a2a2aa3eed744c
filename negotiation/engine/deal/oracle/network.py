"""The oracle's network: two hidden layers of tanh, in NumPy, with its weights in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from negotiation.engine.deal.chance import Array

PLACES: Final = 6
"""Digits of an output that count: one game and many are added up in another order."""


@dataclass(frozen=True, slots=True)
class Network:
    """Weights of each layer, ``(inputs, outputs)``, and its biases."""

    weights: Sequence[Array]
    biases: Sequence[Array]

    def __call__(self, inputs: Array) -> Array:
        """Outputs of shape ``(n, outputs)`` for inputs of shape ``(n, inputs)``."""
        hidden = inputs
        last = len(self.weights) - 1
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            hidden = hidden @ weight + bias
            if layer < last:
                hidden = np.tanh(hidden)
        result: Array = np.round(hidden, PLACES)
        return result

    @classmethod
    def read(cls, path: Path) -> Self:
        """From a file that :meth:`write` wrote."""
        with np.load(path) as kept:
            layers = len(kept.files) // 2
            return cls(
                [kept[f"weight{layer}"].astype(np.float64) for layer in range(layers)],
                [kept[f"bias{layer}"].astype(np.float64) for layer in range(layers)],
            )

    def write(self, path: Path) -> None:
        """Into one file, in single precision."""
        arrays = {
            f"{name}{layer}": values.astype(np.float32)
            for name, each in (("weight", self.weights), ("bias", self.biases))
            for layer, values in enumerate(each)
        }
        np.savez(path, **arrays)  # type: ignore[arg-type]  # its stub takes the names for options
