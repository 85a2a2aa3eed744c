"""Is a clause a promise of peace, a request for one, or neither?

Peace is the promise that bots act on, so it is read strictly: a clause counts only in one of the forms below. A word that
refuses, ends, doubts or tells of the past, a second negation, or somebody else's name beside it makes it mere talk. What
is missed can be said more plainly; a promise that nobody made can't be taken back.
"""

from __future__ import annotations

import re
from enum import StrEnum

from negotiation.engine.diplomacy.geography import POWER_NAMES, POWERS
from negotiation.engine.diplomacy.press.promises import EVERYONE


class Act(StrEnum):
    """What a clause does about peace."""

    PROMISES = "promises"
    ASKS = "asks"


_SHORT = (
    ("’", "'"),
    (r"\bNAPs?\b", "pact"),
    (r"(?i)\bnon-?\s?aggression(?: (?:pact|treaty|agreement|deal))?\b", "pact"),
    (r"(?i)\b(?:peace|alliance) (?:pact|treaty|agreement|deal)\b", "pact"),
    (r"(?i)\bcan(?:'t|not)\b", "can not"),
    (r"(?i)\bwon'?t\b", "will not"),
    (r"(?i)\bshan'?t\b", "shall not"),
    (r"(?i)(?<=do|es|id|ld|re|as|is|ve|ad)n'?t\b", " not"),
    (r"(?i)'ll\b", " will"),
    (r"(?i)'m\b", " am"),
    (r"(?i)'re\b", " are"),
    (r"(?i)'d\b", " would"),
    (r"(?i)\blet us\b", "let's"),
    (r"(?i)\b(?:do not (?:worry|fear|be afraid)|no worries|have no fear)\b", ""),
)
_PART = re.compile(r"[:()–—]| - ")
_GREETING = re.compile(
    r"^(?>(?:(?:hi|hello|dear|hey|yes|ok|okay|good|fine|sure|deal|agreed|well|then|so|and|but|also|now|thanks|thank you|"
    r"sorry|addressee|friend|my friend|please note|(?:you have )?my (?:\w+ )?(?:word|promise|oath)|on my honou?r|"
    r"rest assured|be assured|trust me|believe me|that)\b[\s:]*)+)"
)
_BOTH = re.compile(r"\b(?:me and addressee|addressee and (?:me|i)|you and (?:i|me)|(?:me|i) and you)\b")
_REFUSES = re.compile(
    r"\b(?:refus\w*|reject\w*|declin\w*|den(?:y|ies|ied)|cancel\w*|revok\w*|terminat\w*|renounc\w*|abandon\w*|br[eo]k\w*|"
    r"break\w*|betray\w*|violat\w*|over|off|dead|(?<!the )end|ends|ended|ending|finished|impossible|void|worthless|"
    r"useless|longer|"
    r"instead|doubt\w*|pretend\w*|unlikely|maybe|perhaps|probably|might|may|rather|fool\w*|stupid\w*|joke\w*|kidding|"
    r"lie|lies|lied|lying|liar\w*|false|fake|so-called|regret\w*|tired|sick|enough|forget|hardly|yet|except|first|worth|"
    r"did|was|were|had|been|used to|ago|yesterday|last (?:year|turn|season|spring|fall)|"
    r"poor|bad|terrible|miserable|funny|strange|wrong|who|why|when|once|only|nobody|nothing)\b"
)
_UNSURE = re.compile(r"\b(?:would|could|should|hope|hopes|think|guess|want|wish|like|love|consider|try)\b")
_THIRD = re.compile(r"\b(?:he|him|his|she|her|they|them|their|against (?:you|us|me|addressee))\b")
_NEGATION = re.compile(r"\b(?:not|never|no|none|neither|without)\b")
_NAMES = "|".join(sorted({*map(str.lower, POWER_NAMES), *map(str.lower, POWERS)}))
_NAMED = re.compile(rf"(?<!against )\b({_NAMES})\b")

