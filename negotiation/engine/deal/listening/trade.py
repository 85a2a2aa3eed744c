"""The questions of any trade in a message: why now, what next, what if not, what matters, what would move you."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.deal.listening.at_the_table import ASSURE, DECIDES, SUPPOSE
from negotiation.engine.deal.listening.at_the_table import cues as of_the_table
from negotiation.engine.deal.listening.cues import Cues, acts
from negotiation.engine.deal.listening.either import put_side_by_side
from negotiation.engine.deal.listening.sentences import Sentence, sentences_of

_TELL_ME: Final = re.compile(
    r"^(?:so |and |but |, )*(?:can|could|would|will) you (?:please )?(?:tell|explain|answer"
    r"|say)(?: (?:me|us|that|this|it|to me|about it))* ?\??$"
    r"|^(?:so |and |but |, )*what is (?:the|your) (?:honest |real |true |straight )?answer ?\??$"
    r"|^(?:so |and |but |, )*what (?:should|shall|can|do) i (?:tell|say to|answer) (?:him|her|them"
    r"|my [a-z]+)\b"
)
"""The sentence before it is the question."""
_GIVE_ME: Final = re.compile(r"^(?:so |and |then |ok |, )*(?:please )?(?:give|tell|name|show) (?:me|us)\b")
_ANOTHER_MATTER: Final = (SUPPOSE, ASSURE, DECIDES)
"""Questions of the table that may hold the words of one of the trade."""
_STANDS_BESIDE: Final = frozenset(("late", "renewal", "standing"))
"""Questions of the trade that are asked as one after an assurance: "will you raise it, or fix it in the contract?"."""
_FIGURE: Final = "<m"
"""A sentence with a sum of money leads up to no question: it is an offer, or what is said of one."""
_GREETS: Final = re.compile(
    r"(?:hi|hey|hello|welcome|(?:good )?(?:morning|afternoon|evening)|good day|thanks|thank you)\b"
)
"""Nor does a greeting, or thanks."""
_LEADS: Final = re.compile(r"(?:,|\b(?:so|and|but))$")
"""How what stands before a question ends that names its subject: "you said little of the shares, so how many ...?"."""


@cache
def cues() -> Cues:
    """What tells the questions of any trade."""
    return Cues("of_the_trade.toml")


def of_the_trade(text: str, titles: Mapping[str, str]) -> TradeQuestions:
    """The questions of any trade that a message puts, at most one for each of its sentences.

    Args:
        titles: of the terms of the deal, by the ids of their issues.
    """
    labels = [each.label for each in questions_of(text)]
    found = tuple(dict.fromkeys(label for label in labels if label is not None))
    return TradeQuestions(found, None not in labels, put_side_by_side(text, titles))


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a message: its sentence, the words that lead up to it, and which of any trade it is by its words."""

    sentence: Sentence
    lead: str
    label: str | None

    @property
    def words(self) -> str:
        """The question as it was typed, with what leads up to it."""
        return f"{self.lead} {self.sentence.quote}".strip()


def questions_of(text: str) -> Iterator[Question]:
    """The questions of a message, in its order."""
    for before, sentence, plain in _questions(text):
        label = next((each for each in cues().labels if cues().hears(each, plain)), None)
        if label not in _STANDS_BESIDE and any(of_the_table().hears(what, plain) for what in _ANOTHER_MATTER):
            label = None
        yield Question(sentence, _lead(before), label)


def _lead(before: Sentence | None) -> str:
    """The words of the sentence before a question, if they may say what it is about."""
    if before is None or before.asks or _FIGURE in before.plain or _GREETS.match(before.plain) is not None:
        return ""
    return before.quote


def _questions(text: str) -> Iterator[tuple[Sentence | None, Sentence, str]]:
    """The questions of a message, each with the sentence before it and as patterns look at it: with what stands before its
    comma, and what is asked with "can you tell me?" behind it."""
    sentences = sentences_of(text)
    for at, sentence in enumerate(sentences):
        after = sentences[at + 1].plain if at + 1 < len(sentences) else ""
        if _TELL_ME.search(sentence.plain) is not None:
            continue
        asks = (
            sentence.asks
            or acts().hears("question", sentence.plain)
            or _GIVE_ME.search(sentence.plain) is not None
        )
        if not asks and _TELL_ME.search(after) is None:
            continue
        before = sentences[at - 1] if at else None
        leads = before is not None and not before.asks and _LEADS.search(before.quote.rstrip()) is not None
        plain = f"{before.plain}, {sentence.plain}" if before is not None and leads else sentence.plain
        yield before, sentence, plain if sentence.asks else f"{plain} ?"
