"""Strategies for a table with a case: one that finds out, answers and tells, and the same pacing without a word.

Both know the scenario and its case as anybody can who has read them, never what a game has drawn of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from negotiation.engine.deal.case.acts import Talk, Topic
from negotiation.engine.deal.case.checks import MOST_TALK
from negotiation.engine.deal.case.declared import Fact, SeatCase
from negotiation.engine.deal.case.drawn import ADVERSE
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.expert import Expert
from negotiation.engine.deal.types import OTHER_SEAT, Action, Observation

_GUARDED: Final = 2
"""From this guard on it asks in the way that takes the problem for granted."""
_ISOLATES_FROM: Final = 4
"""It asks what else is open once there has been time to earn some trust."""


class SilentDiscoverer(Expert):
    """The expert's pacing at a table with a case, without a word: the yardstick of what words are worth."""

    def _words(self, seen: Observation) -> str:
        return ""


class SpokenPart:
    """Tells something of its own, asks topic by topic, asks what else is open, and argues only on what it has heard."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: dict[Topic, int] = {}
        self._argued: set[tuple[str, str]] = set()
        self._disclosed: set[str] = set()

    def talk(self, seen: Observation) -> tuple[Talk, ...]:
        """What it says on this turn; nothing where there is no case."""
        case = cases().get(seen.scenario)
        if seen.sheet is None or case is None:
            return ()
        own, theirs = case.seats[seen.seat], case.seats[OTHER_SEAT[seen.seat]]
        talk = (*self._disclose(seen, own), *self._ask(seen, theirs), *self._argue(seen, own, theirs))
        return talk[:MOST_TALK]

    def _disclose(self, seen: Observation, own: SeatCase) -> tuple[Talk, ...]:
        """One own fact that does no harm: on its needs first, so that the other side can meet them."""
        if seen.sheet is None:
            return ()
        left = [
            (fact, each)
            for fact, each in zip(own.facts, seen.sheet.facts, strict=True)
            if fact.id not in self._disclosed and not (fact.value and each.high == ADVERSE[fact.value])
        ]
        if not left:
            return ()
        fact, _ = min(left, key=lambda pair: (not pair[0].need, pair[0].guard))
        self._disclosed.add(fact.id)
        return (Talk("disclose", fact.topic, fact.id),)

    def _ask(self, seen: Observation, theirs: SeatCase) -> tuple[Talk, ...]:
        """A question on the topic that promises most, deepened where something was told on it; or what else is open."""
        told = {each.id for each in seen.told}
        left = [fact for fact in theirs.facts if fact.id not in told]
        raised = len(seen.sheet.raised) if seen.sheet else 0
        if seen.turn >= _ISOLATES_FROM and seen.turn % 2 == 0 and raised < len(theirs.objections):
            return (Talk("isolate"),)
        if not left:
            return ()
        fact = min(left, key=self._promise)
        self._asked[fact.topic] = self._asked.get(fact.topic, 0) + 1
        question = Talk("ask_problem" if fact.guard >= _GUARDED else "ask_open", fact.topic)
        if any(each.topic == fact.topic for each in seen.told):
            return question, Talk("label", fact.topic)
        return (question,)

    def _promise(self, fact: Fact) -> tuple[int, bool, int]:
        return self._asked.get(fact.topic, 0) + fact.guard, not fact.need, fact.guard

    def _argue(self, seen: Observation, own: SeatCase, theirs: SeatCase) -> tuple[Talk, ...]:
        """Each argument once for a need that was told of, and once for each objection that was raised."""
        heard = {theirs.fact[each.id].need for each in seen.told}
        raised = seen.sheet.raised if seen.sheet else ()
        found: list[Talk] = []
        for argument in own.arguments:
            if argument.sweetener:
                continue
            aims = [argument.hits] if argument.hits in heard else []
            aims += [each for each in raised if argument.id in theirs.objection[each].answers]
            fresh = [aim for aim in aims if (argument.id, aim) not in self._argued]
            if fresh and len(found) < MOST_TALK - 2:
                self._argued.update((argument.id, aim) for aim in fresh)
                found.append(Talk("prove" if argument.proof else "argue", argument.topic, argument.id))
        return tuple(found)


class Discoverer(SpokenPart, SilentDiscoverer):
    """The expert's pacing, and talk beside it."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        return replace(super().dress(action, seen, rng), talk=self.talk(seen))
