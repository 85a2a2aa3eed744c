"""Acts, tactics and topics: a linear classifier over readable cues. Its weights are ``cues.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, cast

from negotiation.engine.language.types import ACTS, TACTICS, TOPICS

Group = Literal["acts", "tactics", "topics"]
_ORDER: Final[dict[Group, tuple[str, ...]]] = {"acts": ACTS, "tactics": TACTICS, "topics": TOPICS}
_Cue = tuple[float, re.Pattern[str]]


@lru_cache(maxsize=1)
def _cues() -> dict[Group, dict[str, tuple[_Cue, ...]]]:
    data = tomllib.loads(Path(__file__).with_name("cues.toml").read_text(encoding="utf-8"))
    found: dict[Group, dict[str, tuple[_Cue, ...]]] = {}
    for group in _ORDER:
        labels = cast(dict[str, dict[str, list[str]]], data[group])
        found[group] = {
            label: tuple(
                (float(weight), re.compile(pattern))
                for weight, patterns in weights.items()
                for pattern in patterns
            )
            for label, weights in labels.items()
        }
    return found


def labels(group: Group, sentences: list[str]) -> set[str]:
    """The labels of ``group`` that any one of ``sentences`` earns."""
    return {
        label
        for label, cues in _cues()[group].items()
        if any(sum(weight for weight, cue in cues if cue.search(text)) >= 1 for text in sentences)
    }


def ordered(group: Group, found: set[str]) -> tuple[str, ...]:
    """``found`` in the order in which the labels are listed."""
    return tuple(label for label in _ORDER[group] if label in found)
