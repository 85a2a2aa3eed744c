"""What is answered to the questions of any trade: the seat's own clause, in place of what their words seemed to be about."""

from __future__ import annotations

from typing import Final

from negotiation.engine.deal.case.choice import THE_FIGURE
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.deal.case.trade import COVERS, TradeQuestions
from negotiation.engine.deal.case.worries import Worries
from negotiation.engine.language.types import Answer

BESIDE_THE_QUESTION: Final = frozenset(
    ("declined", "unknown", "known", "again", "tired", "wide", "no_more", "no_sum", "detail", "guarded")
)
"""Answers to the topic of a question that was one of the trade: who asks that wants its own answer."""
_HARDEST: Final = "hardest"
_NAMES_A_WORRY: Final = frozenset(("detail", "again", "told", "confided", "traded"))
_AFTER_A_WORRY: Final = frozenset(("moves",))
"""Questions of the trade that what holds it back answers as well."""


def with_trade(found: list[Answer], asked: TradeQuestions, side: SeatCase, worries: Worries) -> list[Answer]:
    """The answers with those to the questions of any trade, which stand in for what their words seemed to be about; a
    fact that was told on it is the better answer."""
    for question in reversed(asked.found):
        covered = {SPOKEN_TOPICS[topic] for topic in COVERS[question]}
        if question == _HARDEST:
            found = _hardest(found, worries)
            continue
        said = side.asked.get(question, ())
        fresh = next((each for each in said if each not in worries.detailed), "")
        if not fresh:
            if said and not found:
                found = [Answer("again", said[-1])]
            continue
        beside = BESIDE_THE_QUESTION
        if question in _AFTER_A_WORRY:
            beside = beside - {"detail"}
        found = [
            each for each in found if each.kind not in beside or not (asked.alone or each.topic in covered)
        ]
        if question == "greeting":
            found = [Answer("greeted", fresh), *(each for each in found if each.kind != "chatted")]
            continue
        first = [each for each in found if each.kind in ("chatted", "greeted")]
        rest = [each for each in found if each not in first]
        found = [*first, Answer("openly", fresh), *rest]
    return found


def _hardest(found: list[Answer], worries: Worries) -> list[Answer]:
    """Asked what stands most in the way, it says what it has raised, and the figure where it has raised nothing."""
    worries_open = {each.says for each in worries.open()}
    if any(
        each.kind in _NAMES_A_WORRY and (each.kind != "again" or each.fact in worries_open) for each in found
    ):
        return found
    worst = worries.answer(worries.open()[0]) if worries.open() else Answer("either", topic=THE_FIGURE)
    return [worst, *(each for each in found if each.kind not in BESIDE_THE_QUESTION)]
