"""Whether a turn can be taken at all. Checking changes nothing; refusals say what to mend."""

from __future__ import annotations

import math
from collections.abc import Mapping

from negotiation.engine.coalition.scenario import CoalitionScenario
from negotiation.engine.coalition.types import (
    BUYERS,
    COALITIONS,
    EVERYONE,
    Action,
    Coalition,
    Proposal,
    Seat,
    Stake,
    Standing,
    arrangement_of,
)
from negotiation.engine.coalition.worth import own_payoff
from negotiation.engine.deal.checks import check_text
from negotiation.engine.deal.errors import ActionRefused

_TOO_MUCH = 10
"""Payments beyond the plausible range by this factor are slips of the hand."""


def check_action(
    action: Action,
    seat: Seat,
    own: Stake,
    scenario: CoalitionScenario,
    present: Coalition,
    standing: Mapping[int, Standing],
) -> None:
    """Raise ``ActionRefused`` when ``seat`` cannot take this turn."""
    check_text(action.text)
    acts = [action.proposal is not None, action.support is not None, action.walk_away]
    if sum(acts) > 1:
        raise ActionRefused("one_act", "Propose, support or leave: one of them a turn.", None)
    if not any(acts) and not action.text.strip():
        raise ActionRefused("empty_action", "Say something, propose, support or leave.", "text")
    if action.to is not None and (action.to == seat or action.to not in present):
        raise ActionRefused("cannot_address", "There is nobody to say that to.", "to")
    if action.to is not None and action.walk_away:
        raise ActionRefused("leaving_is_public", "Everybody sees who leaves. Say it to the table.", "to")
    if action.claim is not None and (action.claim.rival == seat or not math.isfinite(action.claim.price)):
        raise ActionRefused("claim_unfounded", "A claim names somebody else and a figure.", "claim")
    if action.proposal is not None:
        _check_proposal(action.proposal, seat, action.to, scenario, present)
    elif action.support is not None:
        _check_support(action.support, seat, action.to, standing)
    signed = action.proposal
    if signed is None and action.support is not None:
        signed = standing[action.support].proposal
    if signed is not None and not action.knowingly and own_payoff(own, seat, signed) < 0:
        raise ActionRefused(
            "below_outside",
            "You would be worse off than with no deal at all. Sign it only if you mean it.",
            None,
        )


def _check_proposal(
    proposal: Proposal, seat: Seat, to: Seat | None, scenario: CoalitionScenario, present: Coalition
) -> None:
    members = proposal.members
    if members not in COALITIONS:
        raise ActionRefused("unknown_coalition", "A deal takes two or three of you.", "members")
    if seat not in members:
        raise ActionRefused("not_a_member", "Propose a deal that you are part of.", "members")
    if not members <= present:
        raise ActionRefused("seat_gone", "Somebody in this deal has left the table.", "members")
    if to is not None and members != {seat, to}:
        raise ActionRefused("private_needs_pair", "In private, propose a deal between the two of you.", "to")
    if {payer for payer, _ in proposal.pays} != members & set(BUYERS):
        raise ActionRefused("payments_missing", "Say what each buyer in the deal pays.", "pays")
    for payer, pay in proposal.pays:
        if isinstance(pay, bool) or not isinstance(pay, int | float) or not math.isfinite(pay):
            raise ActionRefused("payment_not_finite", "That is not a number.", f"pays.{payer}")
        if pay < 0:
            raise ActionRefused(
                "payment_negative", "Nobody is paid to take a share. Zero is the least.", f"pays.{payer}"
            )
        if pay > scenario.high * _TOO_MUCH:
            raise ActionRefused(
                "payment_implausible", "That is too large to be meant for this deal.", f"pays.{payer}"
            )
    if arrangement_of(members) == "depot" and abs(proposal.money - scenario.depot_cost) > 0.005:
        raise ActionRefused(
            "depot_cost_unmet", f"The depot costs {scenario.depot_cost:,.0f} together.", "pays"
        )


def _check_support(number: int, seat: Seat, to: Seat | None, standing: Mapping[int, Standing]) -> None:
    offer = standing.get(number)
    if offer is None or (offer.to is not None and seat not in (offer.by, offer.to)):
        raise ActionRefused("no_such_proposal", "That proposal is not on the table any more.", "support")
    if seat not in offer.proposal.members:
        raise ActionRefused("not_for_you", "You have no part in that proposal.", "support")
    if seat in offer.supporters:
        raise ActionRefused("already_supported", "You stand behind that proposal already.", "support")
    if to is not None and offer.proposal.members == EVERYONE:
        raise ActionRefused("support_is_public", "A deal of all three is supported before all three.", "to")
