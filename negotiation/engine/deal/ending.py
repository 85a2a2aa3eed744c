"""How a game is counted when it ends."""

from __future__ import annotations

from negotiation.engine.deal.reward import deal_terms, efficiency, no_deal_terms
from negotiation.engine.deal.state import State
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, EndReason, Outcome, Seat, Term

DEAL_REASONS: frozenset[EndReason] = frozenset({"player_accepted", "opponent_accepted"})


def _original_zone(state: State) -> tuple[float, float]:
    return state.initial["seller"].walk_away, state.initial["buyer"].walk_away


def settle(
    state: State, reason: EndReason, price: float | None, seat: Seat, horizon: int, training_step: int | None
) -> tuple[Outcome, tuple[Term, ...]]:
    """The outcome and the terminal terms. ``total_reward`` of the outcome counts them."""
    low, high = _original_zone(state)
    width = high - low
    now = state.truths["buyer"].walk_away - state.truths["seller"].walk_away
    deal = reason in DEAL_REASONS and price is not None
    share = share_now = 0.0
    left: float | None = None
    breached = False
    if deal and price is not None:
        sweetened = state.opponent.sweetened - state.player.sweetener_cost
        own, theirs = state.truths[seat].walk_away, state.initial[OTHER_SEAT[seat]].walk_away
        share = efficiency(price, state.initial[seat].walk_away, width, seat, sweetened)
        share_now = efficiency(price, own, now, seat, sweetened)
        breached = SIGN[seat] * (price - own) < 0
        left = max(0.0, SIGN[seat] * (theirs - price)) if width > 0 else 0.0
        faced = state.adaptations
        adapted = sum(a.seen for a in faced) / len(faced) if faced else None
        terms = deal_terms(share, min(state.turn, horizon), horizon, adapted, breached, training_step)
    else:
        collapsed_by_them = reason == "zone_collapsed" and state.tension.heated_mostly_by == "opponent"
        terms = no_deal_terms(
            excused=collapsed_by_them or (now <= 0 and reason != "zone_collapsed") or width <= 0
        )
    total = state.total_reward + sum(term.points for term in terms)
    outcome = Outcome(
        reason=reason,
        deal=deal,
        price=price if deal else None,
        turns=min(state.turn, horizon),
        efficiency=share,
        efficiency_current_width=share_now,
        nash_price=(low + high) / 2 if width > 0 else None,
        left_on_the_table=left,
        erosion_cost=state.eroded,
        floor_breached=breached,
        total_reward=total,
        terms=terms,
    )
    return outcome, terms
