"""What is done with a figure: offered, drawn as a limit, quoted, rejected, supposed, or merely mentioned.

The patterns and their weights are in ``kinds.toml``, to be read and mended by people who know the trade.
Per clause the strongest pattern of a kind counts; the margin between kinds becomes confidence.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final, cast

from negotiation.engine.language.sieve import Sieve
from negotiation.engine.language.types import Kind

_KINDS: Final[tuple[Kind, ...]] = ("offer", "limit", "quote", "rejection", "hypothetical", "none")
_Rules = tuple[tuple[Kind, float, re.Pattern[str]], ...]

_ANY_WORD: Final = "(?: [a-z]+"
_WORD_OR_TERM: Final = "(?: (?:[a-z]+|<n>)"
"""Where a pattern lets any word stand, a number of something else may: "can't sign a 3-year deal at <m>"."""
_TURNED: Final = re.compile(
    r"\b(?:not|never|no|nobody|wish|unless|until|hardly|would love to|would have|unfortunately|joke|"
    r"kidding|dream|as if|yeah right|universe|rather|supposedly)\b"
)
_DOUBT: Final = re.compile(
    r"\b(?:lucky|before|world|walk|question|if (?:i|we)|if only|base|"
    r"most|least|highest|lowest|minimum|maximum|ceiling|floor|competing|rival|another|reason|approval|"
    r"offer from|maybe|perhaps|or|either|guess|anyone|someone|who)\b"
)
_BOUND: Final = re.compile(
    r"\b(?:under|below|beneath|above|over|beyond|past|exceed\w*|than|least|most)(?: [a-z]+){0,2} <m>"
)
_ROUGH: Final = re.compile(
    r"(?:(?<!how )(?<!what )\babout|\baround|roughly|approximately|somewhere|ballpark|closer to|\bnear|nearly"
    r"|almost|north of|south of|upwards of|circa|\blike|give or take|~|in the range of|between)"
    r"(?: an?| the| to| of| in)* <m>"
    r"|<m>(?: or so| or thereabouts| give or take| ish| ?\+| plus| range)"
)
_OTHER_MEASURE: Final = re.compile(
    r"<m>(?: [a-z]+){0,2} (?:now|upfront|up front|down|first|today|in advance|at signing|on signing|on order|on delivery)"
    r"\b.*(?:<o>|\b(?:rest|remainder|remaining|balance|later|then|on delivery|on acceptance)\b)"
    r"|<o>.*\b(?:and|then|plus) <m>(?: [a-z]+){0,2} (?:later|on delivery|on acceptance|at the end|afterwards)\b"
    r"|\b(?:put|pay|paying|putting)(?: [a-z]+)? down(?: [a-z]+)? <m>"
    r"|\btotal contract value\b|\btcv\b|<m>(?: [a-z]+){0,3} (?:over|across|spread over|for all)(?: [a-z]+){0,3} <n>"
    r"|<m> (?:delivered|shipped|installed|deployed|in stock|pieces)\b"
)


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    """All patterns, heaviest first, word lists filled in."""
    data = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
    words = cast(dict[str, str], data["words"])
    rules: list[tuple[Kind, float, re.Pattern[str]]] = []
    for kind in _KINDS:
        for weight, patterns in cast(dict[str, list[str]], data[kind]).items():
            for pattern in patterns:
                for name, listed in words.items():
                    pattern = pattern.replace(f"<{name}>", listed)
                pattern = pattern.replace(_ANY_WORD, _WORD_OR_TERM)
                rules.append((kind, float(weight), re.compile(pattern)))
    return tuple(sorted(rules, key=lambda rule: -rule[1]))


@lru_cache(maxsize=1)
def _sieve() -> Sieve:
    return Sieve([pattern for *_, pattern in _rules()])


def weigh(clause: str) -> dict[Kind, float]:
    """How strongly each kind of use speaks from one clause that holds ``<m>``."""
    scores: dict[Kind, float] = {}
    rules = _rules()
    for place in _sieve().may_match(clause):
        kind, weight, pattern = rules[place]
        if kind not in scores and pattern.search(clause):
            scores[kind] = weight
    return scores


def is_turned(clause: str) -> bool:
    """Whether a word in the clause turns offers around as a rule ("wish", "not", "unless")."""
    return _TURNED.search(clause) is not None


def is_doubtful(clause: str) -> bool:
    """Whether a word in the clause could turn an offer around ("or", "before", "at least")."""
    return _DOUBT.search(clause) is not None or _BOUND.search(clause) is not None


def is_rough(clause: str) -> bool:
    """Whether the figure is hedged right before or after it ("around 150", "150 or so")."""
    return _ROUGH.search(clause) is not None


def is_other_measure(clause: str) -> bool:
    """Whether the figure may be an instalment, the sum of all years or a number of things, not the price."""
    return _OTHER_MEASURE.search(clause) is not None
