"""Typed reading of parsed TOML that collects every problem instead of stopping at the first.

A reader that can't use a value notes why and goes on with a harmless stand-in; whoever reads asks at the end
whether there were problems, and throws the stand-ins away with everything else.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
"""Keys and, for the tables of an array, their places counted from 1: ``("issue", 2, "option", 1, "buyer")``."""

MANY = 100
"""Problems after which no similar name is looked for: that costs more than everything else."""
SLUG = re.compile(r"[a-z][a-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: where it stands, what is there, what was expected. ``line`` counts from 1."""

    path: Path
    message: str
    line: int | None = None

    @property
    def where(self) -> str:
        """The path as text: ``issue[2].option[1].buyer``; empty for the file as a whole."""
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
        return text

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.path else self.message


def shown(value: object) -> str:
    """A value as it would stand in the file, cut short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        text = '"' + value.replace("\n", "\\n") + '"'
        return text if len(text) <= 40 else f'{text[:36]}..."'
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        text = "[" + ", ".join(shown(item) for item in value[:4]) + (", ..." if len(value) > 4 else "") + "]"
        return text if len(text) <= 60 else f"a list of {len(value)}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Span:
    """An interval with open or closed ends, written as mathematics writes it: ``[0, 0.3)``."""

    text: str
    low: float
    high: float

    @classmethod
    def of(cls, text: str) -> Span:
        low, high = (float(end) for end in text[1:-1].split(","))
        return cls(text, low, high)

    def __contains__(self, value: float) -> bool:
        above = value >= self.low if self.text[0] == "[" else value > self.low
        below = value <= self.high if self.text[-1] == "]" else value < self.high
        return above and below

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"{'at least' if self.text[0] == '[' else 'above'} {self.low:g}"
        return f"in {self.text}"


_ANY = "(-inf, inf)"


class Table:
    """One table of the file. Every method takes a key, notes what is wrong with it, returns a usable value."""

    def __init__(self, raw: Mapping[str, Any], path: Path, problems: list[Problem]) -> None:
        self._raw = raw
        self._read: list[str] = []
        self.path = path
        self.problems = problems

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def __iter__(self) -> Iterator[str]:
        """The keys, in the order of the file."""
        return iter(self._raw)

    def note(self, message: str, *key: str | int) -> None:
        """Note a problem at ``key`` under this table, or at the table itself."""
        self.problems.append(Problem((*self.path, *key), message))

    def _take(self, key: str, expected: str, optional: bool = False) -> Any:
        """The raw value, or None after a note that it is missing."""
        self._read.append(key)
        if key not in self._raw:
            if not optional:
                self.note(f"is missing, expected {expected}", key)
            return None
        return self._raw[key]

    def _wrong(self, key: str, value: object, expected: str) -> None:
        self.note(f"{shown(value)} is not {expected}", key)

    def text(self, key: str, longest: int = 400) -> str:
        """Words: not empty, at most ``longest`` characters once trimmed."""
        value = self._take(key, "text")
        if value is None:
            return ""
        if not isinstance(value, str) or not value.strip():
            self._wrong(key, value, "text" if not isinstance(value, str) else "text with something in it")
            return ""
        trimmed = value.strip()
        if len(trimmed) > longest:
            self.note(f"has {len(trimmed)} characters, expected at most {longest}", key)
        return trimmed

    def texts(self, key: str, least: int, most: int, optional: bool = False) -> tuple[str, ...]:
        """A list of words."""
        expected = f"a list of {least} to {most} texts"
        value = self._take(key, expected, optional)
        if value is None:
            return ()
        good = isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value)
        if not good or not least <= len(value) <= most:
            self._wrong(key, value, expected)
            return ()
        return tuple(item.strip() for item in value)

    def text_or_pair(self, key: str, longest: int = 400) -> tuple[str, ...]:
        """Words, or two of them in a list."""
        if isinstance(self._raw.get(key), list):
            pair = self.texts(key, 2, 2)
            if any(len(text) > longest for text in pair):
                self.note(f"has a text of more than {longest} characters", key)
            return pair
        return (self.text(key, longest),)

    def slug(self, key: str = "id") -> str:
        """A name for machines: small letters, digits and underscores."""
        value = self._take(key, "an id")
        if value is None:
            return ""
        if not isinstance(value, str) or not SLUG.fullmatch(value):
            self._wrong(key, value, "an id: a small letter, then small letters, digits or _, at most 64")
            return ""
        return value

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """One of a few words."""
        expected = "one of " + ", ".join(shown(choice) for choice in choices)
        value = self._take(key, expected)
        if value is None:
            return choices[0]
        if value not in choices:
            near = difflib.get_close_matches(value, choices, 1) if isinstance(value, str) else []
            self._wrong(key, value, expected + (f"; did you mean {shown(near[0])}?" if near else ""))
            return choices[0]
        return str(value)

    def number(self, key: str, within: str = _ANY, default: float | None = None) -> float:
        """A finite number in an interval, given as ``"[0, 0.3)"``. With a default it may be left out."""
        span = Span.of(within)
        expected = "a number" if within == _ANY else f"a number {span}"
        value = self._take(key, expected, optional=default is not None)
        if value is None:
            return default or 0.0
        if not _is_number(value):
            self._wrong(key, value, "a number")
        elif value not in span:
            self._wrong(key, value, str(span))
        else:
            return float(value)
        return default or 0.0

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number between two bounds, both allowed."""
        expected = f"a whole number in [{low}, {high}]"
        value = self._take(key, expected)
        if value is None:
            return low
        if not isinstance(value, int) or isinstance(value, bool):
            self._wrong(key, value, "a whole number")
        elif not low <= value <= high:
            self._wrong(key, value, f"in [{low}, {high}]")
        else:
            return value
        return low

    def pair(self, key: str, within: str) -> tuple[float, float]:
        """Two numbers ``[low, high]`` in an interval."""
        span = Span.of(within)
        value = self._take(key, f"two numbers [low, high] {span}")
        if value is None:
            return span.low, span.low
        if not isinstance(value, list) or len(value) != 2 or not all(_is_number(item) for item in value):
            self._wrong(key, value, "two numbers [low, high]")
        elif value[0] > value[1]:
            self.note(f"{shown(value)} has its low end above its high end", key)
        elif value[0] not in span or value[1] not in span:
            self.note(f"{shown(value)} is not {span} at both ends", key)
        else:
            return float(value[0]), float(value[1])
        return span.low, span.low

    def flag(self, key: str) -> bool | None:
        """true, false, or None when it is left out."""
        value = self._take(key, "true or false", optional=True)
        if value is not None and not isinstance(value, bool):
            self._wrong(key, value, "true or false")
            return None
        return value

    def table(self, key: str, optional: bool = False) -> Table:
        """A table inside this one; an empty one after a problem."""
        value = self._take(key, "a table", optional)
        if value is not None and not isinstance(value, Mapping):
            self._wrong(key, value, "a table")
            value = None
        if value is None:
            # What is missing as a whole is said once, not again for each of its fields.
            return Table({}, (*self.path, key), [])
        return Table(value, (*self.path, key), self.problems)

    def entry(self, key: str) -> Table:
        """A table inside this one, or plain words that stand for a table with nothing but ``says``."""
        value = self._raw.get(key)
        if isinstance(value, str):
            self._read.append(key)
            return Table({"says": value}, (*self.path, key), self.problems)
        return self.table(key)

    def tables(self, key: str) -> list[Table]:
        """An array of tables; none when it is left out."""
        value = self._take(key, "", optional=True)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            self._wrong(key, value, f"a list of tables [[{key}]]")
            return []
        return [Table(item, (*self.path, key, place), self.problems) for place, item in enumerate(value, 1)]

    def close(self, *others: str) -> None:
        """Note every key that nobody asked for. ``others`` are keys that may be there without being read."""
        known = list(dict.fromkeys((*self._read, *others)))
        for key in self._raw:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1) if len(self.problems) < MANY else []
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
                self.note(f"is not a known key; {hint}", key)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
