"""The condition that an offer hangs on ("176 if you sign this quarter"), as the other side says it back.

Only what it is said to hang on, never whether it is met: a condition in words binds nobody, and the answer says so.
"""

from __future__ import annotations

import re
from typing import Final

from negotiation.engine.deal.listening.cues import acts
from negotiation.engine.deal.listening.said_back import from_the_other_side, is_sayable
from negotiation.engine.deal.listening.sentences import Sentence, sentences_of

MOST_WORDS: Final = 14
"""A longer condition is answered without being said again."""
_FEWEST_WORDS: Final = 2
_NO_CONDITION: Final = (
    "what even ask know wonder see asked as grateful it glad nice helpful great curious sorry"
)
"""Words before an "if" that sets no condition: "grateful if", "appreciate it if", "what if"."""
_HANGS_ON: Final = re.compile(
    "".join(f"(?<!{word} )" for word in _NO_CONDITION.split())
    + r"\b(?:(?:but |and )?only )?(?:if|provided(?: that)?|providing(?: that)?|(?:as|so) long as"
    r"|(?<!\w )once(?= (?:you|we|i|it|the|that|this|they|he|she|your|our|my)\b)|(?<=[,;] )once"
    r"|once(?= [a-z]+ (?:has|have|is|are|signs?|approves?|agrees?)\b)"
    r"|assuming(?: that)?"
    r"|(?:on|under)(?: the)? condition(?: that)?|on the understanding(?: that)?|subject to"
    r"|in (?:return|exchange) for(?! (?:a|the|my|our) (?:price|figure|fee|rent|salary|number|sum)\b))\s+(?P<what>[^.;!?]+)",
    re.IGNORECASE,
)
_GIVES: Final = re.compile(
    r"\b(?:in (?:return|exchange)|for (?:that|it|this)|and|then),? (?:you|u)"
    r"(?:'d| would| will|'ll| may| can| could)?(?: also)? (?:have|get|keep|receive)\b"
    r"|\bin (?:return|exchange) for (?:a|the|my|our) (?:price|figure|fee|rent|salary|number|sum)\b",
    re.IGNORECASE,
)
"""What comes with an offer, and asks for nothing: "12 million, and in return you may have the full warranty"."""
_GIFT: Final = re.compile(
    r"^(?:we|i)\b.*\b(?:ourselves|myself|at no (?:extra )?(?:charge|cost)|for (?:free|nothing)"
    r"|free of charge|on us|on the house|at (?:our|my) (?:own )?(?:cost|expense))\b",
    re.IGNORECASE,
)
"""What its speaker would do, and not wait for: "130, if we train the night shift ourselves"."""
_BOTH: Final = re.compile(
    r"^we (?:can |could |both |all )*(?:sign|close|agree|settle|shake|meet|finish|start|find|come to)\b"
    r"(?!.*\b(?:you|your|our|us)\b)",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(r"\d")
_ADDED: Final = re.compile(
    r"\d[\d.,]*\s?(?:k|m|million|thousand)?\b[^.;!?]{0,30}?,?\s(?:and|but) "
    r"(?P<what>you(?:'d| would| will|'ll)?(?: have to)? (?:give|pay|take|add|throw|include|let|sign|drop|cover|start|leave"
    r"|fit|bring|do|keep|make|train|build|put|send|deliver|help|show|cap|waive|carry|handle|commit|agree|allow)\b[^.;!?]+)",
    re.IGNORECASE,
)
"""A demand laid beside a figure: "160 and you give us a reference call"."""
_ENDS: Final = re.compile(
    r",? \b(?:then )?(?:i|we)(?:'d|'ll|'m|'re| could| can| would| will| am| are| might| may| shall)\b.*"
    r"|,? \b(?:deal|done|agreed|ok|okay|how about that|that's|that is|take it|what do you say)\b.*"
    r"|,? \b(?:then )?(?:would|could|can|will|might) (?:you|u)\b.*"
    r"|,? \b(?:is|are) (?:yours|fine|ok|okay|possible|doable|on the table)\b.*"
    r"|, (?=[$€£]?\d).*|[ ,:]+$",
    re.IGNORECASE,
)
_HYPOTHESIS: Final = re.compile(
    r"^(?:you|it|that|this|we|i)(?:'d|'s|'re|'ve| do| don't| would| are| were| have|)? ?"
    r"(?:like|hear|what|want|ask|think|know|mind|wish|remember|prefer|see|look|mean|must|insist|were|there|possible|necessary"
    r"|not|don't|can't|cannot|won't|ever)\b|^you got\b",
    re.IGNORECASE,
)
"""Words behind "if" that set no condition: "if you like", "if that is what you want"."""
_ELLIPSIS: Final = re.compile(
    r"^(?:it|that|this|they|you|we|i|he|she|so|not|one) (?:really |then )?"
    r"(?:does|do|did|is|are|was|were|can|could|will|would|has|have|works?|helps?|happens?|fits?|suits?)"
    r"(?: so| that| it| too| then| not)?$",
    re.IGNORECASE,
)
"""Words behind "if" that say nothing without the sentence before them: "if it does", "if you can"."""


def condition_of(text: str, *, alone: bool = False) -> str:
    """What a message makes its offer hang on, said from the other side; empty where it names nothing that can be said back.

    Args:
        alone: whether who hears it speaks for nobody else: "if you start in March" is "I start in March" then.
    """
    for sentence in sentences_of(text):
        found = _HANGS_ON.search(sentence.quote) or _ADDED.search(sentence.quote)
        if found is None or (_asks(sentence) and _FIGURE.search(sentence.quote) is None):
            continue  # "would you ..., in return for a better price?" asks, and offers nothing
        bare = _ENDS.sub("", found["what"].replace("\u2019", "'")).strip(" ,:")
        if _GIFT.search(bare) is None and _can_hang_on(bare) and is_sayable(bare):
            both = _BOTH.match(bare)  # what both would do stays "we"
            return bare if both is not None else from_the_other_side(bare, alone=alone)
    return ""


def only_gives(text: str) -> bool:
    """Whether a message says what its hearer would get, and lays down no condition."""
    return _GIVES.search(text) is not None and not condition_of(text) and _HANGS_ON.search(text) is None


def _asks(sentence: Sentence) -> bool:
    return sentence.asks or acts().hears("question", sentence.plain)


def _can_hang_on(bare: str) -> bool:
    if not _FEWEST_WORDS <= len(bare.split()) <= MOST_WORDS:
        return False
    return _HYPOTHESIS.match(bare) is None and _ELLIPSIS.match(bare) is None
