"""Does an adapter belong to the model that is served? vLLM does not ask; weights for another base talk gibberish.

An adapter of ours says which weights it was trained on (``parlay.json``): where the base model's files can be read here,
those are compared. Of any other the names are, and the form of every single matrix, for which headers are enough: a
safetensors file begins with the length of a JSON header (8 bytes, little-endian) and then that header.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negotiation.serving.fingerprint import fingerprint

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
ABOUT = "parlay.json"
LARGEST_HEADER = 64 * 1024 * 1024
_LORA = re.compile(r"^(?:base_model\.model\.)?(?P<module>.+)\.lora_(?P<side>[AB])(?:\.default)?\.weight$")
Shapes = dict[str, tuple[int, ...]]


class AdapterRefused(ValueError):
    """The adapter can't be used; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class AdapterFacts:
    """What an adapter's folder says of it.

    ``shapes`` are (out, in) of the matrices that it changes, by module; ``base_sha256`` the weights that it was trained
    on, as ``fingerprint`` has them, empty where it does not say.
    """

    base: str
    base_sha256: str
    rank: int
    targets: tuple[str, ...]
    sha256: str
    shapes: Shapes


def read_adapter(folder: Path) -> AdapterFacts:
    """Read an adapter as PEFT writes it, and make sure that it is whole and of a kind that vLLM serves."""
    config = _json(folder / CONFIG)
    weights = folder / WEIGHTS
    if not weights.is_file():
        raise AdapterRefused(f"{weights} is missing")
    if config.get("peft_type") != "LORA":
        raise AdapterRefused(f"{CONFIG}: only LoRA adapters can be served, not {config.get('peft_type')!r}")
    for name, plain in (("bias", "none"), ("use_dora", False), ("modules_to_save", None)):
        if config.get(name) not in (plain, None, [], False):
            raise AdapterRefused(f"{CONFIG}: {name} is {config[name]!r}, which the server can't load")
    rank, base = config.get("r"), config.get("base_model_name_or_path")
    if not isinstance(rank, int) or rank < 1:
        raise AdapterRefused(f"{CONFIG}: r must be a whole number from 1")
    if not isinstance(base, str) or not base:
        raise AdapterRefused(f"{CONFIG}: base_model_name_or_path does not name the base model")
    shapes = _changed(header(weights), rank)
    targets = tuple(sorted({module.rsplit(".", 1)[-1] for module in shapes}))
    with weights.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    about = _json(folder / ABOUT) if (folder / ABOUT).exists() else {}
    return AdapterFacts(base, str(about.get("base_sha256", "")), rank, targets, digest, shapes)


def check_base(facts: AdapterFacts, served: str) -> None:
    """Make sure that the adapter was made for ``served``: a folder or a hub name, as the server tells it."""
    weights = fingerprint(Path(served)) if facts.base_sha256 else None
    if weights is not None and weights != facts.base_sha256:
        raise AdapterRefused(f"trained on other weights than those of {served}, which the server runs")
    if weights is None and not same_model(facts.base, served):
        raise AdapterRefused(f"made for {facts.base}, but the server runs {served}")
    base = base_shapes(Path(served))
    if base is None:
        return
    for module, shape in facts.shapes.items():
        found = base.get(f"{module}.weight")
        if found is None:
            raise AdapterRefused(f"changes {module}, which {served} does not have")
        if found != shape:
            raise AdapterRefused(f"{module} is {_by(shape)} in the adapter and {_by(found)} in {served}")


def same_model(one: str, other: str) -> bool:
    """Whether two names are of one model. Folders that exist are compared as such, all else by the last part."""
    if one.rstrip("/") == other.rstrip("/"):
        return True
    here, there = Path(one), Path(other)
    if here.is_dir() and there.is_dir():
        return here.resolve() == there.resolve()
    return here.name == there.name != ""


def base_shapes(folder: Path) -> Shapes | None:
    """The form of every weight of the base model; None where its files can't be read from here."""
    files = sorted(folder.glob("model*.safetensors")) if folder.is_dir() else []
    if not files:
        return None
    return {name: tuple(entry["shape"]) for file in files for name, entry in header(file).items()}


def header(file: Path) -> dict[str, dict[str, Any]]:
    """The table of contents of a safetensors file."""
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if not 0 < length <= LARGEST_HEADER:
                raise AdapterRefused(f"{file} is no safetensors file")
            found = json.loads(stream.read(length))
    except (OSError, ValueError) as error:
        raise AdapterRefused(f"{file} can't be read: {_short(error)}") from None
    return {name: entry for name, entry in found.items() if name != "__metadata__"}


def _changed(entries: dict[str, dict[str, Any]], rank: int) -> Shapes:
    """(out, in) of every module that the adapter changes: A is (rank, in), B is (out, rank)."""
    sides: dict[str, dict[str, list[int]]] = {}
    for name, entry in entries.items():
        match = _LORA.match(name)
        if match is None:
            raise AdapterRefused(f"{WEIGHTS} holds {name}, which is no part of a LoRA adapter")
        sides.setdefault(match["module"], {})[match["side"]] = entry["shape"]
    shapes: Shapes = {}
    for module, pair in sides.items():
        if set(pair) != {"A", "B"} or len(pair["A"]) != 2 or len(pair["B"]) != 2:
            raise AdapterRefused(f"{module} is not whole: it needs lora_A and lora_B")
        if pair["A"][0] != rank or pair["B"][1] != rank:
            raise AdapterRefused(f"{module} has rank {pair['A'][0]}, {CONFIG} says {rank}")
        shapes[module] = (pair["B"][0], pair["A"][1])
    if not shapes:
        raise AdapterRefused(f"{WEIGHTS} is empty")
    return shapes


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise AdapterRefused(f"{file} can't be read: {_short(error)}") from None
    if not isinstance(found, dict):
        raise AdapterRefused(f"{file} is not an object")
    return found


def _short(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


def _by(shape: tuple[int, ...]) -> str:
    return " by ".join(map(str, shape))
