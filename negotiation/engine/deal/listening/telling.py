"""Statements: an own fact told, an argument put, something claimed; what the other side said, put into words again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from negotiation.engine.deal.case.acts import Act, Talk, Topic
from negotiation.engine.deal.listening import cues
from negotiation.engine.deal.listening.context import Context
from negotiation.engine.deal.listening.heard import Heard
from negotiation.engine.deal.listening.sentences import Sentence
from negotiation.engine.deal.listening.sheets import Match
from negotiation.engine.deal.listening.topics import about, scores_of

_ENOUGH: Final = ((2.4, 0.33), (1.55, 0.45))
_ENOUGH_WITH_CUE: Final = ((2.4, 0.28), (1.45, 0.28))
_ENOUGH_WITH_PHRASE: Final = ((1.55, 0.2), (1.2, 0.25), (0.0, 0.5))
"""What shared words have to count for, and of what share of the clause: by themselves, with a cue of its author's beside,
with one of several words. No single word is enough by itself."""
_SEVERAL, _CUED = 2, 1.55
"""So many cues, counting for this, are enough whatever the share."""
ENOUGH_OF_CLAIM: Final = 0.7
"""A claim that may not be made costs dearly: less of its words than this is asked about."""
ALIKE: Final = 0.9
"""Another thing of the case that fits this share as well leaves it open what was meant."""
ANSWERS: Final = 0.2
"""An argument fits so much better because it answers an objection that was raised."""
_FITS: Final = {"objection": 0.9, "answer": 0.6}
"""What the fit of things is taken for that do nothing when they are said: something that does comes first."""
UNSURE: Final = 0.55
_SAYABLE: Final = frozenset(("fact", "argument", "claim"))


def told(sentence: Sentence, matches: Sequence[Match], context: Context, shows: bool) -> Heard | None:
    """The thing of the own sheet that a statement speaks of.

    Args:
        shows: whether the message puts proof on the table.
    """
    known = [
        match
        for match in matches
        if _recognised(match)
        and not match.denied
        and not (match.thing.own and match.thing.kind == "objection")
    ]
    ranked = sorted(known, key=lambda match: -_fit(match, context))
    if not ranked:
        return None
    best = ranked[0]
    thing = best.thing
    if not thing.own or thing.kind not in _SAYABLE:
        return None
    confidence = min(0.95, 0.45 + 0.5 * best.share + 0.1 * (best.cues + best.phrases))
    if thing.kind == "claim" and not best.phrases and best.share < ENOUGH_OF_CLAIM:
        confidence = min(confidence, UNSURE)
    if any(_rivals(match, best) for match in ranked):
        confidence = min(confidence, UNSURE)
    if thing.kind == "fact":
        return Heard(Talk("disclose", thing.topic, thing.id), confidence, sentence.quote, thing.high)
    return Heard(
        Talk(_reason(best, sentence, context, shows), thing.topic, thing.id), confidence, sentence.quote
    )


def _fit(match: Match, context: Context) -> float:
    """How well a thing fits here: an answer to what was raised fits better, an objection of one's own does nothing."""
    if match.thing.own and any(
        match.thing.id in context.listener.objection[each].answers for each in context.raised
    ):
        return match.score + ANSWERS
    return match.score * _FITS.get(match.thing.kind, 1.0)


def _rivals(match: Match, best: Match) -> bool:
    """Whether another thing of the own sheet fits about as well."""
    same = (match.thing.kind, match.thing.id) == (best.thing.kind, best.thing.id)
    sayable = match.thing.own and match.thing.kind in _SAYABLE
    return not same and sayable and match.score > ALIKE * best.score


def _recognised(match: Match) -> bool:
    """Whether enough of a clause is there: the fewer of its words, the more that its author gave as cues."""
    enough = _ENOUGH_WITH_PHRASE if match.phrases else _ENOUGH_WITH_CUE if match.cues else _ENOUGH
    return (match.cues >= _SEVERAL and match.weight >= _CUED) or any(
        match.weight >= weight and match.share >= share for weight, share in enough
    )


def _reason(match: Match, sentence: Sentence, context: Context, shows: bool) -> Act:
    """How a reason is put: with its proof, as an answer to what was raised, by somebody else's example, or plainly."""
    thing = match.thing
    if thing.proof and shows:
        return "prove"
    if any(thing.id in context.listener.objection[each].answers for each in context.raised):
        return "answer"
    refers = thing.kind == "argument" and cues.acts().hears("refer", sentence.plain)
    return "refer" if refers else "argue"


def labelled(sentence: Sentence, matches: Sequence[Match], context: Context) -> Heard | None:
    """A feeling or a worry of the other side's put into words: about what it told, else about what is named."""
    topic, confidence = _topic_said(sentence, matches, context)
    if topic is None:
        return None
    return Heard(Talk("label", topic), confidence, sentence.quote)


def _topic_said(sentence: Sentence, matches: Sequence[Match], context: Context) -> tuple[Topic | None, float]:
    theirs = [match for match in matches if not match.thing.own]
    of_told = {context.listener.fact[each].topic for each in context.told}
    scores = scores_of(sentence, theirs)
    known = {topic: score for topic, score in scores.items() if topic in of_told}
    if known:
        return max(known, key=lambda topic: known[topic]), 0.85
    found = about(sentence, theirs)
    if found.topic is not None and found.score >= 0.9 and not found.contested:
        return found.topic, 0.7
    if context.last_told is not None:
        return context.last_told.topic, 0.65
    return None, 0.0


def summarised(sentence: Sentence, matches: Sequence[Match], context: Context) -> list[Heard]:
    """What the other side told, in the speaker's words: once for each topic that it names."""
    topics: list[Topic] = []
    plain = cues.topics().weigh(sentence.plain)
    for each in context.told:
        fact = context.listener.fact[each]
        words = max(
            (
                match.weight + match.cues
                for match in matches
                if match.thing.id == each and not match.thing.own
            ),
            default=0.0,
        )
        if (words >= 0.6 or plain.get(fact.topic, 0) >= 0.7) and fact.topic not in topics:
            topics.append(fact.topic)
    return [Heard(Talk("summarise", topic), 0.8, sentence.quote) for topic in topics]
