"""Long files that people bring are read apart first, in a process of its own that may use so much processor time.

    python -m trainer.flywheel.import_limits FILENAME MAPPING < FILE

What is not read there in time is refused, and never read in the process that serves tables.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

from negotiation.apart import ends_well, limit_processor

CPU_SECONDS = 10
"""Starting takes one to two; the largest file that is taken, 20,000 lines of 8 MB, one to two more."""
WALL_SECONDS = 60.0
TOO_LONG = "It takes too long to read. Split the file, or look for what is odd in it."
SHORT = 64 * 1024
"""Up to so many bytes a file is read at once: whatever stands in it takes a fraction of a second, a process to start one."""
MOST_REMEMBERED = 256
_remembered: dict[tuple[str, ...], bool] = {}


def is_read_in_time(content: bytes, filename: str, mapping: dict[str, Any] | None = None) -> bool:
    """Whether a file can be read, by a mapping where one is given, under the limits. Asked once for each of both."""
    if len(content) <= SHORT:
        return True
    name = "file.jsonl" if filename.endswith(".jsonl") else "file.csv"
    key = (hashlib.sha256(content).hexdigest(), name, json.dumps(mapping, sort_keys=True))
    if key not in _remembered:
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        _remembered[key] = ends_well(
            "trainer.flywheel.import_limits", *key[1:], content=content, seconds=WALL_SECONDS
        )
    return _remembered[key]


def main() -> None:
    """Read a file under the limit; the kernel ends what goes beyond. What is wrong with it is said when it is read again."""
    limit_processor(CPU_SECONDS)
    import django

    django.setup()
    from trainer.flywheel.transcripts import Mapping, read, table_of

    name, told = sys.argv[1], json.loads(sys.argv[2])
    content = sys.stdin.buffer.read()
    if told is not None:
        read(content, name, Mapping.from_json(told))
        return
    try:
        table_of(content, name)
    except ValueError:
        return  # no table: its reader says on which line


if __name__ == "__main__":
    main()
