"""What comes in from a browser: the set-up of a deal for three, a turn at its table, its links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from negotiation.coalitions.models import CoalitionLink
from negotiation.engine.coalition import BUYERS, SEATS, Action, Proposal, coalition_scenarios
from negotiation.engine.deal import personas
from negotiation.engine.deal.errors import ActionRefused
from negotiation.table.errors import MoveRefused


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


def action_from(data: Mapping[str, Any]) -> Action:
    """Read the data of a turn as a page sends it; ``ActionRefused`` names the part that is no such thing."""
    return Action(
        text=_text(data.get("text", "")),
        to=_seat(data.get("to")),
        proposal=_proposal(data.get("proposal")),
        support=None if data.get("support") is None else _whole(data["support"], "support"),
        walk_away=data.get("walk_away") is True,
        knowingly=data.get("knowingly") is True,
    )


def posted(form: QueryDict) -> dict[str, Any]:
    """The data of a turn that was sent as a form, where scripts don't run."""
    members = [seat for seat in form.get("coalition", "").split("+") if seat]
    support = form.get("support", "")
    if not support and not form.get("walk_away") and members:
        pays = {seat: _money(form.get(f"pay_{seat}", ""), seat) for seat in BUYERS if seat in members}
        proposal = {"members": members, "pays": pays}
    else:
        proposal = None
    return {
        "text": form.get("text", ""),
        "to": form.get("to") or None,
        "proposal": proposal,
        "support": int(support) if support.isascii() and support.isdigit() and len(support) < 7 else None,
        "walk_away": bool(form.get("walk_away")),
        "knowingly": bool(form.get("knowingly")),
    }


def _money(typed: str, seat: str) -> float:
    try:
        return float(typed.replace(",", ""))
    except ValueError:
        raise ActionRefused("payment_not_finite", "Say what each buyer pays.", f"pays.{seat}") from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ActionRefused("bad_text", "Words are text.", "text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ActionRefused("bad_text", "That text holds broken characters.", "text") from None
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


def scope_from(given: str) -> str:
    """What a link is to show, or ``MoveRefused``."""
    if given not in CoalitionLink.Scope.values:
        raise MoveRefused(
            "unknown_scope", f"A scope is one of {', '.join(CoalitionLink.Scope.values)}.", "scope"
        )
    return given
