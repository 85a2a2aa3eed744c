"""A question that puts two things side by side, "is it the price or the name?", and which of them is the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from negotiation.engine.deal.case.acts import Topic
from negotiation.engine.deal.case.declared import Objection, SeatCase
from negotiation.engine.language.types import Answer

FIGURE: Final = "figure"
THE_FIGURE: Final = "the figure"
_OF_MONEY: Final[frozenset[Topic]] = frozenset(("basis", "budget", "payment"))
"""Topics on which a worry is one about the figure."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One of two things: the figure, a term by the id of its issue, or a topic. ``called`` is a noun for it."""

    kind: Literal["figure", "term", "topic"]
    name: str
    called: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Two things side by side, ``None`` for what was not understood; ``trouble`` says that it was asked which of them
    stands in the way, and not which counts for more."""

    one: Subject | None
    other: Subject | None
    trouble: bool

    @property
    def known(self) -> tuple[Subject, ...]:
        return tuple(each for each in (self.one, self.other) if each is not None)


def chosen(
    choice: Choice, side: SeatCase, still_open: Sequence[Objection], fresh: Callable[[str], bool]
) -> Answer | None:
    """What is answered to a choice: the thing on which something was raised, else neither and what was raised, else what
    anybody may know of both. It tells nothing that was not raised, and nothing of what a game drew.

    Args:
        still_open: what was raised and nothing answers yet.
        fresh: whether a clause has not been said.
    """
    for subject in choice.known:
        raised = next((each for each in still_open if _is_about(each, subject)), None)
        if raised is not None:
            return Answer("either", raised.says, subject.called)
    if choice.trouble and still_open:
        return Answer("neither", still_open[0].says)
    clauses = [(each, _clause(each, side)) for each in choice.known]
    said = [(each, clause) for each, clause in clauses if clause and fresh(clause)]
    if len(said) == len(choice.known) == 2:
        (_, first), (_, second) = said
        return Answer("both", first, point=second)
    figure = next((each for each in choice.known if each.kind == FIGURE), None)
    if figure is not None and choice.trouble:
        return Answer("either", topic=figure.called)
    if said:
        subject, clause = said[0]
        return Answer("either", clause, subject.called)
    return None


def _is_about(objection: Objection, subject: Subject) -> bool:
    if subject.kind == FIGURE:
        return objection.topic in _OF_MONEY
    return objection.topic == subject.name


def _clause(subject: Subject, side: SeatCase) -> str:
    """What anybody may know of one of the two."""
    if subject.kind == "term":
        return side.terms.get(subject.name, "")
    return side.answers.get("budget", "") if subject.kind == FIGURE else ""
