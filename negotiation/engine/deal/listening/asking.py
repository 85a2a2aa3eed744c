"""Questions: which kind, about what, and whether one names a fact of the other side's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from negotiation.engine.deal.case.acts import Act, Talk, Topic
from negotiation.engine.deal.case.declared import Fact, Objection
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.deal.listening import cues
from negotiation.engine.deal.listening.context import Context
from negotiation.engine.deal.listening.heard import Heard
from negotiation.engine.deal.listening.second_opinion import votes
from negotiation.engine.deal.listening.sentences import Sentence
from negotiation.engine.deal.listening.sheets import Match, Thing
from negotiation.engine.deal.listening.topics import NAMED_FROM, NAMED_PLAINLY, About, about, scores_of
from negotiation.engine.deal.listening.words import stem

NAMES_FROM: Final = 1.6
"""The weight of shared words, two at least, from which a closed question names a fact; the only fact of its topic is named
by any of its author's cues."""
TAKEN_UP: Final = 0.9
"""The weight of shared words from which a question takes up a fact that was told."""
MENTIONED: Final = 0.3
_RIVAL: Final = 0.6
"""Another fact that fits this share as well leaves it open which is named."""
_CONTESTED: Final = 0.15
_BEYOND_DOUBT: Final = 1.2
_ONE_WORD_OF_CASE: Final = 0.85
"""What a topic scores whose naming nobody doubts, and what one word of the case scores."""
_FROM_FOURTH, _FAR_DOWN = 3, 4
"""Places in the second opinion from which it stands against a topic: of plain words, and of a word of the case."""
_NO_SUBJECT: Final = ("complains", "verdict", "quotes")
"""Questions about no subject of the case: whether one is heard, whether what was put helps, what the figure is."""
_WORRIES: Final[Topic] = "risk"
_HURTS: Final[Topic] = "pain"
_SUPPOSES: Final = "happens if"
_LONGEST_MIRROR: Final = 7
_CLEARLY: Final = 1.6
"""The weight from which words of something said before count for more than another topic that is named."""
_THESE: Final = frozenset(("those", "these", "that", "this"))
_TAKEN_WORDS: Final = 2
_ONE_OR_OTHER: Final = re.compile(
    r"\b(?:is|was) it (?:the|my|our|your|only|how) .* or (?!(?:do|does|did|is|are|can|will|would)\b)"
)
_POINTS: Final = frozenset(("there", "that", "this", "then", "it"))
_WHENCE: Final = frozenset(
    (
        "what",
        "why",
        "how",
        "when",
        "where",
        "who",
        "which",
        "do",
        "does",
        "did",
        "is",
        "are",
        "can",
        "will",
        "would",
    )
)


def asked(sentence: Sentence, matches: Sequence[Match], context: Context) -> Heard | None:
    """What a question does, if the sentence is one and it is about anything."""
    if not any(cues.acts().hears(act, sentence.plain) for act in ("question", "ask_proof")):
        return None
    if any(cues.acts().hears(what, sentence.plain) for what in _NO_SUBJECT):
        return None
    theirs = [match for match in matches if not match.thing.own]
    if (mirrored := _mirrored(sentence, context)) is not None:
        return mirrored
    if cues.acts().hears("ask_proof", sentence.plain) and (proof := _proof(sentence, theirs, context)):
        return proof
    if cues.acts().hears("offers", sentence.plain):
        return None
    act = _act_of(sentence, theirs, context)
    said = _said_before(sentence, theirs, context)
    if said is not None:
        again = act == "ask_closed" and isinstance(said, Fact)
        return Heard(Talk(act if again else "follow_up", said.topic, said.id), 0.8, sentence.quote)
    if (meant := _pointed_at(sentence, theirs, context)) is not None:
        return Heard(Talk("follow_up", meant.topic, meant.id), 0.75, sentence.quote)
    if (worry := _raised_on(sentence, theirs, context)) is not None:
        return Heard(Talk("follow_up", worry.topic, worry.id), 0.75, sentence.quote)
    if (last := _of_last_line(sentence, context)) is not None:
        return Heard(Talk("follow_up", last.topic, last.id), 0.75, sentence.quote)
    if context.takes_up and act == "follow_up" and _points(sentence):
        return None  # after something that was said, and nobody said anything of the kind
    found = about(sentence, theirs, (_HURTS, _WORRIES) if act == "ask_problem" else ())
    if found.topic is None or found.score < 0.5:
        return _without_topic(sentence, act, context)
    if (
        found.topic in (_HURTS, _WORRIES)
        and found.score < _BEYOND_DOUBT
        and _ONE_OR_OTHER.search(sentence.plain) is not None
    ):
        return None  # which of two things it is that hurts: neither of them is what hurts at all
    if _doubted(sentence, found, theirs):
        return _without_topic(sentence, act, context) if act == "ask_problem" else None
    confidence = _sure(found)
    fact = _named_fact(theirs, found.topic, context) if act == "ask_closed" else None
    return Heard(Talk(act, found.topic, fact), confidence, sentence.quote)


