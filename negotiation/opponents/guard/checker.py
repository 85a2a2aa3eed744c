"""The whole check of one line, and the tidying that comes before it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from negotiation.engine.language import CONFIDENCE_TO_BIND, MoneyContext, named_terms, understand
from negotiation.opponents.guard.case import case_objections, without_told
from negotiation.opponents.guard.facts import Facts
from negotiation.opponents.guard.figures import figure_objections, masked
from negotiation.opponents.guard.objections import Check, Objection
from negotiation.opponents.guard.phrases import refused, refused_in
from negotiation.opponents.guard.secrets import secret_objections
from negotiation.opponents.guard.words import names, vocabulary, word_objections

MAX_CHARACTERS, MAX_WORDS = 480, 80
_PLAIN: Final = re.compile(r"[A-Za-z0-9 .,;:!?'\"()$€£¥%/&\-]*\Z")
_CHARACTERS: Final = str.maketrans(
    dict(
        zip(
            "’‘‚“”„–—−‑…\u00a0",
            ["'", "'", "'", '"', '"', '"', " - ", " - ", "-", "-", "...", " "],
            strict=True,
        )
    )
)
_SPACES: Final = re.compile(r"[ \t\r\n]+")
_WHY: Final[dict[str, str]] = {
    "relative": "hints at an amount that was not decided (“{}”)",
    "hint": "hints at where the own limit lies (“{}”)",
    "yes_or_no": "answers yes or no where the limit was asked after",
    "promise": "promises what was not decided (“{}”)",
    "deadline": "sets a deadline that was not decided (“{}”)",
    "last_word": "calls something final that is not (“{}”)",
    "accept": "sounds like taking a deal that was not taken (“{}”)",
    "close": "sounds like taking a deal that was not taken (“{}”)",
    "leave": "sounds like leaving, which was not decided (“{}”)",
    "abuse": "insults or threatens",
    "role": "steps out of its part (“{}”)",
}
_STATING: Final = frozenset(("hint", "accept"))
"""What a sentence that states a decided limit may do: "I can accept 130 and no less"."""
_CHECKS: Final[dict[str, Check]] = {
    "relative": "figures",
    "hint": "hint",
    "yes_or_no": "hint",
    "abuse": "abuse",
    "role": "role",
}


def load_rules() -> None:
    """Read rules, words and the reader of numbers now: half a second that is better spent before somebody's first turn."""
    refused_in("")
    vocabulary()
    names()
    understand("We could do 150, or leave.", money=MoneyContext(100, 200), seat="seller")


def tidy(text: str) -> str:
    """A line as it will be shown: plain punctuation, single spaces, no quotes around the whole of it."""
    plain = _SPACES.sub(" ", text.translate(_CHARACTERS)).strip()
    if len(plain) > 1 and plain[0] == plain[-1] == '"' and '"' not in plain[1:-1]:
        plain = plain[1:-1].strip()
    return plain


def check(line: str, facts: Facts) -> tuple[Objection, ...]:
    """Everything that is wrong with a tidy line; nothing when it may be said."""
    shape = tuple(_shape_objections(line))
    if shape:
        return shape
    spoken = without_told(line, facts.case)
    found = [*partial_objections(line, facts), *_meaning_objections(spoken, facts)]
    if line.lower() in facts.said:
        found.append(Objection("repetition", "was said before, word for word"))
    if facts.moved and facts.offer is not None and not _names(spoken, facts.offer, facts):
        found.append(Objection("figures", "does not name the figure that was decided"))
    return tuple(found)


def partial_objections(line: str, facts: Facts) -> Iterator[Objection]:
    """What may already be said against the beginning of a line that ends with a whole sentence."""
    if not _PLAIN.match(line):
        yield _odd_character(line)
        return
    line = without_told(line, facts.case)
    yield from case_objections(line, facts.case)
    yield from figure_objections(line, facts)
    yield from word_objections(masked(line, facts))
    yield from secret_objections(line, facts)
    yield from rule_objections(line, facts)


