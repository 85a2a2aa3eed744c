"""The personas: a folder each, and nothing else in the house names one.

=======================  ======================================================================================
``numbers.toml``         who it is, in words, and the numbers that its mind plays by (``deal/persona.py``)
``lines.toml``           what it says at a deal for two (``language/grammar.py`` has the conditions of a line)
``lines_of_three.toml``  what it says at a deal for three
``manner.toml``          how a model is told to speak for it, how much it says at once, and what it minds
``said.toml``            how it puts the plain sentences of authors (``language/voicing.py``)
``look.toml``            how the drawing holds a chair (``static/js/pose.js``)
``portrait.svg``         the drawing that the pages show
``rating.toml``          how strong it is, as ``bench/ratings.py`` measured it
=======================  ======================================================================================

A folder may leave out what another has: ``voice`` in ``numbers.toml`` names the one whose lines and manner it speaks
with, and a look, a portrait or a rating that is missing is done without.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

HOME: Final = Path(__file__).resolve().parent
NUMBERS: Final = "numbers.toml"
LINES_OF_THREE, LOOK, RATING, SAID = "lines_of_three.toml", "look.toml", "rating.toml", "said.toml"
USUAL: Final = "diplomat"
"""Whom a guest meets first, and whom somebody without a known temper is taken for: a person, or a model."""
_homes: tuple[Path, ...] = (HOME,)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a persona talks, beside the lines themselves.

    ``told`` is for a model that finds the words. ``closes`` is how often a closing thought is added, ``comments`` how
    often the step is commented on as well as the words; after ``enough`` words no closing thought is added. ``minds``
    are the topics of a case on which it brings up first what holds it back, the most pressing first.
    """

    told: str
    closes: float
    comments: float
    enough: int
    minds: tuple[str, ...] = ()


def folders() -> Mapping[str, Path]:
    """The folder of every persona by its id, easiest first."""
    return _found(_homes)


@contextmanager
def beside(home: Path) -> Iterator[None]:
    """The personas of another folder of folders are there as well, as long as this lasts."""
    global _homes
    before = _homes
    _homes = (*before, home)
    try:
        yield
    finally:
        _homes = before


def table(persona: str, name: str) -> dict[str, Any]:
    """One file of a persona's folder; empty where it has none."""
    return _read(folders()[persona] / name)


def manner(voice: str) -> Manner:
    """How the persona talks whose voice this is."""
    return _manner(folders()[voice])


def portrait(persona: str) -> str | None:
    """What its drawing is made of, without the frame; ``None`` where it has none."""
    found = folders().get(persona)
    return None if found is None else _drawing(found)


@cache
def _found(homes: tuple[Path, ...]) -> dict[str, Path]:
    paths = [path.parent for home in homes for path in sorted(home.glob(f"*/{NUMBERS}"))]
    return {path.name: path for path in sorted(paths, key=lambda path: _read(path / NUMBERS)["order"])}


@cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def _manner(folder: Path) -> Manner:
    read = _read(folder / "manner.toml")
    return Manner(**{**read, "minds": tuple(read.get("minds", ()))})


@cache
def _drawing(folder: Path) -> str | None:
    path = folder / "portrait.svg"
    if not path.exists():
        return None
    frame = path.read_text(encoding="utf-8")
    return frame[frame.index(">") + 1 : frame.rindex("</svg>")].strip()