def _doubted(sentence: Sentence, found: About, theirs: Sequence[Match]) -> bool:
    """Whether the second opinion stands against a topic that is named by little: by plain words alone, or by one word of
    the case."""
    if found.topic is None or found.score >= _BEYOND_DOUBT or f" {_own_name(found.topic)} " in sentence.plain:
        return False
    by_case = any(
        match.weight + match.phrases >= NAMED_FROM and match.telling and match.thing.topic == found.topic
        for match in theirs
        if match.thing.kind in ("fact", "objection")
    )
    if by_case and found.score > _ONE_WORD_OF_CASE:
        return False
    rank = votes().rank(found.topic, sentence.all_stems)
    return rank >= (_FAR_DOWN if by_case else _FROM_FOURTH)


@cache
def _own_name(topic: Topic) -> str:
    """What a topic is called at the table, as patterns look at it: who says "the roll-out" means it."""
    return SPOKEN_TOPICS[topic].removeprefix("the ").replace("-", " ")


def _sure(found: About) -> float:
    return min(0.95, 0.35 + 0.4 * found.score) - _CONTESTED * found.contested


def _act_of(sentence: Sentence, theirs: Sequence[Match], context: Context) -> Act:
    weighed = cues.acts().weigh(sentence.plain)
    follows = context.takes_up or weighed.get("follow_up", 0) >= 1 or _takes_up(sentence, theirs, context)
    if (context.told or context.raised) and follows:
        return "follow_up"
    return kind_of(sentence)


def kind_of(sentence: Sentence) -> Act:
    """How a question asks that follows nothing: for trouble, openly, or for a yes or a no."""
    weighed = cues.acts().weigh(sentence.plain)
    if weighed.get("problem", 0) >= 1:
        return "ask_problem"
    return "ask_open" if weighed.get("open", 0) >= 1 else "ask_closed"


def _takes_up(sentence: Sentence, theirs: Sequence[Match], context: Context) -> bool:
    """Whether an open question uses the words of something that was told."""
    if not cues.acts().hears("open", sentence.plain) and not sentence.plain.startswith(
        ("and ", "so ", "your ")
    ):
        return False
    return any(
        match.thing.id in context.told and match.thing.kind == "fact" and match.weight >= 1
        for match in theirs
    )


def _said_before(sentence: Sentence, theirs: Sequence[Match], context: Context) -> Fact | Objection | None:
    """The told fact or the raised objection whose words a question uses most, where nothing untold fits it better."""
    if cues.acts().hears("ahead", sentence.plain):
        return None
    used = [
        match
        for match in theirs
        if _was_said(match.thing, context) and match.weight >= _enough(match, context)
    ]
    if not used:
        return None
    best = max(used, key=lambda match: match.weight + match.phrases)
    new = (match for match in theirs if match.thing.kind == "fact" and match.thing.id not in context.told)
    named = best.telling or best.phrases or best.thing.id in context.mentions
    if not named or any(match.weight + match.phrases > best.weight + best.phrases for match in new):
        return None
    plain = cues.topics().weigh(sentence.plain)
    elsewhere = max((score for topic, score in plain.items() if topic != best.thing.topic), default=0.0)
    weak = best.weight + best.phrases < _CLEARLY
    if weak and elsewhere >= 1 > plain.get(best.thing.topic, 0.0):
        return None  # one of its words, in a question that names another subject
    known: Mapping[str, Fact | Objection] = (
        context.listener.fact if best.thing.kind == "fact" else context.listener.objection
    )
    return known[best.thing.id]


def _pointed_at(sentence: Sentence, theirs: Sequence[Match], context: Context) -> Fact | Objection | None:
    """The one thing told or raised that the rest of the message names and that the question points at: "what went wrong
    there?"; nothing where the question has a fact of its own."""
    if len(context.mentions) != 1 or not context.takes_up or not _points(sentence):
        return None
    if any(match.thing.kind == "fact" and match.weight >= TAKEN_UP for match in theirs):
        return None
    (name,) = context.mentions
    return context.listener.objection.get(name) or context.listener.fact.get(name)


