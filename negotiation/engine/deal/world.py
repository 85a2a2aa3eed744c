"""What happens between turns: heat, erosion, news, lapsed offers, and whether the game goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from negotiation.engine.deal import hidden
from negotiation.engine.deal.conduct import Conduct
from negotiation.engine.deal.hidden import ScheduledMarketEvent
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import BROKEN_DEADLINE_FACTOR, Adaptation, State
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, EndReason, Headline, LimitMove, Seat, SeatTruth

ESTIMATE_WITHIN_TURNS = 3
EXPECTED_SENSITIVITY = 0.4
"""How strongly a persona expects a stranger's limit to follow a headline."""


def expected_effect(scenario: Scenario, headline: Headline, seat: Seat, sensitivity: float) -> float:
    """The relative change of ``seat``'s walk-away that a well-read observer expects of a headline."""
    if headline.kind == "drift":
        effect = next(e for e in scenario.drift if e.id == headline.id).effects.get(seat)
        return effect.walk_away if effect else 0.0
    event = next(e for e in scenario.market if e.id == headline.id)
    return sensitivity * event.impact.get(seat, 0.0)


@dataclass(frozen=True, slots=True)
class Course:
    """The course of events of one game, whoever sits there. All randomness was drawn when it was made."""

    scenario: Scenario
    seat: Seat
    horizon: int
    market: tuple[ScheduledMarketEvent, ...]

    def pass_turn(self, state: State) -> float:
        """Go on to the next turn, once the tension has taken in the last: deadlines, erosion, news.

        Returns:
            The relative change of the limit of ``seat`` that a stranger expects of the news.
        """
        for side in (state.player, state.opponent):
            if side.deadline is not None and state.turn >= side.deadline.turn:
                side.deadline = None
                side.lose_standing(BROKEN_DEADLINE_FACTOR)
            side.recover()
        state.limit_moves = {seat: [] for seat in SIGN}
        self._erode(state)
        state.turn += 1
        return self._bring_news(state)

    def ends(self, state: State) -> EndReason | None:
        """Why the game is over now, or ``None`` while it goes on."""
        # By what all can see: were it by the true zone, going on would tell how wide that is.
        if state.eroded >= self.scenario.nominal_width:
            return "zone_collapsed"
        return "horizon" if state.turn > self.horizon else None

    def _erode(self, state: State) -> None:
        if not state.tension.eroding:
            return
        width = self.scenario.nominal_width
        loss = min(self.scenario.erosion_rate * width, width - state.eroded)
        state.eroded += loss
        self._shift(state, hidden.erode(state.truths, loss), "conflict")

    @staticmethod
    def _shift(
        state: State,
        truths: dict[Seat, SeatTruth],
        cause: Literal["news", "conflict"],
        headline: str | None = None,
    ) -> None:
        """Take over moved limits, and note for each seat what moved its own."""
        for seat, truth in truths.items():
            before = state.truths[seat].walk_away
            if truth.walk_away != before:
                state.limit_moves[seat].append(LimitMove(cause, headline, before, truth.walk_away))
        state.truths = truths

    def _bring_news(self, state: State) -> float:
        market_turns = [h.turn for h in state.headlines if h.kind == "market"]
        if market_turns and state.turn - market_turns[-1] >= ESTIMATE_WITHIN_TURNS:
            state.pending_estimate = state.pending_effect = None
        expected = 0.0
        for drift in self.scenario.drift:
            if drift.turn == state.turn:
                self._shift(state, hidden.apply_drift(state.truths, drift, self.scenario), "news", drift.id)
                headline = Headline(drift.id, "drift", state.turn, drift.headline)
                state.headlines.append(headline)
                state.adaptations.append(Adaptation(state.turn))
                expected += expected_effect(self.scenario, headline, self.seat, EXPECTED_SENSITIVITY)
        for event in self.market:
            if event.turn == state.turn:
                moved = hidden.apply_market(state.truths, event, self.scenario)
                self._shift(state, moved, "news", event.event.id)
                state.headlines.append(event.headline)
                state.pending_estimate = event.event.id
                state.pending_effect = event.effect[OTHER_SEAT[self.seat]]
                expected += expected_effect(self.scenario, event.headline, self.seat, EXPECTED_SENSITIVITY)
        return expected


@dataclass(frozen=True, slots=True)
class World(Course):
    """The course of events at a table where a persona sits across."""

    persona: Persona

    def close_turn(self, state: State, conduct: Conduct, given_back: float, opponent_acts: set[str]) -> float:
        """Move the table on by a turn.

        Args:
            given_back: what the opponent's move gave the player, as the public sees it.

        Returns:
            The relative change of the *player's* limit that the persona will expect of the news.
        """
        nominal = self.scenario.nominal_width
        state.tension.close_turn(
            sorted(conduct.acts),
            sorted(opponent_acts),
            max(0.0, conduct.given) / nominal,
            max(0.0, given_back) / nominal,
            self.persona.aggression,
        )
        before = state.truths
        expected = self.pass_turn(state)
        self._lapse_offers(state, before)
        return expected

    def _lapse_offers(self, state: State, before: dict[Seat, SeatTruth]) -> None:
        """An offer lapses when events have carried its maker's limit past it, so that none closes a deal by surprise.

        An offer that its maker knowingly put beyond its limit stands.
        """
        for side, seat in ((state.player, self.seat), (state.opponent, OTHER_SEAT[self.seat])):
            if side.offer is None:
                continue
            worth = state.price_worth(side.offer, side.bundle, seat)
            was_inside = SIGN[seat] * (worth - before[seat].walk_away) >= 0
            if was_inside and SIGN[seat] * (worth - state.truths[seat].walk_away) < 0:
                side.offer = None
