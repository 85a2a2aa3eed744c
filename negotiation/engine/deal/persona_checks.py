"""What must be mended in a persona's folder before it sits at a table, by file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from negotiation.engine.deal.case.acts import TOPICS
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.toml_lines import line_of, lines_of
from negotiation.engine.language.grammar import FACTS, RESTATED, SLOTS, TALKED, pools, pools_of
from negotiation.engine.language.quantities import quantities
from negotiation.engine.language.tokens import tokenise
from negotiation.engine.personas import LINES_OF_THREE, LOOK, NUMBERS, SAID, USUAL, Manner, folders, table

LONGEST_FILE: Final = 128 * 1024
"""In bytes; the longest that ships has a quarter of it."""
FEWEST: Final = {"hold.stay": 20, "counter.move": 20, "close.push": 15}
"""With fewer lines here a voice repeats itself in a long deal."""
_SMALLEST_PRICE: Final = 10
"""A bare number from this on could be taken for a price."""
_SHAPES: Final = frozenset(("svg", "g", "path", "circle", "ellipse", "rect"))
_DRAWS: Final = frozenset(
    [
        "xmlns",
        "viewBox",
        "d",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "x",
        "y",
        "width",
        "height",
        "fill",
        "stroke",
        "stroke-width",
        "class",
        "transform",
    ]
)
_TAG: Final = re.compile(r"<\s*/?\s*([^\s/>]+)([^>]*)>")
_ATTRIBUTE: Final = re.compile(r"([^\s=]+)\s*=")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to mend. ``line`` is ``None`` for a file as a whole."""

    file: str
    line: int | None
    text: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.text}"


def faults(folder: Path) -> list[Fault]:
    """Everything that must be mended; empty for a persona that can play."""
    found: list[Fault] = []
    numbers = _read(folder, NUMBERS, found, needed=True)
    if numbers is not None:
        found += _of_numbers(*numbers)
    voice = None if numbers is None else numbers[0].get("voice")
    own = voice is None or voice == folder.name
    if not own and voice not in folders():
        found.append(Fault(NUMBERS, None, f"voice: there is no persona {voice!r} to borrow lines from"))
    for name, check in (("lines.toml", _of_lines), (LINES_OF_THREE, _of_three), ("manner.toml", _of_manner)):
        told = _read(folder, name, found, needed=own)
        if told is not None:
            found += check(*told)
    said = _read(folder, SAID, found, needed=False)
    if said is not None:
        found += _of_said(*said)
    look = _read(folder, LOOK, found, needed=False)
    if look is not None:
        found += _of_look(*look)
    return found + list(_of_drawing(folder))


Told = tuple[dict[str, Any], str]
"""What a file holds, and its text."""


def _read(folder: Path, name: str, found: list[Fault], *, needed: bool) -> Told | None:
    path = folder / name
    if not path.exists():
        if needed:
            found.append(Fault(name, None, "is missing"))
        return None
    if path.stat().st_size > LONGEST_FILE:
        found.append(Fault(name, None, f"is longer than {LONGEST_FILE // 1024} KiB"))
        return None
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), text
    except UnicodeDecodeError:
        found.append(Fault(name, None, "is not UTF-8"))
    except tomllib.TOMLDecodeError as problem:
        at = re.search(r"line (\d+)", str(problem))
        found.append(Fault(name, int(at[1]) if at else None, str(problem)))
    return None


def _keys(name: str, told: Told, needed: Iterable[str], allowed: Iterable[str] = ()) -> Iterator[Fault]:
    """Keys that are missing, and keys that nobody reads."""
    raw, text = told
    needed, lines = set(needed), lines_of(text)
    for key in sorted(needed - set(raw)):
        yield Fault(name, None, f"{key} is missing")
    for key in sorted(set(raw) - needed - set(allowed)):
        yield Fault(name, line_of(lines, (key,)), f"nobody reads {key}")


def _of_numbers(raw: dict[str, Any], text: str) -> Iterator[Fault]:
    kinds = {field.name: str(field.type) for field in fields(Persona)}
    needed = (set(kinds) - {"id", "voice"}) | {"order"}
    yield from _keys(NUMBERS, (raw, text), needed, {"voice"})
    lines = lines_of(text)
    for key in needed & set(raw):
        value, kind = raw[key], kinds.get(key, "number")
        line = line_of(lines, (key,))
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if kind == "float" and not (is_number and 0 <= value <= 1):
            yield Fault(NUMBERS, line, f"{key} must lie in [0, 1], not {value!r}")
        elif kind == "bool" and not isinstance(value, bool):
            yield Fault(NUMBERS, line, f"{key} must be true or false, not {value!r}")
        elif kind == "str" and not (isinstance(value, str) and value.strip()):
            yield Fault(NUMBERS, line, f"{key} must be words, not {value!r}")
        elif kind == "number" and not is_number:
            yield Fault(NUMBERS, line, f"{key} must be a number, not {value!r}")


