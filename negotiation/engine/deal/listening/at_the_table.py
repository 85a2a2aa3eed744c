"""Questions about the talk itself: a headline, a figure that went back, whether a wish is a rule, or
whether something would help.

No case answers them; what lies on the table does.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from negotiation.engine.deal.listening.cues import Cues, acts
from negotiation.engine.deal.listening.sentences import Sentence, sentences_of

HEADLINE, WENT_BACK, FIRM, SUPPOSE, SCOFF = "headline", "went_back", "firm", "suppose", "scoff"
ASSURE: Final = "assure"
"""Whether they would vouch for something."""
MIDDLE: Final = "middle"
"""Whether they would go half-way."""
CONFIDES: Final = "confides"
"""No question: what matters to who speaks, in so many words."""
DECIDES: Final = "decides"
HEARD_ME: Final = "heard_me"
RULED_OUT: Final = "ruled_out"
"""Whether something of the player's stands in the way for good."""
WHY_SO: Final = "why_so"
"""What a term is for, or who carries it."""
MISHEARD: Final = "misheard"
"""That something was answered that nobody asked."""
WISHES: Final = "wishes"
PRICE: Final = "price"
"""What their figure is: who names it in the same breath has answered."""
PLAIN: Final = "plain"
"""A question of so many words that nobody need ask for it again."""
PLAIN_FROM: Final = 5
POINTS: Final = "points"
"""Such a question that points at something said before."""
WITHOUT_SUBJECT: Final = frozenset((PLAIN, POINTS, WHY_SO, FIRM))
"""What is heard of a question that leaves open what it is about."""
_POINTING: Final = frozenset(("that", "this", "it", "its", "there", "then", "they", "them", "those", "these"))


@cache
def cues() -> Cues:
    """What such a question is about."""
    return Cues("at_the_table.toml")


def asked_of_the_table(text: str) -> frozenset[str]:
    """What of the table itself a message asks about or complains of."""
    return frozenset(about for sentence in sentences_of(text) for about in _about(sentence))


def _about(sentence: Sentence) -> frozenset[str]:
    asks = acts().hears("question", sentence.plain)
    plain = f"{sentence.plain} ?" if asks and not sentence.asks else sentence.plain
    found = {label for label in cues().labels if cues().hears(label, plain)}
    if asks:
        found.discard(CONFIDES)
    else:
        found &= {WENT_BACK, HEADLINE, HEARD_ME, CONFIDES, MISHEARD}
    if asks and SCOFF not in found and len(sentence.spoken.split()) >= PLAIN_FROM:
        found.add(PLAIN)
        if _POINTING.intersection(sentence.plain.split()):
            found.add(POINTS)
    return frozenset(found)
