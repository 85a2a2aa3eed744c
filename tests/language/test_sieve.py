"""The sieve may let patterns through for nothing; it never keeps one back that would have matched."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine.language.cues import _cues
from negotiation.engine.language.kinds import _rules
from negotiation.engine.language.sieve import Sieve
from negotiation.opponents.guard.phrases import refused
from tests.effort import few
from tests.opponents.worst import worst

BOOKS = ("guard", "cues", "kinds")


@cache
def patterns_of(book: str) -> list[re.Pattern[str]]:
    """All that are in use; compiled when a test asks, not while all tests are collected."""
    if book == "guard":
        return [pattern for patterns in refused().values() for pattern in patterns]
    if book == "cues":
        return [pattern for group in _cues().values() for *_, pattern in group.cues]
    return [pattern for *_, pattern in _rules()]


@cache
def sieved(book: str) -> tuple[list[re.Pattern[str]], Sieve]:
    return patterns_of(book), Sieve(patterns_of(book))


HERE = Path(__file__).parent
ATTACKS = HERE.parent / "opponents" / "attacks.toml"

FIGURE = re.compile(r"[$€£]?\d[\d,.]*\d(?:k|m)?\b")


def lines() -> Iterator[str]:
    """Whatever the tests of the reader and of the guard say."""
    for path in HERE.glob("*.jsonl"):
        rows = (json.loads(row) for row in path.read_text(encoding="utf-8").splitlines() if row)
        yield from (row["text"] for row in rows if "text" in row)
    for family in tomllib.loads(ATTACKS.read_text(encoding="utf-8")).values():
        yield from family["lines"]
    yield from worst(121_500.0, 158_000.0, 140_000.0)


def matching(patterns: list[re.Pattern[str]], text: str) -> set[int]:
    return {place for place, pattern in enumerate(patterns) if pattern.search(text)}


@pytest.mark.parametrize("book", BOOKS)
def test_every_pattern_that_matches_is_let_through(book: str) -> None:
    patterns, sieve = sieved(book)
    hits = 0
    for line in islice(lines(), 0, None, few(3, 1)):
        plain = FIGURE.sub("<m>", line.lower())  # as the patterns of ``kinds`` see a clause
        for text in (line.lower(), plain, *re.split(r"(?<=[.?!])\s+", plain)):
            found = matching(patterns, text)
            assert found <= set(sieve.may_match(text))
            hits += len(found)
    assert hits > few(150, 500)


@given(
    st.lists(
        st.sampled_from(["floor", "my ", "we ", "lim", "it", " ", "budget", "not", "a", "b", "<m>", "?"])
    )
)
def test_every_pattern_that_matches_a_jumble_is_let_through(words: list[str]) -> None:
    text = "".join(words)
    for patterns, sieve in map(sieved, BOOKS):
        assert matching(patterns, text) <= set(sieve.may_match(text))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("abc|x", "x"),
        ("(?:abc)?def", "def"),
        ("(?:abc)*", ""),
        ("abc|ab", "ab"),
        ("(?i)budget", "BUDGET"),
        (r"a[bc]d|(?:long)+er", "acd"),
        (r"(foo|bar)\1", "barbar"),
        (r"one(?= two)", "one two"),
        (r"(?<!not )here\b", "here"),
        ("w(?:alk|ent) away", "went away"),
    ],
)
def test_what_a_pattern_needs_is_not_overstated(pattern: str, text: str) -> None:
    assert re.search(pattern, text)
    assert Sieve([re.compile(pattern)]).may_match(text) == [0]


def test_a_pattern_whose_words_are_missing_is_not_tried() -> None:
    sieve = Sieve([re.compile(r"\bmy (?:floor|limit)\b"), re.compile(r"\?")])
    assert sieve.may_match("what drives your timeline?") == [1]


def test_this_python_tells_what_its_patterns_need() -> None:
    """Without its parser every pattern would be tried: right, and as slow as before."""
    assert Sieve(patterns_of("guard")).may_match("") != list(range(len(patterns_of("guard"))))


def test_a_python_that_tells_nothing_has_every_pattern_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("negotiation.engine.language.sieve._parse", None)
    assert Sieve(patterns_of("guard")).may_match("") == list(range(len(patterns_of("guard"))))
