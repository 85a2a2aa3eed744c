"""What the words of a move are heard to say at one table, beside what they do to its case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from negotiation.engine.deal.answers import Heard
from negotiation.engine.deal.case.labels import spoken
from negotiation.engine.deal.case.play import CasePlay
from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.deal.conduct import Conduct
from negotiation.engine.deal.listening import (
    asked_of_the_table,
    condition_of,
    echoed,
    likely_subjects,
    of_the_trade,
    only_gives,
    pitched,
    questions_of,
    stands_out,
    with_marks,
)
from negotiation.engine.deal.listening.at_the_table import PLAIN, PRICE, WITHOUT_SUBJECT
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, Action, Seat
from negotiation.engine.language import Reading, named_terms


class Utterance:
    """The words of one move of the player's.

    Args:
        seat: the player's.
        persona: who hears them.
        case: what there is to talk about; ``None`` where there is nothing.
    """

    def __init__(
        self, action: Action, scenario: Scenario, seat: Seat, persona: Persona, case: CasePlay | None
    ) -> None:
        self._action, self._text = action, action.text
        self._scenario, self._seat, self._persona, self._case = scenario, seat, persona, case
        self._alone = scenario.setting == "job" and seat == "buyer"
        self._terms = scenario.terms_asked(self._text if case is None else with_marks(self._text))
        self._table = frozenset[str]() if case is None else asked_of_the_table(self._text)

    def heard(self, conduct: Conduct, reading: Reading | None) -> Heard:
        """The move as the other side takes it."""
        said, without_case = self._text, self._case is None
        return Heard(
            conduct,
            reading,
            1 + len(self._action.alternatives),
            asked=self._terms,
            named=named_terms(said, self._scenario.option_names) if self._scenario.issues else {},
            table=self._table,
            condition="" if without_case else condition_of(said, alone=self._alone),
            trades=any(each.act == "trade" for each in self._action.talk) and not only_gives(said),
            likely=tuple(spoken(each) for each in self._likely),
            left=self._said_back(() if self._action.asked is None else self._action.asked.left),
            last=self._said_back(range(len(self._questions))),
        )

    def trade(self, case: CasePlay) -> TradeQuestions:
        """The questions of any trade in them, and what else of them is asked of a case."""
        asked = self._action.asked
        sides = case.case.seats
        reason = pitched(self._text, speaker=sides[self._seat], listener=sides[OTHER_SEAT[self._seat]])
        trade = of_the_trade(self._text, {issue.id: issue.title for issue in self._scenario.issues})
        if asked is not None:
            trade = trade.as_heard(asked)
        plainly = stands_out(self._text) if asked is None else asked.stands_out
        return replace(trade, likely=self._likely if plainly else (), reason=reason)

    @cached_property
    def _likely(self) -> tuple[str, ...]:
        """What a question that was not understood may be about, where nothing may be heard for sure."""
        guessed = self._case is not None and PLAIN in self._table and self._table <= WITHOUT_SUBJECT
        if not guessed or self._terms or self._action.offer is not None:
            return ()
        asked = self._action.asked
        return likely_subjects(self._text) if asked is None else asked.likely

    @cached_property
    def _questions(self) -> list[str]:
        return [each.sentence.quote for each in questions_of(self._text)]

    def _said_back(self, places: Sequence[int]) -> str | None:
        """Of the questions at these places the last that the persona can say back, empty where none can; ``None`` where
        there is none, where its figure answers it, or where only one reader listened."""
        if self._case is None or self._action.asked is None or PRICE in self._table:
            return None
        names = frozenset(self._persona.name.lower().split())
        offers = self._action.offer is not None
        said = [
            echoed(self._questions[at], names=names, alone=self._alone, beside_an_offer=offers)
            for at in reversed(places)
            if at < len(self._questions)
        ]
        heard = [each for each in said if each is not None]
        return next(filter(None, heard), "" if heard else None)
