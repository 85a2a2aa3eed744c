"""From a decision and the table to a request for words, and to the move that they are part of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

from negotiation.engine.cards import GIFT
from negotiation.engine.deal.answers import Heard, TableAnswers
from negotiation.engine.deal.case.answering_choice import TELLS_A_FACT
from negotiation.engine.deal.case.words import Spoken
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.conduct import Conduct, next_sweetener
from negotiation.engine.deal.issues import labels, terms_of
from negotiation.engine.deal.listening.at_the_table import (
    DECIDES,
    PLAIN,
    POINTS,
    PRICE,
    SCOFF,
    WISHES,
)
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import State
from negotiation.engine.deal.strategist import Decision
from negotiation.engine.deal.strategist.types import DecisionAct
from negotiation.engine.deal.tension import band
from negotiation.engine.deal.types import Reply, Seat
from negotiation.engine.language import (
    Asked,
    Concession,
    Memory,
    Speech,
    Trust,
    remember,
    speak,
    speak_answers,
)

_SMALL, _FAIR = 0.03, 0.12
"""Concessions under and over these shares of the nominal zone are heard as small and as large."""
_TELLS: Final = TELLS_A_FACT | {"openly", "known", "detail"}
"""Kinds of answers that tell something."""


NOTHING_SPOKEN: Final = Spoken()
"""Where there is no case to talk about."""


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
    """The persona's voice in one game, with its memory of the talk. ``speech`` is what it was last to say."""

    def __init__(self, persona: Persona, scenario: Scenario, seat: Seat, chances: Chances) -> None:
        self._persona = persona
        self._scenario = scenario
        self._seat: Seat = seat
        self._chances = chances
        self._memory = Memory()
        self._heard_bundle = 0
        self._named: list[tuple[float, int]] = []
        """Its own packages so far, price and terms."""
        self._answers = TableAnswers(scenario, seat, self._named)
        self._put_down: tuple[float | None, int] = (None, 0)
        self._put_down_at = 0
        """What the other side last put down, price and terms, and at which turn."""
        self.speech: Speech | None = None

    def opening(self, decision: Decision) -> str:
        """The first words, before anything was heard."""
        request = self._request(decision, turn=0)
        if decision.offer is not None:
            self._named.append((decision.offer, decision.bundle))
        return self._speak(replace(request, terms=self._labels(decision.bundle, than=0)))

    def parting(self, act: Literal["taken", "left"], state: State) -> str:
        """The last words when the player ends it: by taking the offer, or by leaving."""
        side = state.opponent
        request = self._request(Decision(act, offer=side.offer), state.turn)
        agreed = self._labels(side.bundle, than=0) if act == "taken" else ()
        return self._speak(replace(request, terms=agreed, mood=band(state.tension.value)))

    def say(
        self, decision: Decision, heard: Heard, state: State, trust: Trust, spoken: Spoken = NOTHING_SPOKEN
    ) -> str:
        """Words for a decision, in answer to what the player just did. The decision is not yet in ``state``."""
        return self._speak(self._answer(decision, heard, state, trust, spoken))

    def answering(self, spoken: Spoken, heard: Heard, state: State, trust: Trust) -> str:
        """Words for the answers and the reason alone; who decides the move finds words for that."""
        standing = Decision("hold", offer=state.opponent.offer, bundle=state.opponent.bundle)
        request = self._answer(standing, heard, state, trust, spoken)
        return speak_answers(request, memory=self._memory, draws=self._chances.words(request.turn))

    def note(
        self,
        text: str,
        decision: Decision,
        heard: Heard,
        state: State,
        trust: Trust,
        spoken: Spoken = NOTHING_SPOKEN,
    ) -> None:
        """Remember words that somebody else found for a decision of theirs, as if they had been this voice's own."""
        self.speech = self._answer(decision, heard, state, trust, spoken)
        remember(self.speech, memory=self._memory, line=text)

    def _answer(self, decision: Decision, heard: Heard, state: State, trust: Trust, spoken: Spoken) -> Speech:
        """The request for words that answers what the player just did."""
        conduct = heard.conduct
        gift = next_sweetener(self._scenario, self._seat, state.opponent)
        news = state.headlines[-1] if state.headlines and state.headlines[-1].turn == state.turn else None
        heard_terms = conduct.fresh_offer and bool(self._memory.heard)
        heard_terms = heard_terms and state.player.bundle != self._heard_bundle
        width = self._scenario.nominal_width
        answers, left = self._answers.to(decision, heard, spoken, state), heard.left
        if answers and heard.last and all(each.kind == "unknown" for each in answers):
            answers, left = (), heard.last  # of what is not known the question itself is named
        if left == "" and any(each.kind in _TELLS for each in answers):
            left = None  # "I couldn't tell you", naming nothing, would deny what was just answered
        request = self._request(
            decision,
            state.turn,
            offer=state.player.offer if decision.accept else decision.offer,
            previous_offer=state.opponent.offer,
            heard=heard.reading,
            heard_offer=state.player.offer,
            # What a change of terms gave the persona is its own affair: a word on its size would tell.
            heard_concession=None if heard_terms else heard_concession(conduct, width),
            heard_card=conduct.card,
            heard_terms=heard_terms,
            terms=self._terms_to_say(decision, state),
            preferred=conduct.preferred,
            packages=heard.packages,
            mood=band(state.tension.value),
            trust=trust,
            headline=news.text if news else None,
            sweetener=gift.name if gift and decision.card == GIFT else None,
            answers=answers,
            asked=_asked_how(heard),
            likely=heard.likely,
            left=left,
            objection=spoken.objection,
            talked=spoken.talked,
            waited=self._waited(state),
        )
        self._heard_bundle = state.player.bundle
        if decision.offer is not None:
            self._named.append((decision.offer, decision.bundle))
        return request

    def _waited(self, state: State) -> int:
        """For how many turns the other side has put down nothing new."""
        now = (state.player.offer, state.player.bundle)
        if now != self._put_down:
            self._put_down, self._put_down_at = now, state.turn
        return state.turn - self._put_down_at

    def _terms_to_say(self, decision: Decision, state: State) -> tuple[str, ...]:
        """What is agreed on, or what differs from the persona's last package; on its first, from plain terms."""
        if decision.accept:
            return self._labels(state.player.bundle, than=0)
        if decision.walk_away or decision.offer is None:
            return ()
        return self._labels(decision.bundle, than=state.opponent.bundle)

    def _labels(self, bundle: int, *, than: int) -> tuple[str, ...]:
        return labels(self._scenario.issues, bundle, than)

    def _request(self, decision: Decision, turn: int, **more: Any) -> Speech:
        """The words that a decision asks for, with ``more`` of the parts of :class:`Speech`."""
        more.setdefault("offer", decision.offer)
        return Speech(
            voice=self._persona.voice,
            act=decision.act,
            seat=self._seat,
            turn=turn,
            money=self._scenario.money,
            card=decision.card,
            claim=decision.claim,
            claim_reason=decision.claim_reason,
            deadline_turns=decision.deadline_turns,
            setting=self._scenario.setting,
            **more,
        )

    def _speak(self, request: Speech) -> str:
        self.speech = request
        return speak(request, memory=self._memory, draws=self._chances.words(request.turn))


