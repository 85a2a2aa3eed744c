"""The table from the other side: what the opponent may see, for whoever plays in its seat."""

from __future__ import annotations

from dataclasses import replace

from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.issues import terms_of
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import State
from negotiation.engine.deal.tension import band
from negotiation.engine.deal.types import OTHER_SEAT, Observation, Seat, Side
from negotiation.engine.deal.view import sweeteners_left, zone_remaining

_SWAPPED: dict[Side, Side] = {"player": "opponent", "opponent": "player"}


def mirrored(state: State, scenario: Scenario, persona: str, player_seat: Seat, horizon: int) -> Observation:
    """The opponent's view: its own truth, what was said and offered, and what is public.

    Sides are swapped, so that ``own_offer`` is the opponent's and the transcript calls it the player. Nothing of the
    player's truth is in it, nor what only the player is asked (estimates, beliefs). ``persona`` is the character
    in whose name the seat is played.
    """
    seat, me, them = OTHER_SEAT[player_seat], state.opponent, state.player
    left = sweeteners_left(state, scenario, seat, player_seat)
    return Observation(
        scenario=scenario.id,
        persona=persona,
        seat=seat,
        turn=min(state.turn, horizon),
        horizon=horizon,
        own=state.truths[seat],
        transcript=tuple(replace(move, side=_SWAPPED[move.side]) for move in state.transcript),
        own_offer=me.offer,
        standing_offer=them.offer,
        open_claim=them.open_claim,
        tension=round(state.tension.value, 1),
        tension_band=band(state.tension.value),
        zopa_width_pct_remaining=zone_remaining(state),
        credibility_points=me.points,
        credibility_cap=me.cap,
        cards=tuple(card for card in CARDS if me.can_play(card, left)),
        sweeteners_left=left,
        headlines=tuple(state.headlines),
        pending_estimate=None,
        last_belief=None,
        done=False,
        own_terms=terms_of(scenario.issues, me.bundle),
        standing_terms=terms_of(scenario.issues, them.bundle),
        own_worth=state.worth(me, seat),
        standing_worth=state.worth(them, seat),
    )
