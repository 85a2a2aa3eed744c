"""The phrases of ``rules.toml``, compiled once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

_RULES: Final = Path(__file__).with_name("rules.toml")
_HEARD: Final = "asked_after"
"""The one part that is about what the other side says."""


@cache
def _parts() -> dict[str, tuple[re.Pattern[str], ...]]:
    data = tomllib.loads(_RULES.read_text(encoding="utf-8"))
    return {name: tuple(re.compile(pattern) for pattern in part["patterns"]) for name, part in data.items()}


@cache
def refused() -> dict[str, tuple[re.Pattern[str], ...]]:
    """What may not be said, by the name of its rule; matched against single sentences in lower case."""
    return {name: patterns for name, patterns in _parts().items() if name != _HEARD}


def asks_after_the_limit(heard: str) -> bool:
    """Whether the other side's words fish for the limit, or for a yes or no about a guess at it."""
    plain = heard.lower().replace("’", "'")
    return any(pattern.search(plain) for pattern in _parts()[_HEARD])
