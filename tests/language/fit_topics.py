"""Counts how words are spread over topics in the questions that may be learnt from.

python -m tests.language.fit_topics
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from negotiation.engine.deal.case.acts import ON_A_TOPIC, QUESTIONS, Topic
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS
from negotiation.engine.deal.listening.second_opinion import VOTES
from negotiation.engine.deal.listening.sentences import sentences_of
from tests.language.talk_gold import talk_batches

ASKED = Path(__file__).with_name("asked.toml")
KEPT_APART = frozenset(("heldout_4", "heldout_7", "heldout_11", "heldout_12", "heldout_13"))
"""Batches from which nothing is learnt."""
ABOUT = frozenset(QUESTIONS) & ON_A_TOPIC


def questions() -> Iterator[tuple[str, Topic]]:
    """Each question with its one topic: those that the table puts into a player's mouth, then what people wrote."""
    for by_topic in OPENING_QUESTIONS.values():
        yield from ((question, topic) for topic, question in by_topic.items())
    asked = tomllib.loads(ASKED.read_text(encoding="utf-8"))["topics"]
    for topic, listed in asked.items():
        if topic != "none":
            yield from ((f"{each}?", topic) for each in listed)
    for batch in talk_batches():
        if batch.name not in KEPT_APART:
            for said in batch.said:
                topics = [each.topic for each in said.talk if each.act in ABOUT and each.topic is not None]
                if len(topics) == 1:
                    yield said.text, topics[0]


def counted() -> dict[str, Any]:
    """The spread, as the file holds it."""
    asked: Counter[str] = Counter()
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text, topic in questions():
        asked[topic] += 1
        for word in {word for sentence in sentences_of(text) for word in sentence.all_stems if word}:
            words[word][topic] += 1
    return {
        "asked": dict(sorted(asked.items())),
        "words": {word: dict(sorted(words[word].items())) for word in sorted(words)},
    }


def main() -> None:
    VOTES.write_text(json.dumps(counted(), indent=0, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