_STRIKES = (
    r"(?:(?:attack|invad|stab|harm|hurt|strik|touch|threaten)(?!\w*ed\b)\w*|"
    r"(?:mov|march|go|act|turn)(?:e|ing)? (?:against|on)\b|com(?:e|ing) after\b)"
)
_SWORN = (
    r"(?>(?:(?:i|we|both|will|shall|do|am|are|can|hereby|solemnly|really|certainly|surely|definitely|truly|simply|also|"
    r"promise|swear|pledge|vow|agree|guarantee|assure|undertake|intend|mean|plan|give|you|all|to|my|our|word|that|the|"
    r"arm(?:y|ies)|fleets?|units?|troops|forces|generals?|men|of us|have decided|commit|myself|on my \w+)\b\s*)*)"
)
_YOURS = (
    r"(?:you\b|your\b|yours\b|any(?:one|body)\b|any (?:of you|power|player)\b|each other\b|one another\b|to you\b|"
    r"all of you\b|addressee\b)"
)
_TIME = (
    r"(?:for|until|till|through|thru|in|this|next|the|a|an|one|two|three|four|five|\d+|years?|turns?|seasons?|phases?|"
    r"spring|fall|autumn|forever|always|all|game|now|ever|end|of|both|to|permanent|permanently|at least|today|either|again|"
    r"any ?more|here|again)"
)
_SPARES = re.compile(
    rf"^{_SWORN}(?:not|never|no|none of my \w+ will|none of us will)\s+"
    rf"(?>(?:(?:be|to|going|ever|planning|intend|plan)\s+)*){_STRIKES}\s*"
    rf"(?>(?:(?:on|by me|from me|against)\s+)*)(?:{_YOURS}|{_TIME}\b|$)"
)
_LEAVES = re.compile(
    rf"^{_SWORN}(?:leave|leaving) (?:you|your \w+|all of you|everyone|everybody)(?: and your \w+)? (?:alone|in peace)\b"
)
_AWAY = re.compile(
    rf"^{_SWORN}(?:stay|keep|remain|staying|keeping)(?: my \w+)? (?:away from|off|out of|clear of) "
    r"(?:you\b|your (?:\w+ )?(?:borders?|lands?|territor(?:y|ies)|centres?|centers?|country|home|homeland|"
    r"provinces|soil|waters))"
)
_RESPECTS = re.compile(
    rf"^{_SWORN}(?:respect|respecting) your (?:borders?|neutrality|territory|centres|centers)\b"
)
_PACT = r"(?:pact|peace|truce|ceasefire|armistice|alliance|ally|allies|friendship)"
_WITH = (
    rf"(?:between|us|with|you|to|and|me|i|all|everyone|everybody|friends?|friendship|it is|is agreed|agreed|then|ok|okay|"
    rf"my|our|{_TIME}|addressee|it|let|holds|stands|please)"
)
_BARE = re.compile(
    rf"^(?>(?:(?:a|an|the|full|permanent|lasting|mutual|formal|total|eternal|complete|year|long)\s+)*){_PACT}"
    rf"(?>(?:\s+(?:{_PACT}|{_WITH})\b)*)$"
)
_GIVES = re.compile(
    r"^(?:i|we)\s+(?>(?:(?:will|shall|am|are|do|hereby|gladly|happily|also|both|can|would be glad to|"
    r"happy to|glad to|ready to|to)\s+)*)"
    r"(?:offer|promise|pledge|swear|vow|give|grant|accept|agree|sign|confirm|keep|keeping|honou?r|respect|guarantee|ally|"
    r"allied|be|have|stay|remain|commit|stick|am|are|make|making|join|declare|conclude|renew|extend|stand|abide|uphold|"
    r"maintain|observe|offering|signing|accepting|enter|entering|at|in)?\s*"
    rf"(?>(?:(?:you|to|with|your|the|our|this|that|a|an|in|into|for|by|at|offer|proposal|of|and|my|everyone|all|everybody|"
    rf"full|permanent|lasting|mutual|formal|faithful|loyal|good|now|year|long|{_TIME})\s+)*){_PACT}\b"
)
_COUNT = re.compile(rf"^(?:(?:you can )?count on me|consider me) (?:as )?(?:an?|your) (?:\w+ )?{_PACT}\b")
_ASKS = re.compile(
    r"^(?:please\b|let's\b|shall (?:we|i)\b|(?:will|can|could|would) (?:you|we)\b|"
    r"(?:do|would) (?:you|we) (?:want|agree|accept|like|have|care)\b|"
    r"are (?:you|we) (?:interested|ready|willing|open|at|allies)|"
    r"should we|how about|what about|what do you say to|what do you think of|"
    r"i (?:(?:really|also|still|hereby|would|do)\s+)*(?:propose|suggest|want|wish|like|seek|ask|need|hope for|proposing|"
    r"request|"
    r"am (?:asking|proposing|looking))|"
    r"we (?:should|could|can|must|need|ought)\b|(?:sign|accept|agree to|join|make)\b)"
)
_SPARE_ME = re.compile(
    r"^(?:please |you (?:will|must|should|shall|promise|agree) |i (?:hope|ask|want|trust|beg|need|would like|expect) "
    r"(?:that )?(?:you )?"
    r"(?:will |to )?|(?:will|would|could|can|do) you (?:please )?(?:promise|agree|swear)?(?: to)? ?)?"
    rf"(?:do )?(?:not|never)(?: to)? {_STRIKES} (?:me|us|my|our|anyone|anybody|each other|one another)\b"
    r"|^(?:please |you (?:will|must|should|shall) )?(?:leave me alone|leave me in peace)\b"
)


def act_of_peace(clause: str, by: int, to: int, *, question: bool) -> Act | None:
    """What a clause, without the places and conditions in it, does about peace between ``by``, its writer, and ``to``."""
    parts = [_GREETING.sub("", _plain(part, by, to), count=1).strip() for part in _PART.split(clause)]
    whole = " ".join(parts)
    if _REFUSES.search(whole) or _NAMED.search(whole):
        return None
    return next((act for part in parts if (act := _act(part, question=question))), None)


def _act(body: str, *, question: bool) -> Act | None:
    if _SPARE_ME.match(body):
        return Act.ASKS
    negations = len(_NEGATION.findall(body))
    spares = negations == 1 and _SPARES.match(body)
    pledges = not negations and any(form.match(body) for form in (_LEAVES, _AWAY, _RESPECTS))
    if (spares or pledges) and not _UNSURE.search(body):
        return Act.ASKS if question else Act.PROMISES
    if negations or _THIRD.search(body) or not re.search(rf"\b{_PACT}\b", body):
        return None
    if _ASKS.match(body) or (question and (_BARE.match(body) or _GIVES.match(body))):
        return Act.ASKS
    if question or _UNSURE.search(body):
        return None
    return Act.PROMISES if any(form.match(body) for form in (_BARE, _GIVES, _COUNT)) else None


def _plain(clause: str, by: int, to: int) -> str:
    """Lower case, contractions opened, punctuation gone; writer and reader are called so."""
    for short, full in _SHORT:
        clause = re.sub(short, full, clause)
    words = " ".join(re.findall(r"[a-z0-9'-]+", clause.lower()))
    words = re.sub(rf"\b(?:{POWER_NAMES[by].lower()}|{POWERS[by].lower()})\b", "me", words)
    if to == EVERYONE:
        return words
    words = re.sub(rf"\b(?:{POWER_NAMES[to].lower()}|{POWERS[to].lower()})\b", "addressee", words)
    return _BOTH.sub("we", words)
