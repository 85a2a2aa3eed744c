"""What can be done with words: the closed lists of acts and topics, and what an act earns or costs by itself.

Acts and their evidence: Thompson 1991, Schweitzer & Croson 1999, Minson et al. 2018, Huang et al. 2017 (questions);
Yu et al. 2021, Maddux et al. 2008 (labels, mirrors); Maaravi et al. 2011 (arguments); Lee & Ames 2017 (constraints);
Gino & Moore 2008 (own deadlines); Kim et al. 2004 (apologies); Sinaceur & Neale 2005 (ultimatums).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, cast, get_args

Act = Literal[
    "ask_open",
    "ask_closed",
    "ask_problem",
    "follow_up",
    "isolate",
    "ask_proof",
    "label",
    "mirror",
    "summarise",
    "argue",
    "prove",
    "refer",
    "answer",
    "trade",
    "reasoned_step",
    "constraint",
    "disparage",
    "disclose",
    "apologise",
    "withdraw",
    "ultimatum",
    "stall",
    "small_talk",
    "flatter",
    "nibble",
    "deflect",
]
Topic = Literal[
    "pain",
    "interests",
    "measure",
    "authority",
    "people",
    "timeline",
    "budget",
    "alternative",
    "incumbent",
    "integration",
    "security",
    "legal",
    "rollout",
    "references",
    "support",
    "risk",
    "roadmap",
    "relationship",
    "scope",
    "payment",
    "basis",
    "growth",
]
ACTS: Final = cast("tuple[Act, ...]", get_args(Act))
TOPICS: Final = cast("tuple[Topic, ...]", get_args(Topic))


@dataclass(frozen=True, slots=True)
class Talk:
    """One thing done with words.

    ``id`` names something of the speaker's own sheet (an argument, a claim, a fact told), or the fact of the other
    side's that a closed question, or a request for proof, is about; of a question that asks on, the fact that was told
    or the objection that was raised.
    """

    act: Act
    topic: Topic | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What the questions of a message ask for, as two readers heard them.

    Attributes:
        labels: one a question, in their order: a topic, a question of any trade (``trade.COVERS``), or another word for
            what no clause answers.
        likely: two labels that one of them may ask for, the likelier first, where nothing may be heard for sure.
        stands_out: whether of the likelier of the two something may be said.
        left: the places of the questions that nobody understood: who has no answer says one of them back.
        particulars: one a question, in the order of ``labels``: the id of the particular that answers it, empty for none;
            nothing at all where no question has one.
    """

    labels: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()
    stands_out: bool = False
    left: tuple[int, ...] = ()
    particulars: tuple[str, ...] = field(default=(), metadata={"left_out_when_empty": True})


QUESTIONS: Final[dict[Act, int]] = {
    "ask_closed": 1,
    "ask_open": 2,
    "follow_up": 2,
    "isolate": 2,
    "ask_problem": 3,
}
"""Questions, with the points that each brings towards an answer."""
ON_A_TOPIC: Final[frozenset[Act]] = frozenset(
    ("ask_open", "ask_closed", "ask_problem", "follow_up", "label", "mirror", "summarise")
)
"""Acts that are about a topic, and say nothing without one."""
WITH_REASONS: Final[frozenset[Act]] = frozenset(("argue", "prove", "refer", "answer"))
"""Acts that put an argument of the speaker's own sheet, and name it."""
DEEPENS: Final[frozenset[Act]] = frozenset(("label", "mirror", "summarise"))
"""What makes people say more of a thing they have begun to tell."""

TRUST: Final[dict[Act, float]] = {
    "ask_open": 0.08,
    "ask_closed": 0.03,
    "follow_up": 0.06,
    "label": 0.11,
    "mirror": 0.04,
    "summarise": 0.08,
    "constraint": 0.02,
    "disparage": -0.05,
    "disclose": 0.06,
    "withdraw": -0.15,
}
"""Change of trust by an act; a repeat of a kind one earns ``trust.WEARS_OFF`` of the last."""
SMALL_TALK: Final = 0.03
"""Once, and nothing to the aggressive."""
FLATTERY, FLATTERY_AGAIN = 0.02, -0.03
"""Liked the first time; the second time the motive shows (Gordon 1996)."""
THIRD_TIME: Final = -0.03
"""Asking the same for the third time, after it was told."""
BLIND: Final = -0.05
"""An argument to somebody who has said nothing of the kind."""
FOUND_FALSE: Final = -0.30
"""A claim that one may not make, found out."""
HEAT: Final[dict[Act, str]] = {
    "ask_open": "question",
    "ask_closed": "question",
    "ask_problem": "question",
    "follow_up": "question",
    "isolate": "question",
    "ask_proof": "question",
    "label": "empathy",
    "disparage": "disparage",
    "ultimatum": "threat",
    "nibble": "nibble",
}
"""What the table's tension hears in an act (``tension.PLAYER_HEAT``)."""
PAID_BY_ANSWERS: Final = frozenset(("question", "empathy"))
"""Acts that earn no trust by themselves where there is a case: there, what they bring to light does."""


def acts_heard(talk: Iterable[Talk]) -> set[str]:
    """What the table hears in the words of a move: questions, kindness, threats."""
    return {HEAT[each.act] for each in talk if each.act in HEAT}
