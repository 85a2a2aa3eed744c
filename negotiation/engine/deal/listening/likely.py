"""What a question may have been about that was not understood: the two likeliest subjects, to ask back with."""

from __future__ import annotations

from typing import Final

from negotiation.engine.deal.case.acts import TOPICS, Topic
from negotiation.engine.deal.listening.cues import acts
from negotiation.engine.deal.listening.second_opinion import votes
from negotiation.engine.deal.listening.sentences import Sentence, sentences_of
from negotiation.engine.deal.listening.topics import scores_of

_NAMED: Final = 2
"""So many subjects are named to who asked something that was not understood."""
_TELLING: Final = 2
"""Words of the question that say something of a subject: fewer, and nothing is guessed."""
_COMMON, _SPREAD = 40, 0.35
"""Labelled questions from which a word says nothing of its subject, and the share that one subject has to have of them."""


def stands_out(text: str) -> bool:
    """Whether plain words of a message's last question name its likeliest subject too: of that something may be said, a
    bare guess is only asked back."""
    asking, likely = _questions(text), likely_subjects(text)
    if not (asking and likely):
        return False
    scores = scores_of(asking[-1], ())
    return bool(scores) and max(scores, key=lambda topic: scores[topic]) == likely[0]


def likely_subjects(text: str) -> tuple[Topic, ...]:
    """The two likeliest subjects of a message's last question, the likelier first; empty where its words say nothing."""
    asking = _questions(text)
    if not asking:
        return ()
    stems = asking[-1].all_stems
    known = votes().words
    counts = [tuple(known[each].values()) for each in stems if each in known]
    if sum(sum(each) < _COMMON and max(each) >= _SPREAD * sum(each) for each in counts) < _TELLING:
        return ()
    ranked = sorted(TOPICS, key=lambda topic: (votes().rank(topic, stems), TOPICS.index(topic)))
    return tuple(ranked[:_NAMED])


def _questions(text: str) -> list[Sentence]:
    return [each for each in sentences_of(text) if each.asks or acts().hears("question", each.plain)]
