"""Which class names stand in more than one file, and which of them cross a room: one meaning a word, counted.

``python -m bench.words [--list]``. Counted are the classes at the top of the product's modules; left out are migrations, and
``Command``, the name that Django asks for. A name crosses a room where two of the rooms define it; within a room each should
be one as well.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.experiment import Figures, Given, experiment, option

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("accounts", "negotiation", "coaching", "trainer", "parlay_web", "owed")
ASKED_FOR = frozenset({"Command"})


def classes(root: Path, rooms: Iterable[str] = ROOMS) -> Iterator[tuple[str, Path]]:
    """Every class at the top of a module, with its file below ``root``."""
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and node.name not in ASKED_FOR:
                    yield node.name, path.relative_to(root)


def shared(found: Iterable[tuple[str, Path]]) -> dict[str, list[Path]]:
    """The names that stand in more than one file, with their files."""
    files: dict[str, list[Path]] = defaultdict(list)
    for name, path in found:
        if path not in files[name]:
            files[name].append(path)
    return {name: paths for name, paths in sorted(files.items()) if len(paths) > 1}


def crossing(names: dict[str, list[Path]]) -> list[str]:
    """Those of them that two rooms define."""
    return [name for name, paths in names.items() if len({path.parts[0] for path in paths}) > 1]


def within(names: dict[str, list[Path]], room: str) -> list[str]:
    """Those of them that one room defines twice."""
    return [name for name, paths in names.items() if sum(path.parts[0] == room for path in paths) > 1]


@experiment("words.json", option("--list", action="store_true", help="each name with its files"), told=False)
def main(given: Given) -> Figures:
    every = list(classes(ROOT))
    names = shared(every)
    found = {
        "classes": len(every),
        "in_several_files": len(names),
        "cross_a_room": len(crossing(names)),
        "twice_in_a_room": {room: len(within(names, room)) for room in ROOMS},
    }
    print(found)
    if given.list:
        for name, paths in names.items():
            print(f"{'*' if name in crossing(names) else ' '} {name}: {', '.join(map(str, paths))}")
    return found | {"names": {name: [str(path) for path in paths] for name, paths in names.items()}}


if __name__ == "__main__":
    main()
