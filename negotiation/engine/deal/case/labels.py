"""Acts and topics in plain words, and the question that opens each topic: for whoever reads or asks, never for the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from negotiation.engine.deal.case.acts import Act, Topic
from negotiation.engine.deal.types import Seat

ACT_WORDS: Final[Mapping[Act, str]] = {
    "ask_open": "asks about {topic}",
    "ask_closed": "asks whether, about {topic}",
    "ask_problem": "asks what is hard about {topic}",
    "follow_up": "asks on about {topic}",
    "isolate": "asks what else is open",
    "ask_proof": "asks to see proof",
    "label": "names what they feel about {topic}",
    "mirror": "repeats their words on {topic}",
    "summarise": "sums up {topic}",
    "argue": "gives a reason on {topic}",
    "prove": "shows proof on {topic}",
    "refer": "points to others on {topic}",
    "answer": "answers on {topic}",
    "trade": "trades one thing for another",
    "reasoned_step": "gives a reason for the step",
    "constraint": "names what ties your hands",
    "disparage": "talks down what they offer",
    "disclose": "tells something of yours on {topic}",
    "apologise": "apologises",
    "withdraw": "takes your offer back",
    "ultimatum": "sets an ultimatum",
    "stall": "plays for time",
    "small_talk": "makes small talk",
    "flatter": "flatters",
    "nibble": "asks for a little on top",
    "deflect": "turns a question back",
}
"""What a sentence does, as "I understood" and the debrief say it; ``{topic}`` is a word of ``TOPIC_WORDS``."""
TOPIC_WORDS: Final[Mapping[Topic, str]] = {
    "pain": "today's troubles",
    "interests": "what it is for",
    "measure": "how success is measured",
    "authority": "who decides",
    "people": "the people behind it",
    "timeline": "timing",
    "budget": "the money behind it",
    "alternative": "alternatives",
    "incumbent": "what is in place today",
    "integration": "what it must fit",
    "security": "security",
    "legal": "the contract",
    "rollout": "the roll-out",
    "references": "references",
    "support": "support",
    "risk": "risk",
    "roadmap": "what is planned",
    "relationship": "earlier dealings",
    "scope": "scope",
    "payment": "payment",
    "basis": "how the figure comes about",
    "growth": "what comes next",
}
SPOKEN_TOPICS: Final[Mapping[Topic, str]] = {
    "pain": "the troubles we have",
    "interests": "the reasons behind it",
    "measure": "the yardstick",
    "authority": "the approvals",
    "people": "the people behind it",
    "timeline": "the timing",
    "budget": "the money behind it",
    "alternative": "the alternatives",
    "incumbent": "the present set-up",
    "integration": "the systems around it",
    "security": "security",
    "legal": "the contract",
    "rollout": "the roll-out",
    "references": "other customers",
    "support": "support",
    "risk": "the worries",
    "roadmap": "the plans",
    "relationship": "the past",
    "scope": "the scope",
    "payment": "payment",
    "basis": "the figures behind it",
    "growth": "the time after this",
}
"""A topic as a persona calls it: a noun that fits "about {topic}" and "keep {topic} to myself"."""
SPOKEN_QUESTIONS: Final[Mapping[str, str]] = {
    "greeting": "how I am",
    "late": "a date that slips",
    "renewal": "what the price does later",
    "show": "a look at it",
    "hours": "the hours",
    "why_now": "why now",
    "waiting": "leaving it all as it is",
    "no_deal": "what I do without a deal",
    "steps": "the way to a signature",
    "start": "the start",
    "success": "what a success would be",
    "first": "the first weeks",
    "company": "who we are",
    "clients": "whom we work for",
    "you": "my own story",
    "matters": "what matters most to me",
    "moves": "what would move me",
    "give": "what else I could offer",
    "why_us": "why I talk to you",
    "left": "why the last one left",
    "later": "the long run",
    "after_me": "what comes afterwards",
    "day": "an ordinary day",
    "people_say": "what people here say",
    "against": "who is against it",
    "tried": "what was tried before",
    "trust": "whether you can rely on it",
    "cost": "what it costs us today",
    "included": "what is in the figure",
    "care": "the care we take",
    "standing": "how we stand",
    "hardest": "the sticking point",
    "say": "how free a hand you would have",
    "shares": "the shares",
}
"""A question of any trade (``trade.COVERS``) as a persona calls it: it fits where a topic does."""
_OF_A_BUYER: Final[Mapping[Topic, str]] = {
    "pain": "What goes wrong today?",
    "timeline": "What drives your timing?",
    "measure": "How will you know that it worked?",
    "alternative": "Who else are you talking to?",
    "authority": "Who signs this on your side?",
    "incumbent": "What are you running today?",
    "people": "Who on your side is for it, and who is against?",
    "budget": "Where does the money for this come from?",
    "integration": "Which systems must it integrate with?",
    "rollout": "Who will be trained on it?",
    "support": "What kind of support do you need?",
    "relationship": "How did it go with your last supplier?",
    "risk": "What worries you most about this?",
    "legal": "Which clause of the contract is open?",
    "growth": "How do you expect this to grow?",
}
_OF_A_SELLER: Final[Mapping[Topic, str]] = {
    "timeline": "What drives your timing?",
    "alternative": "Who else is interested?",
    "authority": "Who has to agree on your side?",
    "basis": "How did you arrive at that figure?",
    "support": "Who answers when something breaks?",
    "references": "Who else uses this?",
    "payment": "Which payment terms do you need?",
    "growth": "How do you expect this to grow?",
    "rollout": "Who would do the implementation?",
    "roadmap": "What is on your roadmap?",
    "risk": "What worries you most about this?",
    "incumbent": "What do your customers use today?",
    "relationship": "How was your last supplier relationship?",
    "legal": "Which clause of the contract is open?",
    "integration": "Which systems does it integrate with?",
}
OPENING_QUESTIONS: Final[Mapping[Seat, Mapping[Topic, str]]] = {
    "seller": _OF_A_SELLER,
    "buyer": _OF_A_BUYER,
}
"""For the seat that is asked, topic to the question that opens it, the usual order first.

They are the questions of the trade and the same in every deal: which of them lead anywhere is for the player to find out.
"""


def spoken(label: str) -> str:
    """A topic or a question of any trade as a persona calls it."""
    return SPOKEN_QUESTIONS.get(label) or SPOKEN_TOPICS[cast("Topic", label)]
