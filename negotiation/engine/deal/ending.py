"""How a game is counted when it ends."""

from __future__ import annotations

from negotiation.engine.deal.issues import terms_of
from negotiation.engine.deal.reward import deal_terms, efficiency, no_deal_terms
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import State
from negotiation.engine.deal.types import SIGN, EndReason, Outcome, Seat, Term

DEAL_REASONS: frozenset[EndReason] = frozenset({"player_accepted", "opponent_accepted"})


def settle(
    state: State,
    reason: EndReason,
    package: tuple[float, int] | None,
    seat: Seat,
    scenario: Scenario,
    horizon: int,
    training_step: int | None,
) -> tuple[Outcome, tuple[Term, ...]]:
    """The outcome and the terminal terms. ``total_reward`` of the outcome counts them.

    Args:
        package: price and bundle of terms that were agreed on, if any.
    """
    low, high = state.initial["seller"].walk_away, state.initial["buyer"].walk_away
    joint = state.joint_worths
    best = joint.index(max(joint))
    zone = high - low + joint[best]
    deal = reason in DEAL_REASONS and package is not None
    share = share_now = 0.0
    left: float | None = None
    breached = False
    if deal and package is not None:
        price, bundle = package
        sweetened = state.opponent.sweetened - state.player.sweetener_cost
        worth, own = state.price_worth(price, bundle, seat), state.truths[seat].walk_away
        share = efficiency(worth, state.initial[seat].walk_away, zone, seat, sweetened)
        share_now = efficiency(worth, own, state.zone, seat, sweetened)
        breached = SIGN[seat] * (worth - own) + sweetened < 0
        left = round((1.0 - share) * max(0.0, zone), 2)
        faced = state.adaptations
        adapted = sum(a.seen for a in faced) / len(faced) if faced else None
        terms = deal_terms(share, min(state.turn, horizon), horizon, adapted, breached, training_step)
    else:
        terms = no_deal_terms(excused=zone <= 0 or _gone_without_the_player(state))
    outcome = Outcome(
        reason=reason,
        deal=deal,
        price=package[0] if deal and package else None,
        turns=min(state.turn, horizon),
        efficiency=share,
        efficiency_current_width=share_now,
        nash_price=low - state.worths["seller"][best] + zone / 2 if zone > 0 else None,
        left_on_the_table=left,
        erosion_cost=state.eroded,
        floor_breached=breached,
        total_reward=state.total_reward + sum(term.points for term in terms),
        terms=terms,
        agreed=terms_of(scenario.issues, package[1]) if deal and package else {},
        nash_terms=terms_of(scenario.issues, best),
        joint_surplus=high - low + joint[package[1]] if deal and package else None,
        best_joint_surplus=max(0.0, zone),
    )
    return outcome, terms


def _gone_without_the_player(state: State) -> bool:
    """Whether nothing is left to agree on, and that is not the player's doing: news, or heat of the opponent's."""
    by_conflict = state.eroded > 0 and state.zone + state.eroded > 0
    return state.zone <= 0 and (not by_conflict or state.tension.heated_mostly_by == "opponent")
