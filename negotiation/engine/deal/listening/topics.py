"""What a sentence is about: plain words for a topic, and the things of the case that belong to one."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, cast

from negotiation.engine.deal.case.acts import TOPICS, Topic
from negotiation.engine.deal.listening import cues
from negotiation.engine.deal.listening.sentences import Sentence
from negotiation.engine.deal.listening.sheets import Match
from negotiation.engine.deal.listening.words import RARE, plain_stem
from negotiation.engine.deal.listening.words import weight as common_weight

NAMED_FROM: Final = 0.85
"""The weight of shared words from which a thing of the case names its topic."""
_PER_WORD, _MOST_BY_CASE, _MOST_PLAINLY = 0.8, 1.3, 1.5
_SURE_WORD, _LIKELY_WORD, _BESIDE = 0.6, 0.35, 0.3
"""What a word is worth that names its topic, one that only may, and the weaker of phrase and word beside the stronger. One
word alone is never enough: it is asked about."""
_ONE_WORD: Final = 0.45
"""What one shared word is worth that does not name a thing by itself."""
_SPOKEN_OF: Final = frozenset(("fact", "objection"))
"""What the other side may be asked about by its own words: not its arguments, nor what it must not say, nor what it says to
anybody, which is put in words of any talk."""
NAMED_PLAINLY: Final = 0.9
"""What a topic scores that is named beyond doubt."""
_CLOSE: Final = 0.4
"""Topics that score nearer to each other than this leave it open which is meant."""


@dataclass(frozen=True, slots=True)
class About:
    """A topic, how strongly a sentence names it (0 for not at all), and whether another one comes close."""

    topic: Topic | None
    score: float = 0.0
    contested: bool = False


def about(sentence: Sentence, matches: Iterable[Match], beside: Collection[Topic] = ()) -> About:
    """The topic that a sentence names best.

    Args:
        matches: of the things that may be meant, the other side's in a question.
        beside: topics whose words may only make the act ("what could go wrong"): another topic that is named comes first,
            unless a word for pain itself is there ("what bothers you about ...").
    """
    scores = scores_of(sentence, matches)
    if not scores:
        return About(None)
    hurts = scores.get("pain", 0.0) > scores.get("risk", 0.0)
    if "pain" in beside and hurts and topic_words()["pain"][0] & sentence.all_stems:
        return About("pain", scores["pain"])
    others = {topic: score for topic, score in scores.items() if topic not in beside}
    if beside and max(others.values(), default=0.0) >= NAMED_PLAINLY:
        scores = others
    best = max(scores, key=lambda topic: (scores[topic], -TOPICS.index(topic)))
    rest = max((score for topic, score in scores.items() if topic != best), default=0.0)
    return About(best, scores[best], scores[best] - rest < _CLOSE)


def scores_of(sentence: Sentence, matches: Iterable[Match]) -> dict[Topic, float]:
    """How strongly a sentence names each topic, by plain words and by things of the case."""
    plain = _plainly(sentence)
    by_case: dict[Topic, float] = {}
    for match in matches:
        if match.thing.kind not in _SPOKEN_OF or not match.telling:
            continue
        weight = match.weight + match.phrases
        if weight >= NAMED_FROM or match.cues:
            several = len([word for word in match.words if common_weight(word) >= RARE]) > 1
            most = _MOST_BY_CASE if several else _PER_WORD if match.named else _ONE_WORD
            score = min(most, _PER_WORD * weight + 0.1 * match.cues)
            by_case[match.thing.topic] = max(by_case.get(match.thing.topic, 0.0), score)
    return {topic: plain.get(topic, 0.0) + by_case.get(topic, 0.0) for topic in {*plain, *by_case}}


def _plainly(sentence: Sentence) -> dict[Topic, float]:
    """How strongly plain words name each topic: by whole phrases, and by single words."""
    phrases = cues.topics().weigh(sentence.plain)
    if sentence.straight != sentence.plain:
        bare = cues.topics().weigh(sentence.straight)
        phrases = {topic: max(phrases.get(topic, 0.0), bare.get(topic, 0.0)) for topic in {*phrases, *bare}}
    found: dict[Topic, float] = {}
    for topic, words in topic_words().items():
        sure, likely = (len(listed & sentence.all_stems) for listed in words)
        by_words = min(1.0, _SURE_WORD * bool(sure) + _LIKELY_WORD * (likely + max(0, sure - 1)))
        by_phrase = phrases.get(topic, 0.0)
        score = max(by_words, by_phrase) + _BESIDE * min(by_words, max(0.0, by_phrase)) + min(0.0, by_phrase)
        if score > 0:
            found[topic] = min(_MOST_PLAINLY, score)
    return found


@cache
def topic_words() -> Mapping[Topic, tuple[frozenset[str], frozenset[str]]]:
    """The words that name each topic for sure, and those that only may."""
    raw = tomllib.loads(Path(__file__).with_name("topic_words.toml").read_text(encoding="utf-8"))
    return {
        cast(Topic, topic): (_stems(words["sure"]), _stems(words["likely"])) for topic, words in raw.items()
    }


def _stems(listed: str) -> frozenset[str]:
    return frozenset(plain_stem(word) for word in listed.split())
