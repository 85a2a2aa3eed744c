"""Records of a table for three as plain JSON values, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from negotiation.engine.coalition.types import (
    Action,
    Claim,
    Entry,
    Outcome,
    Proposal,
    Standing,
    in_order,
)


def proposal_to_json(proposal: Proposal) -> dict[str, Any]:
    """``{"members": [seats], "pays": {seat: money}}``."""
    return {"members": list(in_order(proposal.members)), "pays": dict(proposal.pays)}


def proposal_from_json(data: dict[str, Any]) -> Proposal:
    """The proposal again; what it says is checked by the table, not here."""
    return Proposal.of(frozenset(data["members"]), **data["pays"])


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """One turn; nothing in it is hidden truth, but a private one is for two seats only."""
    return {
        "number": entry.number,
        "round": entry.round,
        "seat": entry.seat,
        "text": entry.text,
        "to": entry.to,
        "proposal": None if entry.proposal is None else proposal_to_json(entry.proposal),
        "support": entry.support,
        "claim": None if entry.claim is None else asdict(entry.claim),
        "walk_away": entry.walk_away,
    }


def action_from_json(data: dict[str, Any]) -> Action:
    """The action that an entry's JSON records. Signed is signed: it is taken back knowingly."""
    proposal, claim = data["proposal"], data["claim"]
    return Action(
        text=data["text"],
        to=data["to"],
        proposal=None if proposal is None else proposal_from_json(proposal),
        support=data["support"],
        claim=None if claim is None else Claim(**claim),
        walk_away=data["walk_away"],
        knowingly=True,
    )


def standing_to_json(offer: Standing) -> dict[str, Any]:
    """A proposal on the table with those who stand behind it."""
    return {
        "number": offer.number,
        "by": offer.by,
        "to": offer.to,
        "round": offer.round,
        "proposal": proposal_to_json(offer.proposal),
        "supporters": list(in_order(offer.supporters)),
    }


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """How it ended, theory included; tuples become lists."""
    data = asdict(outcome)
    data["agreement"] = None if outcome.agreement is None else proposal_to_json(outcome.agreement)
    data["core"] = None if outcome.core is None else {seat: list(ends) for seat, ends in outcome.core.items()}
    return data
