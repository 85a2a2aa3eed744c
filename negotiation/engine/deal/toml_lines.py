"""On which line of a TOML text a key stands. The standard library's reader does not tell."""

from __future__ import annotations

import re
from collections import Counter

_NAME = re.compile(r"[\w.\-\s\"']+")
_KEY = re.compile(r"\s*([\w\-]+(?:\.[\w\-]+)*)\s*=")
_MULTILINE = re.compile(r'"""|\'\'\'')

Path = tuple[str | int, ...]

DEEPEST = 16
"""Parts of a name that are looked at; a text that may be played never comes near."""


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
        name, is_array = _header(line)
        key = None if name else _KEY.match(line)
        if name:
            table = _resolved(name, is_array, counts)
            found.setdefault(table, number)
        elif key:
            parts = key[1].split(".", DEEPEST)
            for depth in range(1, len(parts) + 1):
                found.setdefault((*table, *parts[:depth]), number)
        inside = toggles
    return found


def _header(line: str) -> tuple[str, bool]:
    """The name of the table that a line opens, "" where it opens none, and whether it is one of an array."""
    line = line.strip()
    is_array = line.startswith("[[")
    inner, closing, after = line[2 if is_array else 1 :].partition("]")
    name, after = inner.strip(), after.removeprefix("]").lstrip()
    opens = line.startswith("[") and closing and (not after or after.startswith("#"))
    return (name if opens and _NAME.fullmatch(name) else ""), is_array


def _resolved(name: str, is_array: bool, counts: Counter[Path]) -> Path:
    """The path that a header opens; arrays of tables take the place of the latest one."""
    path: Path = ()
    parts = [part.strip().strip("\"'") for part in name.split(".", DEEPEST)[:DEEPEST]]
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