def _asked_how(heard: Heard) -> Asked:
    """How a question was put that nothing may answer."""
    if PRICE in heard.table:
        return "figure"
    if DECIDES in heard.table:
        return "to_decide"
    if WISHES in heard.table:
        return "wishes"
    if POINTS in heard.table:
        return "pointing_back"
    return "plainly" if PLAIN in heard.table else "in_scorn" if SCOFF in heard.table else ""


def reply_of(decision: Decision, text: str, conduct: Conduct, scenario: Scenario) -> Reply:
    """The decision as the move that the player sees."""
    speaks = not (decision.walk_away or decision.accept) and decision.offer is not None
    return Reply(
        text=text,
        offer=decision.offer if speaks else None,
        terms=terms_of(scenario.issues, decision.bundle) if speaks else None,
        preferred=conduct.preferred,
        card=decision.card,
        claim=decision.claim,
        challenge=decision.challenge,
        accept=decision.accept,
        walk_away=decision.walk_away,
        deadline_turns=decision.deadline_turns,
    )


def decision_of(reply: Reply, bundle: int, standing: float | None) -> Decision:
    """A reply that somebody else decided, as the voice hears of it.

    Args:
        bundle: the terms that go with it.
        standing: the opponent's offer before it.
    """
    offer = standing if reply.offer is None else reply.offer
    act: DecisionAct = "hold" if offer == standing else "counter"
    if reply.accept or reply.walk_away:
        act = "accept" if reply.accept else "walk_away"
    return Decision(
        act=act,
        offer=offer,
        bundle=bundle,
        card=reply.card,
        claim=reply.claim,
        challenge=reply.challenge,
        deadline_turns=reply.deadline_turns,
        accept=reply.accept,
        walk_away=reply.walk_away,
    )
