"""Which options a text names: "three years with quarterly billing", but not "three years is too long".

Names are what the scenario calls an option and what else people call it; digits and number words, plural and
singular, hyphens and spaces are the same. What is asked, refused or weighed against another option names nothing:
better to miss a name than to hear one that was not said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from negotiation.engine.language.numerals import SMALL
from negotiation.engine.language.tokens import Token, tokenise

_REFUSES: Final = frozenset(("not", "no", "never", "without", "nor", "neither", "except", "than", "against"))
_INSTEAD: Final = (
    ("instead", "of"),
    ("away", "from"),
    ("moving", "from"),
    ("move", "from"),
    ("drop",),
    ("skip",),
)
_REFUSED: Final = frozenset(("not", "too", "never", "impossible", "out"))
_BEFORE, _AFTER = 4, 3
"""How many words before a name, and after it, can take it back within the same clause."""
_SENTENCE: Final = frozenset((".", "?", "!", "\n", "..."))
_CLAUSE: Final = frozenset((",", ";", ":", "(", ")"))
_CLAUSE_WORDS: Final = frozenset(("and", "but", "then", "so", "with", "plus"))


@dataclass(frozen=True, slots=True)
class OptionNames:
    """An option of an issue, and all that people call it."""

    issue: str
    option: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    stop: int
    issue: str
    option: str


def named_terms(text: str, options: Sequence[OptionNames]) -> dict[str, str]:
    """Issue to option, for every issue of which the text names exactly one option."""
    found: dict[str, set[str]] = {}
    for words, asked in _sentences(tokenise(text)):
        if asked:
            continue
        named = [hit for hit in _hits(words, tuple(options)) if not _taken_back(words, hit)]
        for hit in named:
            if not any(_is_part_of(words, hit, other, tuple(options)) for other in named):
                found.setdefault(hit.issue, set()).add(hit.option)
    return {issue: chosen.pop() for issue, chosen in found.items() if len(chosen) == 1}


_WHOLE_PACKAGE: Final = re.compile(
    r"\b(?:includ\w+|come with|comes with|covers?|part of (?:it|that)|(?:in|with|behind"
    r"|against) (?:that|your|the) "
    r"(?:price|offer|figure|number|total|proposal)|what (?:do|would|will|did) (?:we"
    r"|i) get for (?:that|it|this|the)|"
    r"what (?:are the |are your )?terms|which terms)\b"
)
"""A question after all that goes with a price."""
_PRICE_OF_TERMS: Final = re.compile(
    r"\b(?:what|how much|by how much)\b.{0,40}"
    r"\b(?:on top|knock off|take off|go down|come down|go up|extra|cost (?:me|us|on))\b"
)
"""A question after what the terms of a deal do to its price."""
_WHEN: Final = re.compile(r"\bin (?:the next )?\d+ year\b")
"""A time to come, and not how long something is to last."""
_WHY_IT: Final = re.compile(r"^(?:and |so |but )*(?:why|what for)\b.*\b(?:it|that|this|them)\b")
"""Why a term that was named before the question."""
_TELL_ME: Final = re.compile(
    r"\b(?:i|we) (?:asked|was asking|were asking|am asking|are asking|meant)(?: you)? (?:about|for)\b|"
    r"\b(?:tell me|let me know|say|quote me|name me) (?:what|how much|which|whether)\b|"
    r"^(?:and |so |but )*(?:how (?:quick|fast|soon|long|many)|what do (?:we|i) get|when (?:can|could"
    r"|do|will|would))\b|"
    r"\bif (?:we|i) .*\b(?:can|could|would|will) you\b"
)
"""A question without its mark."""
_GOES_WITH: Final = re.compile(
    r"\b(?:with|includ\w+|comes?|goes?|asked|asking|who (?:pays?|builds?|do|does|covers?|would (?:pay"
    r"|build|do))|why|which|what kind|what sort|what about|how (?:long|many|soon|about|is|do|would|will)"
    r"|when|terms?|what (?:is|are|would|will|do)|do you (?:want|need|expect|offer)|offer|price)\b"
)
"""Words of a question that make the name of an issue ("support") a term of the deal, and no matter of the talk."""


_THE_TERM: Final = r"\b(?:see|about|like|want|think of|which|what) (?:the |your )?term\b"
_ASKED_FOR: Final = {
    title: re.compile(pattern)
    for title, pattern in (
        (
            "delivery",
            r"\b(?:how (?:quick|quickly|fast|soon|early|long)|by when|"
            r"when (?:can|could|do|does|will|would|is|are|should|must|may|exactly))\b.*"
            r"\b(?:deliver|ship|arrive|here|ward|get them|have them|be there)",
        ),
        ("payment", r"\b(?:when|how (?:soon|late|long|many day))\b.*\b(?:pay|paid|invoice)\b"),
        (
            "warranty",
            r"\b(?:(?:the|a|year|long|which|what|of|with|no) guarantee|how long\b.*\bcovered"
            r"|replace(?:d|ment)? (?:for free|if))",
        ),
        ("billing", r"\b(?:when|how (?:often|is|are|do|would))\b.*\b(?:bill|billed|invoice|pay)\b"),
        (
            "fit out",
            r"\bwho (?:is going to |will |would |should |do |is )?(?:build|lay|pay for the (?:floor"
            r"|lab|room))|\bready (?:on|when)\b.*\b(?:key|day|move)",
        ),
        ("rent free month", r"\brent free\b|\bfree (?:month|rent)\b"),
        (
            "lease term",
            _THE_TERM + r"|\bhow (?:long|many year)\b.*\b(?:lease|sign|commit|tie|bind)",
        ),
        (
            "contract term",
            _THE_TERM + r"|\bhow (?:long|many year)\b.*\b(?:sign|commit|tie|bind|contract)",
        ),
    )
}
"""What people ask who mean an issue of this title without naming it; nouns in the singular."""


_ABOUT_A_WORRY: Final = re.compile(
    r"\b(?:worr(?:y|ies|ied|ying)|afraid|fears?|concern(?:s|ed)?|nervous|scared|let (?:you|them|us) down)\b"
)
"""A question after what is feared of a term is about the fear, and not about what goes with the price."""


def mentions_terms(text: str, options: Sequence[OptionNames]) -> bool:
    """Whether a text names any option at all, asked, refused or wanted."""
    return any(
        _hits(words, tuple(options)) and _ABOUT_A_WORRY.search(" ".join(words)) is None
        for words, _ in _sentences(tokenise(text))
    )


def asked_terms(
    text: str, options: Sequence[OptionNames], titles: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """Issue to the options named, for every issue that a question of the text is about; no option where only the issue
    was named, or all that goes with the price was asked after.

    Args:
        titles: of the issues, by their ids.
    """
    found: dict[str, set[str]] = {}
    before: set[str] = set()
    for words, asked in _sentences(tokenise(text)):
        plain = " ".join(words)
        if asked and len(before) == 1 and _WHY_IT.search(plain) is not None:
            found.setdefault(next(iter(before)), set())
        before = {hit.issue for hit in _hits(words, tuple(options))} or before
        if (not asked and _TELL_ME.search(plain) is None) or _ABOUT_A_WORRY.search(plain) is not None:
            continue
        hits = [] if _WHEN.search(plain) is not None else _hits(words, tuple(options))
        for hit in hits:
            found.setdefault(hit.issue, set()).add(hit.option)
        whole = not hits and (_WHOLE_PACKAGE.search(plain) or _PRICE_OF_TERMS.search(plain)) is not None
        goes_with = whole or _GOES_WITH.search(plain) is not None
        for issue, title in titles.items():
            name = " ".join(_canonical(tokenise(title)))
            meant = name in _ASKED_FOR and _ASKED_FOR[name].search(plain) is not None
            if whole or meant or (goes_with and f" {name} " in f" {plain} "):
                found.setdefault(issue, set())
    return {issue: frozenset(named) for issue, named in found.items()}


def _sentences(tokens: list[Token]) -> list[tuple[list[str], bool]]:
    """The canonical words of each sentence, and whether it is a question."""
    sentences: list[tuple[list[str], bool]] = []
    current: list[Token] = []
    for token in tokens:
        if token.kind == "mark" and token.norm in _SENTENCE:
            sentences.append((_canonical(current), token.norm == "?"))
            current = []
        else:
            current.append(token)
    sentences.append((_canonical(current), False))
    return sentences


def _canonical(tokens: list[Token]) -> list[str]:
    """Words as they are compared: numbers as digits, nouns in the singular, no hyphens; clause marks stay."""
    words: list[str] = []
    tens = False
    for token in tokens:
        if token.kind == "number":
            words.append(f"{token.value:g}")
        elif token.kind == "word":
            for word in token.norm.split():
                value = SMALL.get(word, 0)
                if tens and 0 < value < 10:  # "twenty-four"
                    words[-1] = str(int(words[-1]) + value)
                elif word != "x":
                    words.append(_bare(word))
                tens = value >= 20
            continue
        elif token.norm in _CLAUSE:
            words.append(token.norm)
        tens = tens and token.norm == "-"
    return words


def _bare(word: str) -> str:
    if word in SMALL:
        return str(SMALL[word])
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=256)
def _patterns(options: tuple[OptionNames, ...]) -> tuple[tuple[tuple[str, ...], str, str], ...]:
    """The canonical names, longest first, so that the fuller name wins where both would fit."""
    listed = {
        (tuple(word for word in _canonical(tokenise(name)) if word not in _CLAUSE), each.issue, each.option)
        for each in options
        for name in each.names
    }
    return tuple(sorted((entry for entry in listed if entry[0]), key=lambda entry: (-len(entry[0]), entry)))


def _hits(words: list[str], options: tuple[OptionNames, ...]) -> list[_Found]:
    """Where names stand in a sentence; a word belongs to one name only. A comma inside a name does no harm."""
    places = [place for place, word in enumerate(words) if word not in _CLAUSE]
    plain = [words[place] for place in places]
    taken: set[int] = set()
    hits: list[_Found] = []
    for pattern, issue, option in _patterns(options):
        for at in range(len(plain) - len(pattern) + 1):
            span = range(at, at + len(pattern))
            if tuple(plain[at : at + len(pattern)]) == pattern and taken.isdisjoint(span):
                taken.update(span)
                hits.append(_Found(places[at], places[at + len(pattern) - 1] + 1, issue, option))
    return hits


def _is_part_of(words: list[str], hit: _Found, other: _Found, options: tuple[OptionNames, ...]) -> bool:
    """Whether a name is the beginning of what another option of its issue is called, which is named as well: "ten years, and
    that break"."""
    if hit.issue != other.issue or hit.option == other.option:
        return False
    said = tuple(words[hit.start : hit.stop])
    return any(
        pattern[: len(said)] == said and len(pattern) > len(said)
        for pattern, issue, option in _patterns(options)
        if (issue, option) == (other.issue, other.option)
    )


def _taken_back(words: list[str], hit: _Found) -> bool:
    """Whether the clause around a name refuses it: "not three years", "three years is too long"."""
    before: list[str] = []
    for word in reversed(words[max(0, hit.start - _BEFORE) : hit.start]):
        if word in _CLAUSE or word in _CLAUSE_WORDS:
            break
        before.insert(0, word)
    after: list[str] = []
    for word in words[hit.stop : hit.stop + _AFTER]:
        if word in _CLAUSE or word in _CLAUSE_WORDS:
            break
        after.append(word)
    if not _REFUSES.isdisjoint(before) or not _REFUSED.isdisjoint(after):
        return True
    return any(
        tuple(before[at : at + len(words_)]) == words_ for words_ in _INSTEAD for at in range(len(before))
    )
