"""What comes in from a browser: the set-up of a deal between two people, and its links."""

from __future__ import annotations

from typing import Any

from django import forms

from negotiation import catalogue
from negotiation.pairs.models import SEATS, PairLink
from negotiation.pairs.services import PACES
from negotiation.table.errors import MoveRefused


class PairForm(forms.Form):
    """Which deal, from which seat, and how long each may take for a move."""

    scenario = forms.ChoiceField(error_messages={"invalid_choice": "There is no such scenario."})
    seat = forms.ChoiceField(choices=SEATS)
    move_within = forms.TypedChoiceField(choices=list(PACES.items()), coerce=int, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scenario"].choices = [(s.id, s.title) for s in catalogue.playable().values()]  # type: ignore[attr-defined]

    def clean_move_within(self) -> int:
        """A day, where nothing is said."""
        return int(self.cleaned_data["move_within"] or 24 * 60)


def scope_from(given: str) -> str:
    """What a link for somebody who looks on is to show, or ``MoveRefused``."""
    scopes = (PairLink.Scope.WATCH, PairLink.Scope.COACH)
    if given not in scopes:
        raise MoveRefused("unknown_scope", f"A scope is one of {', '.join(scopes)}.", "scope")
    return given
