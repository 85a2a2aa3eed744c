"""A message cut into the sentences that each do one thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from negotiation.engine.deal.listening.words import Part, parts_of, plain_stem, spoken_of, stems_of
from negotiation.engine.language.clauses import Clause, masked, sentences
from negotiation.engine.language.quantities import Quantity, quantities
from negotiation.engine.language.tokens import Token, tokenise

MOST_READ: Final = 2000
"""Characters listened to: longer messages are refused by the table."""
MOST_SENTENCES: Final = 24
_ASIDE: Final = re.compile(
    r"(?:,| please| pls),? (?:and )?not (?:just (?:some|a|an)|the|some)\b(?! or\b)[^,.;:?!]*", re.IGNORECASE
)
"""What a question sets aside: "an honest number, not the brochure one"."""
_OF_WHAT_WAS_ASKED: Final = re.compile(r"\b(?:asked|asking|meant|talking|said)\b", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"<([mnp])\d*>")
_STRESSES: Final = re.compile(
    r"\b(?:exactly|precisely|honestly|typically|normally|roughly|basically|currently|perhaps) "
)
_LOOSE_END: Final = re.compile(r"(?:[ ,:]|\b(?:and|but|so|or))+$")
_ASKS: Final = frozenset(("what", "why", "how", "when", "where", "who", "which", "whose", "whom"))
_JOINS: Final = frozenset(("and", "but", "so", "or"))
_PAUSES: Final = frozenset((",", ":", ";"))
_SUBORDINATE: Final = frozenset(
    (
        "if",
        "when",
        "once",
        "since",
        "because",
        "as",
        "after",
        "suppose",
        "assuming",
        "while",
        "unless",
        "given",
    )
)
_POINTS_BACK: Final = frozenset(
    ("it", "they", "them", "that", "this", "those", "these", "he", "she", "there")
)
_RELATIVE: Final = frozenset(("who", "which", "whose", "whom"))
_HELPING: Final = frozenset(
    (
        *("is", "are", "was", "were", "do", "does", "did", "will", "would", "can", "could", "should"),
        *("has", "have", "had", "may", "might", "must", "shall", "am"),
    )
)
_MEASURES: Final = frozenset(("many", "much", "long", "soon", "often", "far", "big"))
_SUBJECTS: Final = frozenset(
    (
        *("the", "you", "your", "it", "there", "that", "this", "they", "we", "i", "he", "she", "anybody"),
        *("anyone", "somebody", "someone", "any", "our", "my", "his", "her", "their", "these", "those"),
    )
)
"""What turns the order of a question round, "how" what, and before whom: "and is it far?"."""
_ADDRESSED: Final = frozenset(("you", "your", "anybody", "anyone", "somebody", "someone"))
_OF_A_KIND: Final = frozenset(("what", "which", "whose"))
"""What goes before a thing that is asked for: "what date does it end?"."""
_ASKED_OF: Final = frozenset(("asked", "asking", "question", "skipped", "dodged"))
"""Before a pause they say that the question comes behind it, mark or no mark."""
_DECIDE: Final = frozenset(("decides", "signs", "approves", "pays", "answers", "else", "gets"))
_FEWEST: Final = 3
"""What "who" does in a question of its own, mark or no mark ("and who signs"), and how many words have to stand before a
second question, for the two to be apart."""


@dataclass(frozen=True)
class Sentence:
    """One sentence: as it was typed, as patterns look at it, the words in it that tell something, and all of
    them in their order."""

    quote: str
    plain: str
    parts: tuple[Part, ...]
    spoken: str

    @property
    def asks(self) -> bool:
        """Whether it ends, or goes on, with a question mark."""
        return "?" in self.plain

    @cached_property
    def straight(self) -> str:
        """The sentence without words that only stress what stands beside them: "what exactly does it say?"."""
        return _STRESSES.sub("", self.plain)

    @cached_property
    def all_stems(self) -> frozenset[str]:
        """All its words as they are compared, also those that tell no thing of a case apart."""
        return frozenset(plain_stem(word) for word in self.spoken.split())

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems_of(self.parts)


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message, in its order; a second question after a comma is one of its own."""
    text = text[:MOST_READ]
    tokens = tokenise(_without_asides(text))
    numbers = quantities(tokens)
    found = [piece for each in sentences(tokens)[:MOST_SENTENCES] for piece in _pieces(tokens, each)]
    return tuple(
        Sentence(
            text[tokens[each.start].start : tokens[each.stop - 1].end],
            _asking(_plain(tokens, each, numbers), each),
            parts_of(tokens[each.start : each.stop]),
            spoken_of(tokens[each.start : each.stop]),
        )
        for each in found
    )


def _without_asides(text: str) -> str:
    """A message with blanks where a question sets something aside, so that all else keeps its place."""
    if _OF_WHAT_WAS_ASKED.search(text) is not None:
        return text
    return _ASIDE.sub(lambda found: " " * len(found[0]), text)