def _shape_objections(line: str) -> Iterator[Objection]:
    if not line:
        yield Objection("format", "is empty")
    elif len(line) > MAX_CHARACTERS or len(line.split()) > MAX_WORDS:
        yield Objection("length", f"is longer than {MAX_WORDS} words")
    elif not _PLAIN.match(line):
        yield _odd_character(line)
    elif re.search(r"https?:|www\.|\w\.(?:com|net|org|io)\b", line):
        yield Objection("format", "holds an address")
    elif re.search(r"(?:^|[.?!] )\(", line):
        yield Objection("format", "holds a stage direction")
    elif re.search(r"(?:^|[.?!] )\W*[A-Za-z]+ ?: ?[\"'A-Za-z]", line):
        yield Objection("format", "begins with a name or a label")


def _odd_character(line: str) -> Objection:
    odd = next(ch for ch in line if not _PLAIN.match(ch))
    if odd.isalpha() or odd.isdigit():
        return Objection("language", f"is not in plain English letters (“{odd}”)")
    name = unicodedata.name(odd, "a control character").lower()
    return Objection("format", f"holds {name}, which has no place in speech")


def rule_objections(line: str, facts: Facts) -> Iterator[Objection]:
    """Phrases that nothing decided allows."""
    allowed = {
        "yes_or_no": not facts.probed,
        "deadline": facts.deadline_turns is not None or facts.final,
        "last_word": facts.deadline_turns is not None or facts.final or facts.claim is not None,
        "accept": facts.ending == "accept",
        "close": facts.ending == "accept",
        "leave": facts.ending == "walk" or facts.deadline_turns is not None or facts.final,
        "promise": facts.ending == "accept" or facts.gift is not None,
    }
    spoken = masked(line, facts).lower()
    sentences = [part for part in re.split(r"(?<=[.?!])\s+", spoken) if part]
    claim = facts.claim
    stated = () if claim is None else tuple(part for part in sentences if _names(part, claim, facts))
    broken = [(part, found) for part in sentences if (found := refused_in(part))]
    for name in refused() if broken else ():
        if allowed.get(name, False):
            continue
        hits = (
            found[name]
            for part, found in broken
            if name in found and not (name in _STATING and part in stated)
        )
        hit = next(hits, None)
        if hit is not None:
            yield Objection(_CHECKS.get(name, "promises"), _WHY[name].format(hit.strip()[:60]))
    stray = next((one for one in facts.others if one.lower() in spoken), None)
    if stray is not None:
        yield Objection("promises", f"speaks of {stray}, which was not decided")


def _meaning_objections(line: str, facts: Facts) -> Iterator[Objection]:
    """What a listener would take the line for: an offer, a limit, a package, a yes."""
    reading = understand(
        line, money=facts.money, seat=facts.seat, standing_offer=facts.standing, own_offer=facts.offer
    )
    figure = reading.figure
    sure = reading.confidence >= CONFIDENCE_TO_BIND
    if sure and figure not in (None, facts.offer, facts.claim):
        if reading.kind in ("offer", "hypothetical"):
            yield Objection("promises", f"sounds like an offer of {figure:,.0f}, which was not decided")
        if reading.kind == "limit":
            yield Objection("promises", f"states {figure:,.0f} as a limit, which was not decided")
    accepts = "accept" in reading.acts and "question" not in reading.acts
    if accepts and facts.ending != "accept" and reading.kind in ("none", "quote"):
        yield Objection("promises", "sounds like taking a deal that was not taken")
    for issue, option in named_terms(line, facts.options).items():
        if (issue, option) not in facts.packages:
            yield Objection("promises", f"names {issue} terms that are not on the table")


def _names(line: str, figure: float, facts: Facts) -> bool:
    """Whether the line names a figure, and no other in its place."""
    only = Facts(
        money=facts.money,
        seat=facts.seat,
        offer=figure,
        public=facts.public,
        terms=facts.terms,
        news=facts.news,
        gift=facts.gift,
    )
    bare = Facts(
        money=facts.money,
        seat=facts.seat,
        public=facts.public - {figure},
        terms=facts.terms,
        news=facts.news,
        gift=facts.gift,
    )
    return len(list(figure_objections(line, bare))) > len(list(figure_objections(line, only)))
