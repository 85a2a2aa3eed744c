"""The questions of any trade in a message: why now, what next, what if not, what matters, what would move you."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.deal.listening.at_the_table import ASSURE, DECIDES, SUPPOSE
from negotiation.engine.deal.listening.at_the_table import cues as of_the_table
from negotiation.engine.deal.listening.cues import Cues, acts
from negotiation.engine.deal.listening.either import put_side_by_side
from negotiation.engine.deal.listening.sentences import sentences_of

_TELL_ME: Final = re.compile(
    r"^(?:so |and |but |, )*(?:can|could|would|will) you (?:please )?(?:tell|explain|answer|say)(?: (?:me|us|that|this|it|to me|about it))* ?\??$"
)
"""The sentence before it is the question."""
_ANOTHER_MATTER: Final = (SUPPOSE, ASSURE, DECIDES)
"""Questions of the table that may hold the words of one of the trade."""


@cache
def cues() -> Cues:
    """What tells the questions of any trade."""
    return Cues("of_the_trade.toml")


def of_the_trade(text: str, titles: Mapping[str, str]) -> TradeQuestions:
    """The questions of any trade that a message puts, at most one for each of its sentences.

    Args:
        titles: of the terms of the deal, by the ids of their issues.
    """
    found: list[str] = []
    alone = True
    sentences = (*sentences_of(text), None)
    for sentence, after in pairwise(sentences):
        if sentence is None:
            break
        if _TELL_ME.search(sentence.plain) is not None:
            continue
        asks = sentence.asks or acts().hears("question", sentence.plain)
        if not asks and (after is None or _TELL_ME.search(after.plain) is None):
            continue
        plain = sentence.plain if sentence.asks else f"{sentence.plain} ?"
        label = None
        if not any(of_the_table().hears(what, plain) for what in _ANOTHER_MATTER):
            label = next((each for each in cues().labels if cues().hears(each, plain)), None)
        if label is not None:
            found.append(label)
        alone = alone and label is not None
    return TradeQuestions(tuple(dict.fromkeys(found)), alone, put_side_by_side(text, titles))