def _raised_on(sentence: Sentence, theirs: Sequence[Match], context: Context) -> Objection | None:
    """The one objection that was raised on what a question after trouble names: "what bothers you about how we pay?"."""
    if not cues.acts().hears("problem", sentence.plain):
        return None
    scores = scores_of(sentence, theirs)
    raised = [context.listener.objection[each] for each in context.raised]
    meant = [each for each in raised if scores.get(each.topic, 0.0) >= NAMED_PLAINLY]
    return meant[0] if len(meant) == 1 and meant[0].topic not in (_HURTS, _WORRIES) else None


def _points(sentence: Sentence) -> bool:
    return not _POINTS.isdisjoint(sentence.plain.rstrip(" ?").split())


def _of_last_line(sentence: Sentence, context: Context) -> Fact | Objection | None:
    """What the listener's last line told or raised, where the question takes up its words, plain ones too: "what is so
    special about those two?"."""
    last = context.last_said
    if last is None or not cues.acts().hears("open", sentence.plain):
        return None
    shared = sentence.stems & context.words_of(last)
    words = sentence.plain.rstrip(" ?").split()
    pointed = {word for this, word in pairwise(words) if this in _THESE}
    named = shared & {stem(word) for word in pointed} or (
        "<m>" in pointed and any("#" in each for each in shared)
    )
    return last if named or len(shared) >= _TAKEN_WORDS else None


def _enough(match: Match, context: Context) -> float:
    """The weight of shared words from which a question takes a thing up: less where the message names it elsewhere."""
    return MENTIONED if match.thing.id in context.mentions else TAKEN_UP


def _was_said(thing: Thing, context: Context) -> bool:
    return (thing.kind == "fact" and thing.id in context.told) or (
        thing.kind == "objection" and thing.id in context.raised
    )


def _without_topic(sentence: Sentence, act: Act, context: Context) -> Heard | None:
    """Questions that need no word for their topic: what hurts, what worries, "why is that?" after something was told."""
    if act == "ask_problem" and _SUPPOSES in sentence.plain and not cues.topics().weigh(sentence.plain):
        return None  # what would be is no trouble that they have
    if act == "ask_problem":
        worries = cues.topics().weigh(sentence.plain).get("risk", 0) > 0
        return Heard(Talk(act, _WORRIES if worries else _HURTS), 0.7, sentence.quote)
    asks_on = cues.acts().weigh(sentence.plain).get("follow_up", 0) >= 1 and "<" not in sentence.plain
    asks_on = asks_on and not context.goes_before
    if act == "follow_up" and asks_on and (last := context.last_said or context.last_told) is not None:
        return Heard(Talk(act, last.topic, last.id), 0.75, sentence.quote)
    return None


def _named_fact(theirs: Sequence[Match], topic: Topic, context: Context) -> str | None:
    """The fact of the topic that a closed question names, where no other one fits about as well."""
    best: dict[str, Match] = {}
    for match in theirs:
        if match.thing.kind == "fact" and match.thing.topic == topic:
            known = best.get(match.thing.id)
            if known is None or match.score > known.score:
                best[match.thing.id] = match
    if not best:
        return None
    first, *rest = sorted(best.values(), key=lambda match: -(match.weight + match.phrases))
    if rest and rest[0].weight > _RIVAL * (first.weight + first.phrases):
        return None
    alone = sum(fact.topic == topic for fact in context.listener.facts) == 1
    several = len(first.words) > 1 and first.telling and first.weight + first.phrases >= NAMES_FROM
    return first.thing.id if several or (alone and first.cues and first.telling) else None


def _proof(sentence: Sentence, theirs: Sequence[Match], context: Context) -> Heard | None:
    """A wish to see: of the told fact that it names, else of the last one told."""
    named = [match for match in theirs if match.thing.kind == "fact" and match.weight >= 0.95]
    told = [match for match in named if match.thing.id in context.told]
    if told or named:
        fact = max(told or named, key=lambda match: match.weight).thing
        return Heard(Talk("ask_proof", fact.topic, fact.id), 0.8, sentence.quote)
    if context.last_told is None:
        return None
    return Heard(Talk("ask_proof", context.last_told.topic, context.last_told.id), 0.7, sentence.quote)


def _mirrored(sentence: Sentence, context: Context) -> Heard | None:
    """The other side's own last words, given back as a short question."""
    words = sentence.plain.removesuffix("?").split()
    if (
        not sentence.stems
        or not sentence.plain.endswith("?")
        or len(words) > _LONGEST_MIRROR
        or not context.last_stems
    ):
        return None
    if words[0] in _WHENCE or not sentence.stems <= context.last_stems or context.last_told is None:
        return None
    return Heard(Talk("mirror", context.last_told.topic), 0.8, sentence.quote)
