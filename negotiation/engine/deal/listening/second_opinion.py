"""A second opinion on what a question is about: how its words are spread over topics in questions that were labelled.

It names no topic by itself: it only stands against a topic that the patterns heard by little, and then nothing is heard,
since a wrong hearing costs more than a missed one. A naive Bayes model over the words of a question, as they are compared
(``topic_votes.json``, written by ``python -m tests.language.fit_topics``).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Final

from negotiation.engine.deal.case.acts import Topic

VOTES: Final = Path(__file__).with_name("topic_votes.json")
SMOOTH: Final = 0.3
"""Questions that every topic is taken to have had with a word, spread as the word is over all of them."""
CLEARLY: Final = 0.7
"""So much likelier, as a logarithm, a topic has to be that is counted as fitting better."""
_PRIOR: Final = 0.5
"""What the number of a topic's questions counts for, beside the words."""


@dataclass(frozen=True, slots=True)
class Votes:
    """How many questions each topic had (``asked``), and each word of them by topic (``words``)."""

    asked: Mapping[Topic, int]
    words: Mapping[str, Mapping[Topic, int]]

    def rank(self, topic: Topic, said: Collection[str]) -> int:
        """How many topics fit these words clearly better than ``topic`` does."""
        scores = self._scores(said)
        if topic not in scores:
            return len(scores)
        return sum(score > scores[topic] + CLEARLY for score in scores.values())

    def _scores(self, said: Collection[str]) -> dict[Topic, float]:
        total, kinds = sum(self.asked.values()), len(self.asked)
        scores = {topic: _PRIOR * log(asked / total) for topic, asked in self.asked.items()}
        for word in said:
            by_topic = self.words.get(word)
            if by_topic is None:
                continue
            held = sum(by_topic.values())
            spread, overall = SMOOTH * held / total * kinds, (held + SMOOTH) / (total + SMOOTH)
            for topic, asked in self.asked.items():
                share = (by_topic.get(topic, 0) + spread) / (asked + SMOOTH * kinds)
                scores[topic] += log(share / overall)
        return scores


@cache
def votes() -> Votes:
    """The spread that ships."""
    raw = json.loads(VOTES.read_text(encoding="utf-8"))
    return Votes(raw["asked"], raw["words"])
