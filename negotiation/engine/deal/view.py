"""What either side may see of the state, and what a turn earned: the readings of a played turn."""

from __future__ import annotations

from dataclasses import replace

from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.conduct import Conduct
from negotiation.engine.deal.issues import terms_of
from negotiation.engine.deal.reward import (
    bluff_term,
    capitulation_term,
    incoherence_term,
    market_event_term,
    theory_of_mind_term,
    value_term,
)
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import State
from negotiation.engine.deal.tension import band
from negotiation.engine.deal.types import OTHER_SEAT, Action, Belief, Observation, Seat, Side, Term


def sweeteners_left(state: State, scenario: Scenario, seat: Seat, player_seat: Seat) -> int:
    """How many sweeteners the side in ``seat`` still has to give."""
    side = state.player if seat == player_seat else state.opponent
    return len(scenario.sweeteners_of(seat)) - side.played.get("sweetener", 0)


def zone_remaining(state: State, scenario: Scenario) -> float:
    """Per cent of the scenario's usual width that conflict has left. The width of this zone stays hidden."""
    return round(100.0 * max(0.0, 1.0 - state.eroded / scenario.nominal_width), 1)


def observation_of(
    state: State,
    scenario: Scenario,
    persona: str,
    player_seat: Seat,
    horizon: int,
    last_belief: Belief | None,
    done: bool,
) -> Observation:
    """The player's view: its own truth, what was said and offered, and what is public."""
    asked = state.pending_estimate
    return _seen_by("player", state, scenario, persona, player_seat, horizon, asked, last_belief, done=done)


def mirrored(state: State, scenario: Scenario, persona: str, player_seat: Seat, horizon: int) -> Observation:
    """The opponent's view, for whoever plays in its seat: its own truth, what was said and offered, what is public.

    Sides are swapped, so that ``own_offer`` is the opponent's and the transcript calls it the player. Nothing of the
    player's truth is in it, nor what only the player is asked (estimates, beliefs). ``persona`` is the character
    in whose name the seat is played.
    """
    seen = _seen_by("opponent", state, scenario, persona, player_seat, horizon)
    return replace(
        seen, transcript=tuple(replace(move, side=_SWAPPED[move.side]) for move in seen.transcript)
    )


_SWAPPED: dict[Side, Side] = {"player": "opponent", "opponent": "player"}


def _seen_by(
    side: Side,
    state: State,
    scenario: Scenario,
    persona: str,
    player_seat: Seat,
    horizon: int,
    pending_estimate: str | None = None,
    last_belief: Belief | None = None,
    *,
    done: bool = False,
) -> Observation:
    """What one side sees of a table; of an open one, without what only the player is asked, unless it is given."""
    seat = player_seat if side == "player" else OTHER_SEAT[player_seat]
    me, them = (state.player, state.opponent) if side == "player" else (state.opponent, state.player)
    left = sweeteners_left(state, scenario, seat, player_seat)
    return Observation(
        scenario=scenario.id,
        persona=persona,
        seat=seat,
        turn=min(state.turn, horizon),
        horizon=horizon,
        own=state.truths[seat],
        transcript=tuple(state.transcript),
        own_offer=me.offer,
        standing_offer=them.offer,
        open_claim=them.open_claim,
        tension=round(state.tension.value, 1),
        tension_band=band(state.tension.value),
        zopa_width_pct_remaining=zone_remaining(state, scenario),
        credibility_points=me.points,
        credibility_cap=me.cap,
        cards=tuple(card for card in CARDS if me.can_play(card, left)),
        sweeteners_left=left,
        headlines=tuple(state.headlines),
        pending_estimate=pending_estimate,
        last_belief=last_belief,
        done=done,
        own_terms=terms_of(scenario.issues, me.bundle),
        standing_terms=terms_of(scenario.issues, them.bundle),
        own_worth=state.worth(me, seat),
        standing_worth=state.worth(them, seat),
        limit_moves=tuple(state.limit_moves[seat]),
    )


def grade(
    action: Action,
    conduct: Conduct,
    standing_before: float | None,
    their_concession: float,
    state: State,
    seat: Seat,
) -> tuple[Term, ...]:
    """The step's reward terms, once both sides have moved. An estimate that was given is settled by it."""
    scale = state.scale
    actual = state.pending_effect if action.event_estimate is not None else None
    terms = (
        value_term(standing_before, state.worth(state.opponent, seat), seat, scale),
        theory_of_mind_term(action.belief, state.truths[OTHER_SEAT[seat]], scale),
        capitulation_term(max(0.0, conduct.concession), their_concession, scale),
        incoherence_term(conduct.faults),
        bluff_term(conduct.verdict),
        market_event_term(action.event_estimate, actual),
    )
    if action.event_estimate is not None:
        state.pending_estimate = state.pending_effect = None
    return terms
