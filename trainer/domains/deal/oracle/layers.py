"""A network that learns, in NumPy: tanh layers with gradients worked out by hand, and Adam (Kingma & Ba 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.oracle.network import Network

Single = npt.NDArray[np.float32]

_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-5
_LAST_SCALE: Final = 0.1
"""The last layer starts small, so that all outputs begin near their biases."""


class Layers:
    """Two hidden layers of tanh and a linear one, in single precision.

    Args:
        sizes: inputs, hidden, hidden, outputs.
        bias: of the outputs, at the start.
        free: further numbers that are learnt with the network (:attr:`free`), at their start.
    """

    def __init__(
        self, sizes: Sequence[int], bias: Sequence[float], free: Sequence[float], rng: np.random.Generator
    ) -> None:
        self.weights: list[Single] = []
        self.biases: list[Single] = []
        last = len(sizes) - 2
        for layer, (inputs, outputs) in enumerate(pairwise(sizes)):
            drawn = rng.standard_normal((inputs, outputs)) / np.sqrt(inputs)
            self.weights.append((drawn * (_LAST_SCALE if layer == last else 1.0)).astype(np.float32))
            self.biases.append(np.zeros(outputs, dtype=np.float32))
        self.biases[-1] = np.array(bias, dtype=np.float32)
        self.free = np.array(free, dtype=np.float32)
        self._moments = [[np.zeros_like(each), np.zeros_like(each)] for each in self._parameters()]
        self._steps = 0
        self._kept: list[Single] = []

    def _parameters(self) -> list[Single]:
        return [*self.weights, *self.biases, self.free]

    def forward(self, inputs: Single) -> Single:
        """Outputs of shape ``(n, outputs)``; what the gradient needs is kept until the next call."""
        self._kept = [inputs]
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            self._kept.append(np.tanh(self._kept[-1] @ weight + bias))
        result: Single = self._kept[-1] @ self.weights[-1] + self.biases[-1]
        return result

    def step(self, slope: Single, free: Single, rate: float, most: float) -> None:
        """One step of Adam down the loss.

        Args:
            slope: of the loss in the outputs of the last :meth:`forward`; ``free`` in the free numbers.
            rate: of learning.
            most: the norm that the gradient is cut to.
        """
        weights: list[Single] = []
        biases: list[Single] = []
        for layer in range(len(self.weights) - 1, -1, -1):
            below = self._kept[layer]
            weights.insert(0, below.T @ slope)
            biases.insert(0, slope.sum(axis=0))
            if layer:
                slope = (slope @ self.weights[layer].T) * (1.0 - below * below)
        gradients = [*weights, *biases, free]
        norm = float(np.sqrt(sum(float((each * each).sum()) for each in gradients)))
        scale = min(1.0, most / (norm + 1e-8))
        self._steps += 1
        corrected = rate * np.sqrt(1 - _BETA_2**self._steps) / (1 - _BETA_1**self._steps)
        for values, gradient, moments in zip(self._parameters(), gradients, self._moments, strict=True):
            gradient = gradient * np.float32(scale)
            moments[0] *= _BETA_1
            moments[0] += (1 - _BETA_1) * gradient
            moments[1] *= _BETA_2
            moments[1] += (1 - _BETA_2) * gradient * gradient
            values -= np.float32(corrected) * moments[0] / (np.sqrt(moments[1]) + np.float32(_EPSILON))

    def begin_as(self, network: Network) -> None:
        """Begin with the weights of another network of the same sizes."""
        for layers, others in ((self.weights, network.weights), (self.biases, network.biases)):
            for values, other in zip(layers, others, strict=True):
                values[...] = other

    def state(self) -> dict[str, Single]:
        """All that the next step needs, by name."""
        kept = {f"_{at}": each for at, each in enumerate(self._parameters())}
        kept |= {f"_{at}_{of}": each for at, pair in enumerate(self._moments) for of, each in enumerate(pair)}
        return kept | {"_steps": np.array([self._steps], dtype=np.float32)}

    def restore(self, state: dict[str, Single]) -> None:
        """Go on from what :meth:`state` gave."""
        for at, values in enumerate(self._parameters()):
            values[...] = state[f"_{at}"]
        for at, pair in enumerate(self._moments):
            for of, moment in enumerate(pair):
                moment[...] = state[f"_{at}_{of}"]
        self._steps = int(state["_steps"][0])

    def network(self) -> Network:
        """As it is played."""
        return Network(
            [each.astype(np.float64) for each in self.weights],
            [each.astype(np.float64) for each in self.biases],
        )
