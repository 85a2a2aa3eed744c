"""On which line of a TOML text a key stands. The standard library's reader does not tell."""

from __future__ import annotations

import re
from collections import Counter

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\-\s\"']+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w\-]+)\s*=")
_MULTILINE = re.compile(r'"""|\'\'\'')

Path = tuple[str | int, ...]


def lines_of(text: str) -> dict[Path, int]:
    """Paths of all tables and keys that are written plainly, with the line (from 1) of each.

    Keys inside inline tables are not told apart; ask for the nearest path with :func:`line_of`.
    """
    found: dict[Path, int] = {(): 1}
    counts: Counter[Path] = Counter()
    table: Path = ()
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        toggles = len(_MULTILINE.findall(line)) % 2 == 1
        if inside:
            inside = not toggles
            continue
        header = _HEADER.match(line)
        key = None if header else _KEY.match(line)
        if header:
            table = _resolved(header[2], header[1] == "[[", counts)
            found.setdefault(table, number)
        elif key:
            found.setdefault((*table, key[1]), number)
        inside = toggles
    return found


def _resolved(name: str, is_array: bool, counts: Counter[Path]) -> Path:
    """The path that a header opens; arrays of tables take the place of the latest one."""
    path: Path = ()
    parts = [part.strip().strip("\"'") for part in name.split(".")]
    for part in parts[:-1]:
        path = (*path, part)
        if counts[path]:
            path = (*path, counts[path])
    path = (*path, parts[-1])
    if not is_array:
        return path
    counts[path] += 1
    return (*path, counts[path])


def line_of(lines: dict[Path, int], path: Path) -> int | None:
    """The line of ``path``, or of the nearest thing around it that has one; None for the file as a whole.

    An array of tables stands where its first table does.
    """
    while path:
        for found in (path, (*path, 1)):
            if found in lines:
                return lines[found]
        path = path[:-1]
    return None