def _of_lines(raw: dict[str, Any], text: str) -> Iterator[Fault]:
    name = "lines.toml"
    for section, keys in raw.items():
        for key, pool in keys.items() if isinstance(keys, dict) else [("", keys)]:
            if not (isinstance(pool, list) and all(isinstance(each, str) for each in pool)):
                line = line_of(lines_of(text), (section, key))
                yield Fault(name, line, f"{section}.{key} must be a list of lines")
                return
    known, usual = pools_of(raw), pools(USUAL)
    for key in sorted(set(usual) - set(known) - set(pools_of(RESTATED)) - set(pools_of(TALKED))):
        yield Fault(name, None, f"{key} has no lines")
    lines = lines_of(text)
    for key, parts in known.items():
        line = line_of(lines, tuple(key.split(".", 1)))
        if key not in usual and not key.startswith(("card.", "react.")):
            yield Fault(name, line, f"nobody says {key}")
        if len(parts) < FEWEST.get(key, 1):
            yield Fault(name, line, f"{key} has {len(parts)} lines, needs {FEWEST.get(key, 1)}")
        for part in parts:
            at = _line_with(text, part.text)
            for word in sorted((part.needs | part.bars) - FACTS):
                yield Fault(name, at, f"there is no condition {word!r}")
            for slot in sorted(part.slots - SLOTS):
                yield Fault(name, at, f"there is no figure {{{slot}}}")
            for one in quantities(tokenise(re.sub(r"\{\w+\}", "it", part.text))):
                if one.unit == "money" or (one.unit == "bare" and one.value >= _SMALLEST_PRICE):
                    yield Fault(name, at, f"{one.value:g} looks like money, and nobody decided it")


def _of_three(raw: dict[str, Any], text: str) -> Iterator[Fault]:
    yield from _keys(LINES_OF_THREE, (raw, text), table(USUAL, LINES_OF_THREE))
    for key, pool in raw.items():
        if not (isinstance(pool, list) and pool and all(isinstance(each, str) for each in pool)):
            yield Fault(LINES_OF_THREE, line_of(lines_of(text), (key,)), f"{key} must be a list of lines")


def _of_manner(raw: dict[str, Any], text: str) -> Iterator[Fault]:
    yield from _keys(
        "manner.toml", (raw, text), {field.name for field in fields(Manner)} - {"minds"}, {"minds"}
    )
    lines = lines_of(text)
    for key in {"closes", "comments"} & set(raw):
        value = raw[key]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            yield Fault("manner.toml", line_of(lines, (key,)), f"{key} must lie in [0, 1], not {value!r}")
    minds = raw.get("minds", [])
    for topic in minds if isinstance(minds, list) else [minds]:
        if topic not in TOPICS:
            yield Fault("manner.toml", line_of(lines, ("minds",)), f"minds: there is no topic {topic!r}")


def _of_said(raw: dict[str, Any], text: str) -> Iterator[Fault]:
    yield from _keys(SAID, (raw, text), ("manner", "clauses"))
    lines = lines_of(text)
    for clause, put in raw.get("clauses", {}).items():
        if not isinstance(put, str) or not put or put.endswith((".", "!", "?", ",", ";", ":")):
            at = line_of(lines, ("clauses", clause))
            yield Fault(SAID, at, "must be a clause that goes into a sentence, without a mark at its end")
    for word, joint in raw.get("manner", {}).get("joints", {}).items():
        if word not in ("and", "so", "but") or not isinstance(joint, str):
            yield Fault(SAID, line_of(lines, ("manner", "joints")), f"joints: {word} joins no sentences")


def _of_look(raw: dict[str, Any], text: str) -> Iterator[Fault]:
    usual, lines = table(USUAL, LOOK), lines_of(text)
    yield from _keys(LOOK, (raw, text), usual)
    for key in set(raw) & set(usual):
        value = raw[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield Fault(LOOK, line_of(lines, (key,)), f"{key} must be a number, not {value!r}")


def _of_drawing(folder: Path) -> Iterator[Fault]:
    """The drawing goes into the pages as it is: shapes and colours, and nothing that could act."""
    path = folder / "portrait.svg"
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    if not (text.lstrip().startswith("<svg") and text.rstrip().endswith("</svg>")):
        yield Fault(path.name, None, "must be one svg element and nothing else")
    for number, line in enumerate(text.splitlines(), 1):
        if "&" in line or line.count("<") != line.count(">") or line.count("<") != len(_TAG.findall(line)):
            yield Fault(path.name, number, "must hold whole elements on every line, and no entities")
        for tag, attributes in _TAG.findall(line):
            if tag not in _SHAPES:
                yield Fault(path.name, number, f"<{tag}> is not a shape")
            for attribute in sorted(set(_ATTRIBUTE.findall(attributes)) - _DRAWS):
                yield Fault(path.name, number, f"{attribute} is not a shape's or a colour's")


def _line_with(text: str, words: str) -> int | None:
    """The line of a file on which these words stand."""
    return next((number for number, line in enumerate(text.splitlines(), 1) if words in line), None)
