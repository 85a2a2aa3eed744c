"""Drafts are read apart: in a process of its own that may use so much processor time, and no more.

    python -m negotiation.scenario_limits SLUG < TEXT

A person wrote the text, and reading it must never hold up a table. Only what was read there in time is read again here.
"""

from __future__ import annotations

import sys
from functools import lru_cache

from negotiation.apart import ends_well, limit_processor
from negotiation.engine.deal.scenario_fields import Problem
from negotiation.engine.deal.toml_depth import too_deep
from negotiation.scenario_checks import Checked, check

LONGEST_TEXT = 64 * 1024
"""In bytes of UTF-8."""
CPU_SECONDS = 3
"""Starting takes most of one on a slow machine."""
WALL_SECONDS = 30.0


def refusal(text: str, slug: str) -> str | None:
    """Why a text is not even kept; None where it is, sound or not."""
    if len(text.encode("utf-8", "replace")) > LONGEST_TEXT:
        return "it is longer than 64 KiB."
    deep = too_deep(text)
    if deep is not None:
        return f"line {deep} nests deeper than any scenario does."
    return None if _in_time(text, slug) else "it takes too long to read."


def check_apart(text: str, slug: str) -> Checked:
    """As :func:`check`, of any text: one that is refused is told so as its only problem."""
    refused = refusal(text, slug)
    if refused is None:
        return check(text, slug)
    return Checked(None, (Problem((), f"can't be read: {refused}", None),), ())


@lru_cache(maxsize=256)
def _in_time(text: str, slug: str) -> bool:
    return ends_well(
        "negotiation.scenario_limits", slug, content=text.encode("utf-8", "replace"), seconds=WALL_SECONDS
    )


def main() -> None:
    """Read a text under the limit; the kernel ends what goes beyond."""
    limit_processor(CPU_SECONDS)
    check(sys.stdin.buffer.read().decode(), sys.argv[1])


if __name__ == "__main__":
    main()
