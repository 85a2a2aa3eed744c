"""Questions that put two things side by side: "is it the price or the name?", "what counts more, the date or the terms?"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from negotiation.engine.deal.case.choice import FIGURE, THE_FIGURE, Choice, Subject
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.deal.listening.cues import acts
from negotiation.engine.deal.listening.sentences import sentences_of
from negotiation.engine.deal.listening.topics import scores_of

_PUTS: Final = re.compile(
    r"\b(?:is|was|are|were)(?: (?:it|that|this|there"
    r"|you))?(?: [a-z]+){0,2}? (?P<a>[a-z<>' ]{2,60}?),? or (?P<b>[a-z<>' ]{2,60}?) ?(?:\?|,|$)"
    r"|(?:, |: |\b(?:about|between|in|for|on|by|of|prefer|rather|with|over|want|need|mind|like|love|hate"
    r"|bothers you|hurts|care about) )(?P<c>[a-z<>' ]{2,50}?),? or (?P<d>[a-z<>' ]{2,60}?) ?(?:\?|,|$)"
)
_NO_CHOICE: Final = re.compile(
    r"\b(?:yes or no|or (?:just a|only a|merely|simply|rather)\b|or not\b|or so\b|or what\b|or else\b"
    r"|more or less|sooner or later|(?:you|us|me|we|them|him|her) or\b|or something|or anything"
    r"|or somebody|or anybody"
    r"|or (?:is|are|do|does|did|can|could|would|will|should|shall|have|has) (?:i|you|we|it|they|there"
    r"|that|this|he|she)\b|one way or)|<[mn]> or <[mn]>"
)
_TROUBLE: Final = re.compile(
    r"\b(?:not like|unhappy|problem|trouble|bother\w*|worr\w+|stop\w*|stand\w* in the way|hold\w*|hard\w*|issue|wrong"
    r"|against|hurt\w*|mind|dislike|least"
    r"|why|because|expensive|dear|too (?:much|little|high|low)|objection|sticking point|stick\w*"
    r"|scare\w*|afraid|doubt\w*|hesitat\w*|obstacle|live with|accept|swallow)\b"
)
_COUNTS: Final = re.compile(
    r"\b(?:more|rather|prefer\w*|important|matters?|care|counts?|about|choose|first|most|mainly"
    r"|mostly|value|priority|urgent|would you)\b"
)
_NO_NAME: Final = frozenset(("rent", "free", "out", "fit", "months", "lease", "contract"))
"""Words of a title that name something else as well."""
_ALSO_CALLED: Final[Mapping[str, tuple[str, ...]]] = {
    "delivery": ("date", "deadline", "how soon", "speed"),
    "payment": ("paying", "when we pay", "payment terms", "falls due", "due date"),
    "warranty": ("guarantee", "repair", "spare"),
    "lease term": ("length", "years", "how long we stay", "short lease", "long lease", "lease"),
    "contract term": ("length", "years"),
    "billing": ("bill", "invoice", "falls due", "due date", "earlier money", "money early", "cash up front"),
    "rent free months": ("rent free", "free month"),
    "fit out": ("building work", "rooms", "floors"),
}
"""What people call an issue of that title who put it beside another thing."""
_SURE: Final = 0.55
"""What a topic has to score in the few words of one of the two."""
_WHICH_IS_IT: Final = re.compile(r"\b(?:which|what) (?:is|was) it\b|\b(?:is|was) it\b(?! possible)")
_LESS: Final = re.compile(
    r"\b(?:(?:pay|paying|spend|spending|cost|costs) (?:less|more)|cheaper|(?:lower|higher|better|good) price)\b"
)
"""Of paying so much, and not of when it is paid."""
_FIGURE: Final = re.compile(
    r"\b(?:price|money|figure|number|amount|sum|rent|salary|pay|cost|costs|fee|valuation|total|dollars?)\b"
)


def put_side_by_side(text: str, titles: Mapping[str, str]) -> Choice | None:
    """The last choice that a message asks for, where at least one of the two things is understood.

    Args:
        titles: of the terms of the deal, by their ids.
    """
    found = None
    for plain in _whole(text):
        if " or " not in plain or not acts().hears("question", plain):
            continue
        if _NO_CHOICE.search(plain) is not None or (hit := _PUTS.search(plain)) is None:
            continue
        one, other = hit["a"] or hit["c"], hit["b"] or hit["d"]
        trouble = _TROUBLE.search(plain) is not None or (
            _WHICH_IS_IT.search(plain) is not None and _COUNTS.search(plain) is None
        )
        if not trouble and _COUNTS.search(plain) is None:
            continue
        choice = Choice(_subject(one, titles), _subject(other, titles), trouble)
        about_the_deal = any(each.kind != "topic" for each in choice.known)
        if (about_the_deal or None not in (choice.one, choice.other)) and choice.one != choice.other:
            found = choice
    return found


def _whole(text: str) -> list[str]:
    """The sentences as patterns look at them, one with the next where it ends in "or"."""
    found: list[str] = []
    goes_on = False
    for sentence in sentences_of(text):
        plain = (
            f"{sentence.plain} ?" if sentence.asks and not sentence.plain.endswith("?") else sentence.plain
        )
        if goes_on:
            found[-1] = f"{found[-1].removesuffix(' ?')} or {plain}"
        else:
            found.append(plain)
        goes_on = sentence.quote.lower().rstrip().endswith(" or")
    return found


def _subject(words: str, titles: Mapping[str, str]) -> Subject | None:
    plain = f" {words} "
    if _LESS.search(plain) is not None:
        return Subject(FIGURE, FIGURE, THE_FIGURE)
    for issue, title in titles.items():
        name = title.lower().replace("-", " ")
        names = [name, *(each for each in name.split() if each not in _NO_NAME), *_ALSO_CALLED.get(name, ())]
        if any(f" {name} " in plain or f" {name}s " in plain for name in names):
            return Subject("term", issue, f"the {title.lower()}")
    if _FIGURE.search(plain) is not None:
        return Subject(FIGURE, FIGURE, THE_FIGURE)
    sentence = next(iter(sentences_of(words)), None)
    scores = {} if sentence is None else scores_of(sentence, ())
    best = max(scores, key=lambda topic: scores[topic], default=None)
    if best is None or scores[best] < _SURE:
        return None
    return Subject("topic", best, SPOKEN_TOPICS[best])
