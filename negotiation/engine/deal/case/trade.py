"""The questions that recur in any talk about a deal: a closed list, and the topics on which each may have been heard.

What a seat says to them is its author's (``[seat.asked]`` in a case file): no secret and no favour, like its ``answers``,
and the same whatever a game drew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from negotiation.engine.deal.case.acts import Asked, Topic
from negotiation.engine.deal.case.choice import Choice

COVERS: Final[Mapping[str, frozenset[Topic]]] = {
    "greeting": frozenset(("people",)),
    "late": frozenset(("risk", "timeline", "pain", "rollout", "legal", "support")),
    "renewal": frozenset(("legal", "basis", "growth", "payment", "budget", "timeline")),
    "show": frozenset(("references", "measure", "people", "relationship")),
    "hours": frozenset(("rollout", "people", "support", "interests")),
    "why_now": frozenset(("pain", "interests", "timeline", "incumbent", "scope", "people")),
    "waiting": frozenset(("incumbent", "pain", "risk", "timeline", "interests")),
    "no_deal": frozenset(("alternative", "risk", "timeline", "incumbent")),
    "steps": frozenset(("authority", "timeline", "legal", "rollout", "growth", "roadmap")),
    "start": frozenset(("timeline", "rollout")),
    "success": frozenset(("measure", "interests", "growth", "timeline")),
    "first": frozenset(("rollout", "timeline", "measure", "interests")),
    "company": frozenset(("scope", "people", "interests")),
    "clients": frozenset(("references", "people", "relationship", "alternative")),
    "you": frozenset(("people", "relationship", "authority", "timeline")),
    "matters": frozenset(("interests", "measure", "risk", "budget", "basis")),
    "moves": frozenset(("interests", "budget", "basis", "risk", "alternative")),
    "give": frozenset(("interests", "scope", "budget", "basis", "payment")),
    "why_us": frozenset(("interests", "references", "alternative", "people", "relationship")),
    "left": frozenset(("relationship", "people", "references", "incumbent", "pain")),
    "later": frozenset(("growth", "relationship", "timeline", "interests", "roadmap", "incumbent")),
    "after_me": frozenset(("growth", "interests", "people", "timeline", "roadmap")),
    "day": frozenset(("incumbent", "scope", "integration", "pain", "people")),
    "people_say": frozenset(("people", "references", "pain", "interests")),
    "against": frozenset(("people", "authority", "risk")),
    "tried": frozenset(("incumbent", "alternative", "pain", "relationship")),
    "trust": frozenset(("references", "relationship", "risk")),
    "cost": frozenset(("pain", "budget", "basis", "measure", "risk")),
    "included": frozenset(("scope", "support", "basis", "payment")),
    "care": frozenset(("measure", "risk", "support", "security", "pain")),
    "standing": frozenset(("budget", "risk", "people", "authority", "growth")),
    "hardest": frozenset(("pain", "risk", "interests", "basis", "budget")),
    "say": frozenset(("authority", "people", "scope")),
    "shares": frozenset(("growth", "legal", "payment", "scope")),
}
"""Every such question, with the topics that its words may also seem to be about."""


@dataclass(frozen=True, slots=True)
class TradeQuestions:
    """The questions of any trade in a message, in its order; ``alone`` says that it asks nothing else; ``choice`` is what
    it puts side by side."""

    found: tuple[str, ...] = ()
    alone: bool = True
    choice: Choice | None = None
    likely: tuple[str, ...] = ()
    """The two labels that it may ask for, the likelier first, where nothing may be heard for sure."""

    reason: str = ""
    """The id of the hearer's own reason that it names; empty for none."""
    particulars: tuple[tuple[str, str], ...] = ()
    """The particulars that answer questions of the message, by their ids, each with what the question asks for besides."""
    particular_alone: bool = False
    """Whether it asks nothing else."""

    def as_heard(self, asked: Asked) -> TradeQuestions:
        """The same with what two readers heard in each question. One that a particular answers is not one of any trade."""
        ids = asked.particulars or ("",) * len(asked.labels)
        heard = list(zip(asked.labels, ids, strict=True))
        answered = {label for label, id_ in heard if id_ and label in COVERS}
        others = [label for label, id_ in heard if not id_ and label not in answered]
        return replace(
            self,
            found=tuple(dict.fromkeys(each for each in others if each in COVERS)),
            alone=all(each in COVERS for each in others),
            particulars=tuple((id_, label) for label, id_ in heard if id_),
            particular_alone=not others,
        )


NOTHING_ASKED: Final = TradeQuestions()
