"""Which of the other side's own reasons a question names: "does anybody answer at night?" names the line that it mans.

A seat says its reasons to anybody who asks: they are its author's, and the same whatever a game drew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from negotiation.engine.deal.case.acts import Topic
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.listening.cues import acts
from negotiation.engine.deal.listening.sentences import Sentence, sentences_of
from negotiation.engine.deal.listening.sheets import Match, sheets_of
from negotiation.engine.deal.listening.topics import scores_of

_NAMES_FROM, _WITH_PHRASE = 1.6, 1.2
"""The weight of shared words from which a question names a reason, and what is enough beside one of its author's phrases."""
_ON_ITS_TOPIC, _NAMED = 0.55, 0.7
"""What is enough where the question names its topic anyway, and from which score it does."""
_SUPPOSES: Final = re.compile(
    r"^(?:so |and |but |then )*(?:suppose|supposing|imagine|what if|would (?:a|an|it|that|this)) "
)
_CLEARLY = 1.25
"""So much better it has to fit than anything else of that side's that could be meant."""


def pitched(text: str, *, speaker: SeatCase, listener: SeatCase) -> str:
    """The id of the listener's reason that a question of the message names best; empty where none is named clearly."""
    sheets = sheets_of(speaker, listener)
    best: Match | None = None
    for sentence in sentences_of(text):
        if not _asks(sentence):
            continue
        matches = sheets.matches(sentence)
        theirs = [each for each in matches if not each.thing.own]
        if not sentence.asks and _heaviest(theirs) < _heaviest(each for each in matches if each.thing.own):
            continue  # "what goes wrong today is that ..." tells, and asks nothing
        scores = scores_of(sentence, theirs)
        topic = max(scores, key=lambda each: scores[each], default=None)
        named = topic if topic is not None and scores[topic] >= _NAMED else None
        for match in _reasons(theirs, listener, named):
            if _stands_out(match, theirs) and (best is None or match.score > best.score):
                best = match
    return "" if best is None else best.thing.id


def _asks(sentence: Sentence) -> bool:
    """Whether it asks what there is, and not what would be or what a figure may do."""
    if "<m>" in sentence.plain or acts().hears("verdict", sentence.plain):
        return False
    return _SUPPOSES.search(sentence.plain) is None and (
        sentence.asks or acts().hears("question", sentence.plain)
    )


def _heaviest(matches: Iterable[Match]) -> float:
    return max((each.weight for each in matches), default=0.0)


def _reasons(matches: Iterable[Match], listener: SeatCase, named: Topic | None) -> Iterator[Match]:
    """Reasons that are named, with less where their topic is; one that cites a gift waits for it."""
    for match in matches:
        if match.thing.kind != "argument" or listener.argument[match.thing.id].sweetener:
            continue
        if match.thing.topic == named and match.weight >= _ON_ITS_TOPIC:
            yield match
            continue
        if not match.telling:
            continue
        enough = _WITH_PHRASE if match.phrases else _NAMES_FROM
        if len(match.words) > 1 and match.weight >= enough:
            yield match


def _stands_out(match: Match, theirs: Iterable[Match]) -> bool:
    others = (each for each in theirs if each.thing.id != match.thing.id and each.thing.kind != "answer")
    return all(match.weight + match.phrases >= _CLEARLY * (each.weight + each.phrases) for each in others)
