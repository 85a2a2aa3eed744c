"""The questions of any trade in a message: why now, what next, what if not, what matters, what would move you."""

from __future__ import annotations

from functools import cache
from typing import Final

from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.deal.listening.at_the_table import ASSURE, DECIDES, SUPPOSE
from negotiation.engine.deal.listening.at_the_table import cues as of_the_table
from negotiation.engine.deal.listening.cues import Cues, acts
from negotiation.engine.deal.listening.sentences import sentences_of

_ANOTHER_MATTER: Final = (SUPPOSE, ASSURE, DECIDES)
"""Questions of the table that may hold the words of one of the trade."""


@cache
def cues() -> Cues:
    """What tells the questions of any trade."""
    return Cues("of_the_trade.toml")


def of_the_trade(text: str) -> TradeQuestions:
    """The questions of any trade that a message puts, at most one for each of its sentences."""
    found: list[str] = []
    alone = True
    for sentence in sentences_of(text):
        if not (sentence.asks or acts().hears("question", sentence.plain)):
            continue
        plain = sentence.plain if sentence.asks else f"{sentence.plain} ?"
        label = None
        if not any(of_the_table().hears(what, plain) for what in _ANOTHER_MATTER):
            label = next((each for each in cues().labels if cues().hears(each, plain)), None)
        if label is not None:
            found.append(label)
        alone = alone and label is not None
    return TradeQuestions(tuple(dict.fromkeys(found)), alone)
