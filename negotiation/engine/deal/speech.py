"""From a decision and the table to a request for words."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from negotiation.engine.deal.conduct import Conduct
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist import Decision
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import Seat
from negotiation.engine.language import Concession, Memory, Mood, Reading, Speech, Trust, speak

_SMALL, _FAIR = 0.03, 0.12
"""Concessions under and over these shares of the nominal zone are heard as small and as large."""


def heard_concession(conduct: Conduct, width: float) -> Concession | None:
    """How the player's step sounds to the other side."""
    if not conduct.fresh_offer:
        return None
    share = conduct.concession / width
    if share < -1e-9:
        return "backwards"
    if share <= 1e-9:
        return "none"
    return "small" if share < _SMALL else "fair" if share < _FAIR else "large"


class Speaker:
    """The persona's voice in one game, with its memory of the talk."""

    def __init__(self, persona: Persona, scenario: Scenario, seat: Seat, seed: int) -> None:
        self._persona = persona
        self._scenario = scenario
        self._seat: Seat = seat
        self._seed = seed
        self._memory = Memory()

    def opening(self, decision: Decision) -> str:
        """The first words, before anything was heard."""
        return self._speak(self._request(decision, turn=0))

    def parting(self, act: Literal["taken", "left"], turn: int, offer: float | None, mood: Mood) -> str:
        """The last words when the player ends it: by taking the offer, or by leaving."""
        return self._speak(replace(self._request(Decision(act, offer=offer), turn), mood=mood))

    def say(
        self,
        decision: Decision,
        *,
        turn: int,
        reading: Reading | None,
        conduct: Conduct,
        player_offer: float | None,
        previous_offer: float | None,
        mood: Mood,
        trust: Trust,
        headline: str | None,
        sweetener: str | None,
    ) -> str:
        """Words for a decision, in answer to what the player just did."""
        request = replace(
            self._request(decision, turn),
            offer=player_offer if decision.accept else decision.offer,
            previous_offer=previous_offer,
            heard=reading,
            heard_offer=player_offer,
            heard_concession=heard_concession(conduct, self._scenario.nominal_width),
            heard_card=conduct.card,
            mood=mood,
            trust=trust,
            headline=headline,
            sweetener=sweetener,
        )
        return self._speak(request)

    def _request(self, decision: Decision, turn: int) -> Speech:
        return Speech(
            voice=self._persona.voice,
            act=decision.act,
            seat=self._seat,
            turn=turn,
            money=self._scenario.money,
            offer=decision.offer,
            card=decision.card,
            claim=decision.claim,
            deadline_turns=decision.deadline_turns,
            setting=self._scenario.setting,
        )

    def _speak(self, request: Speech) -> str:
        return speak(request, memory=self._memory, rng=stream(self._seed, "speech", request.turn))
