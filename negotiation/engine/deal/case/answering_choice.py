"""What is answered to who puts two things side by side, beside the other answers to the same message."""

from __future__ import annotations

from typing import Final

from negotiation.engine.deal.case.answering_trade import BESIDE_THE_QUESTION
from negotiation.engine.deal.case.choice import chosen
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.deal.case.worries import Worries
from negotiation.engine.language.types import Answer

TELLS_A_FACT: Final = frozenset(("told", "confided", "traded", "shown"))


def with_choice(found: list[Answer], asked: TradeQuestions, side: SeatCase, worries: Worries) -> list[Answer]:
    """Of two things that were put side by side, one is the answer, or both are, or what else it is; a fact that was
    told, and what a question of the trade is answered, stand without it."""
    choice = asked.choice
    stands = TELLS_A_FACT if "matters" in asked.found else TELLS_A_FACT | {"openly"}
    if choice is None:
        return found
    weighs = [] if choice.trouble or any(each.kind == "openly" for each in found) else _matters(side, worries)
    if any(each.kind in stands for each in found):
        return [*weighs, *found]
    answer = chosen(choice, side, worries.open(), lambda clause: clause not in worries.detailed)
    if answer is None:
        return [*weighs, *(each for each in found if not weighs or each.kind not in BESIDE_THE_QUESTION)]
    return [answer, *(each for each in found if each.kind not in BESIDE_THE_QUESTION | {"openly"})]


def _matters(side: SeatCase, worries: Worries) -> list[Answer]:
    """What counts for it beside the figure, where it has not said so yet."""
    said = (each for each in side.asked.get("matters", ()) if each not in worries.detailed)
    return [Answer("openly", each) for each in said][:1]
