"""A question as the one who was asked repeats it, who has no answer to it: so that who asked knows what was not answered."""

from __future__ import annotations

import re
from typing import Final

from negotiation.engine.deal.listening.said_back import from_the_other_side, is_civil

FEWEST_WORDS, SHORT, MOST_WORDS = 3, 7, 13
_WH: Final = r"what|why|how|when|where|who|which|whose|whom"
_HELPING: Final = (
    r"is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|am"
    r"|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|can't|couldn't|won't|wouldn't|shouldn't"
)
_SUBJECT: Final = (
    r"you|your|yours|the|there|that|this|it|they|we|i|he|she|any|anybody|anyone|anything|somebody|someone|everybody|everyone"
    r"|our|my|his|her|their|its|these|those|all|both"
)
_BEFORE: Final = re.compile(
    r"^(?:(?:so|and|but|then|now|well|ok|okay|or|no|yes|look|listen|right|fine"
    r"|fair enough|seriously|honestly|again|first|also|hi|hello|oh|please|just)\b[ ,.:-]*)+",
    re.IGNORECASE,
)
_MAY_I: Final = re.compile(
    r"^(?:(?:may|can|could|might) i (?:just )?(?:ask|know)(?: you)?|(?:can|could|will|would) you (?:please )?tell (?:me|us)"
    r"|(?:please )?tell (?:me|us)(?: plainly| honestly| this)?|do you (?:happen to )?know"
    r"|i(?:'d| would) (?:like|love) to know|(?:(?:i|we) )?(?:asked|am asking|want to know|need to know)(?: you)?)\b[ ,:]*",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(rf"(?:{_WH})(?:'s|'re|'d|s)?\b.*|(?:{_HELPING})\b.*", re.IGNORECASE)
_LATER: Final = re.compile(
    rf"(?:[,:;]|\s[-\u2013\u2014]|\b(?:and|but|so|then))\s+((?:{_WH})(?:'s|'re|'d)?\b.*|(?:{_HELPING}) (?:{_SUBJECT})\b.*)$",
    re.IGNORECASE,
)
_LATER_UNMARKED: Final = re.compile(
    r"(?:[,:;]|\s[-\u2013\u2014]|\b(?:and|but|so|then))\s+"
    rf"((?:what|why|how)(?:'s|'re|'d)?\b.*|(?:{_HELPING}) (?:{_SUBJECT})\b.*)$",
    re.IGNORECASE,
)
"""The same without a mark: "who", "which" and "when" go on with what was said there."""
_CALLED: Final = re.compile(r",?\s*\b(?:[Mm]r|[Mm]rs|[Mm]s|Miss|[Dd]r)\b\.?\s+[A-Z]\w+")
_BEHIND: Final = re.compile(
    r",?\s*\b(?:please|pls|then|yes or no|exactly|honestly|plainly|by the way|i wonder|or what|huh|eh|mate)$|[\s,;:-]+$"
    r"|,?\s*\b(?:and|or|but)$",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r"(?<=[a-z]{3}) ?: [^:]*,[^:]*$")
"""What a question lists behind it: "what are they worried about: noise, or smells?"."""
_SUM: Final = re.compile(
    r"\d{3}|\d[.,]\d|[$\u20ac\u00a3%]|\d\s?[km]\b|\b(?:hundred|thousand|million|grand|dollars?|euros?|bucks)\b",
    re.I,
)
_WORDS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9' ,&-]+")
_YES_OR_NO: Final = re.compile(rf"(?:{_HELPING})\b", re.IGNORECASE)
_TO_THE_OFFER: Final = re.compile(
    r"\b(?:step|meet|sign|deal|agree|accept|match|counter|against that|work for|move|say yes|close)\b",
    re.IGNORECASE,
)
"""What a question beside an offer is on that asks for an answer to the offer."""
_POINTS: Final = re.compile(
    r"\b(?:it|that|this|those|these|they|them|their|he|she|him|her|his|there|one|ones|instead|else|which|same)\b",
    re.IGNORECASE,
)
"""Words that say nothing once they are said by somebody else."""
_TYPED: Final = re.compile(
    r"\b(?:u|ur|r|n|pls|plz|whats|wheres|whens|hows|whos|thats|dont|doesnt|wont|cant|didnt|isnt|arent|ppl|yrs?|hrs?|wks?|lol|gonna|wanna"
    r"|gotta|cos|bc|tho|abt|btw|im|ive|youre|theyre)\b"
)
"""What is written in a hurry and said by nobody."""
_SELF: Final = re.compile(r"\b(?:yourself|personally)\b", re.IGNORECASE)


def echoed(
    question: str, *, names: frozenset[str] = frozenset(), alone: bool = False, beside_an_offer: bool = False
) -> str | None:
    """A question said back from the other side, with its mark; empty where it can't be said back well.

    Args:
        names: of who was asked, in small letters: nobody calls itself by its name.
        alone: whether who was asked speaks for nobody else.
        beside_an_offer: whether a short question for yes or no is after the offer beside it: "can you meet me there?".

    Returns:
        ``None`` where it asks for nothing but an answer to the offer, or is no question that anybody has to answer.
    """
    asks = _core(question.replace("\u2019", "'"), names)
    words = len(asks.split())
    if words < FEWEST_WORDS or not is_civil(asks):
        return None
    if beside_an_offer and ((words <= SHORT and _YES_OR_NO.match(asks)) or _TO_THE_OFFER.search(asks)):
        return None
    if words > MOST_WORDS or not _is_clear(asks):
        return ""
    turned = from_the_other_side(asks, alone=alone or _SELF.search(asks) is not None)
    return f"{turned[0].upper()}{turned[1:]}?"


def _is_clear(asks: str) -> bool:
    """Whether a question says what it asks by itself, in words that go from mouth to mouth."""
    hindered = (_SUM, _POINTS, _TYPED)
    return _WORDS.fullmatch(asks) is not None and not any(each.search(asks) for each in hindered)


def _core(text: str, names: frozenset[str]) -> str:
    """The question without what leads up to it, whom it calls, and what trails behind."""
    asks = "?" in text
    bare = _without_ends(_unled(_CALLED.sub("", _LIST.sub("", text.split("?")[0])).strip(" .\"'")), names)
    if _ASKS.fullmatch(bare) is None:
        later = (_LATER if asks else _LATER_UNMARKED).search(bare)
        bare = _unled(later[1]) if later is not None else ""
    return bare


def _unled(bare: str) -> str:
    """Words without "so" and "may I ask" before them."""
    for _ in range(2):
        bare = _MAY_I.sub("", _BEFORE.sub("", bare))
    return bare


def _without_ends(bare: str, names: frozenset[str]) -> str:
    before = ""
    while bare != before:
        before, bare = bare, _BEHIND.sub("", bare)
        *rest, last = bare.rsplit(None, 1) or [""]
        if rest and last.lower() in names:
            bare = rest[0].rstrip(" ,")
    return bare
