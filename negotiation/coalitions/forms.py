"""What comes in from a browser: the set-up of a deal for three, and a turn at its table."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django import forms

from negotiation.engine.coalition import BUYERS, SEATS, Action, Proposal, coalition_scenarios
from negotiation.engine.deal import personas
from negotiation.engine.deal.errors import ActionRefused


class CoalitionForm(forms.Form):
    """Which seat, and who sits in the other two. The persona named for one's own seat is not asked for."""

    scenario = forms.ChoiceField(error_messages={"invalid_choice": "There is no such scenario."})
    seat = forms.ChoiceField(choices=[(seat, seat) for seat in SEATS])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scenario"].choices = [(s.id, s.title) for s in coalition_scenarios().values()]  # type: ignore[attr-defined]
        who = [(p.id, p.name) for p in personas().values()]
        for seat in SEATS:
            self.fields[f"persona_{seat}"] = forms.ChoiceField(choices=who, required=False)

    def clean(self) -> dict[str, Any]:
        """Two different people in the other two seats."""
        data = super().clean() or {}
        others = [data.get(f"persona_{seat}") for seat in SEATS if seat != data.get("seat")]
        if "seat" in data and (not all(others) or len(set(others)) < len(others)):
            raise forms.ValidationError("One person cannot sit in two seats. Choose two.")
        return data

    @property
    def opponents(self) -> dict[str, str]:
        """Who sits where, of a valid form."""
        seats = [seat for seat in SEATS if seat != self.cleaned_data["seat"]]
        return {seat: self.cleaned_data[f"persona_{seat}"] for seat in seats}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as a page sends it. ``since`` is the last event that the page has seen."""

    action_id: uuid.UUID
    since: int
    action: Action


def turn_from(data: Any) -> Turn:
    """Read a turn; ``ActionRefused`` names the part that is no such thing."""
    if not isinstance(data, dict):
        raise ActionRefused("bad_turn", "A turn is a JSON object.", None)
    try:
        action_id = uuid.UUID(str(data.get("action_id")))
    except ValueError:
        raise ActionRefused("bad_action_id", "A turn carries a UUID of its own.", "action_id") from None
    return Turn(
        action_id=action_id,
        since=_whole(data.get("since", 0), "since"),
        action=Action(
            text=_text(data.get("text", "")),
            to=_seat(data.get("to")),
            proposal=_proposal(data.get("proposal")),
            support=None if data.get("support") is None else _whole(data["support"], "support"),
            walk_away=data.get("walk_away") is True,
            knowingly=data.get("knowingly") is True,
        ),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ActionRefused("bad_text", "Words are text.", "text")
    return value.strip()


def _whole(value: Any, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise ActionRefused(f"bad_{field}", "That is not a whole number.", field)
    return value


def _seat(value: Any) -> Any:
    if value is not None and value not in SEATS:
        raise ActionRefused("unknown_seat", "There is no such seat.", "to")
    return value


def _proposal(value: Any) -> Proposal | None:
    if value is None:
        return None
    members = value.get("members") if isinstance(value, dict) else None
    pays = value.get("pays") if isinstance(value, dict) else None
    if (
        not isinstance(members, list)
        or not isinstance(pays, dict)
        or not set(map(str, members)) <= set(SEATS)
    ):
        raise ActionRefused(
            "bad_proposal", "A proposal says who takes part and what each buyer pays.", "proposal"
        )
    for seat, pay in pays.items():
        if seat not in BUYERS or isinstance(pay, bool) or not isinstance(pay, int | float):
            raise ActionRefused("payment_not_finite", "That is not a number.", f"pays.{seat}")
    return Proposal.of(frozenset(members), **pays)
