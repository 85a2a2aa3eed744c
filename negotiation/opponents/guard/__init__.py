"""The checker between a model and the player: what it says must be decided, public, English and decent.

``check`` reads a whole line, ``StreamGuard`` lets one through as it comes. Pure: text and facts in, objections in
words out.
"""

from negotiation.opponents.guard.checker import check, load_rules, tidy
from negotiation.opponents.guard.facts import Facts
from negotiation.opponents.guard.objections import Objection
from negotiation.opponents.guard.own_words import facts_of_own, objections
from negotiation.opponents.guard.stream import Refused, StreamGuard

__all__ = [
    "Facts",
    "Objection",
    "Refused",
    "StreamGuard",
    "check",
    "facts_of_own",
    "load_rules",
    "objections",
    "tidy",
]
