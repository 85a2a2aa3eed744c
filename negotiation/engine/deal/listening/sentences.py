"""A message cut into the sentences that each do one thing."""

from __future__ import annotations

import re
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
_NUMBERS: Final = re.compile(r"<([mnp])\d*>")
_ASKS: Final = frozenset(("what", "why", "how", "when", "where", "who", "which", "whose", "whom"))
_JOINS: Final = frozenset(("and", "but", "so", "or"))
_PAUSES: Final = frozenset((",", ":", ";"))
_FEWEST: Final = 3
"""Words that have to stand before a second question, for the two to be apart."""


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
    def all_stems(self) -> frozenset[str]:
        """All its words as they are compared, also those that tell no thing of a case apart."""
        return frozenset(plain_stem(word) for word in self.spoken.split())

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems_of(self.parts)


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message, in its order; a second question after a comma is one of its own."""
    text = text[:MOST_READ]
    tokens = tokenise(text)
    numbers = quantities(tokens)
    found = [piece for each in sentences(tokens)[:MOST_SENTENCES] for piece in _pieces(tokens, each)]
    return tuple(
        Sentence(
            text[tokens[each.start].start : tokens[each.stop - 1].end],
            _plain(tokens, each, numbers),
            parts_of(tokens[each.start : each.stop]),
            spoken_of(tokens[each.start : each.stop]),
        )
        for each in found
    )


def _plain(tokens: list[Token], sentence: Clause, numbers: list[Quantity]) -> str:
    """A sentence as patterns look at it. The reader of figures shortens "take it or leave it"; here it is an ultimatum."""
    plain = _NUMBERS.sub(r"<\1>", masked(tokens, sentence, numbers))
    if " take it or leave it " in spoken_of(tokens[sentence.start : sentence.stop]):
        return plain.replace("take it", "take it or leave it", 1)
    return plain


def _pieces(tokens: list[Token], sentence: Clause) -> list[Clause]:
    """A sentence cut before each further question in it: "how many, and when?", "fine, but who signs?"."""
    cuts = [sentence.start]
    for at in range(sentence.start + _FEWEST, sentence.stop - 1):
        joins = tokens[at].norm in _JOINS or tokens[at].norm in _PAUSES
        if (
            joins
            and tokens[at + 1].norm in _ASKS
            and at - cuts[-1] >= _FEWEST
            and _asks_here(tokens, at, sentence)
        ):
            cuts.append(at + 1)
    return [
        Clause(start, stop, sentence.asks)
        for start, stop in zip(cuts, [*cuts[1:], sentence.stop], strict=True)
    ]


def _asks_here(tokens: list[Token], at: int, sentence: Clause) -> bool:
    """Whether the words after a joining word ask: a relative clause ("the man, who retires") does not."""
    if not sentence.asks or tokens[at].norm != ",":
        return sentence.asks
    return (
        tokens[at + 1].norm not in ("who", "which", "whose", "whom") and tokens[sentence.start].norm in _ASKS
    )