def _asking(plain: str, piece: Clause) -> str:
    """A piece that asks, with the mark that stands at the end of its sentence."""
    if not piece.asks or "?" in plain:
        return plain
    return f"{_LOOSE_END.sub('', plain)} ?"


def _plain(tokens: list[Token], sentence: Clause, numbers: list[Quantity]) -> str:
    """A sentence as patterns look at it. The reader of figures shortens "take it or leave it"; here it is an ultimatum."""
    plain = _NUMBERS.sub(r"<\1>", masked(tokens, sentence, numbers))
    if " take it or leave it " in spoken_of(tokens[sentence.start : sentence.stop]):
        return plain.replace("take it", "take it or leave it", 1)
    return plain


def _pieces(tokens: list[Token], sentence: Clause) -> list[Clause]:
    """A sentence cut before each further question in it: "how many, and when?", "fine, but who signs?"."""
    cuts = [sentence.start]
    for at in range(sentence.start, sentence.stop - 1):
        if tokens[at].norm == "?" or (
            at - cuts[-1] >= _FEWEST and _asks_after(tokens, at, cuts[-1], sentence)
        ):
            cuts.append(at + 1)
    pieces = zip(cuts, [*cuts[1:], sentence.stop], strict=True)
    return [Clause(start, stop, _opens_question(tokens, start, stop, sentence)) for start, stop in pieces]


def _asks_after(tokens: list[Token], at: int, start: int, sentence: Clause) -> bool:
    """Whether a question of its own begins behind the joining word or the pause at ``at``."""
    joins = tokens[at].norm in _JOINS
    if not joins and tokens[at].norm not in _PAUSES:
        return False
    after = [word for token in tokens[at + 1 : at + 4] for word in token.norm.split()]
    if _turns_to(after) and tokens[at].norm != "or" and tokens[start].norm not in _SUBORDINATE:
        return True  # "915, eight weeks, can you sign that": turned round, a mark is left out
    if after[:1] == ["asked"] or after[1:2] == ["asked"]:
        return not _ASKS.isdisjoint(after)  # "I didn't ask about X, I asked how long"
    if after[0] in _ASKS:
        if sentence.asks and tokens[at].norm != ",":
            return True
        turned = len(after) > 1 and after[1] in _HELPING | _MEASURES
        turned |= len(after) > 2 and after[0] in _OF_A_KIND and after[2] in _HELPING
        if not _ASKED_OF.isdisjoint(_words(tokens, start, at)):
            return True
        if after[0] in _RELATIVE and tokens[at].norm == ",":
            return turned and after[0] == "who" and sentence.asks
        if _asked_before(tokens, start, at):
            if joins and after[0] == "who" and len(after) > 1 and after[1] in _DECIDE:
                return True
            return turned or (sentence.asks and after[0] != "where")
        return turned and not _hangs_together(tokens, start, at, sentence)
    return (
        (sentence.asks or _asked_before(tokens, start, at))
        and joins
        and tokens[at].norm != "or"
        and len(after) > 1
        and after[0] in _HELPING
        and after[1] in _SUBJECTS
    )


def _turns_to(after: Sequence[str]) -> bool:
    """Whether words begin like a question to whoever hears them."""
    return len(after) > 1 and after[0] in _HELPING and after[1] in _ADDRESSED


def _hangs_together(tokens: list[Token], start: int, at: int, sentence: Clause) -> bool:
    """Whether what stands before a pause belongs to the question behind it: "if we cancel, what ...?", "the last people
    here, why did they go?"."""
    if tokens[start].norm in _SUBORDINATE:
        return True
    return not _POINTS_BACK.isdisjoint(_words(tokens, at + 1, sentence.stop))


def _asked_before(tokens: list[Token], start: int, stop: int) -> bool:
    """Whether what stands there asks already; "when something breaks, ..." does not."""
    words = [word for token in tokens[start:stop] for word in token.norm.split()]
    if words[0] in _SUBORDINATE and (len(words) < 2 or words[1] not in _HELPING | _MEASURES):
        after = words.index(",") + 1 if "," in words else len(words)
        if words[after : after + 1] and words[after] in _HELPING:
            return True  # "if I start in May, would that help, and how much?"
        words = words[1:]
    return bool(words) and (words[0] in _HELPING | _RELATIVE or not (_ASKS - _RELATIVE).isdisjoint(words))


def _words(tokens: list[Token], start: int, stop: int) -> set[str]:
    return {word for token in tokens[start:stop] for word in token.norm.split()}


def _opens_question(tokens: list[Token], start: int, stop: int, sentence: Clause) -> bool:
    """Whether a piece asks: it ends the question, or it begins like one."""
    if stop == sentence.stop or tokens[stop - 1].norm == "?":
        return sentence.asks or tokens[stop - 1].norm == "?"
    return sentence.asks and _asked_before(tokens, start, stop)
