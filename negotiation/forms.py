"""The form that opens a new deal."""

from __future__ import annotations

from django import forms

from negotiation import catalogue
from negotiation.engine.deal import personas


class DealForm(forms.Form):
    """Which deal, against whom, from which seat, how hard."""

    scenario = forms.ChoiceField(error_messages={"invalid_choice": "There is no such scenario."})
    persona = forms.ChoiceField(error_messages={"invalid_choice": "There is no such opponent."})
    seat = forms.ChoiceField(choices=[("seller", "Seller"), ("buyer", "Buyer")])
    difficulty = forms.FloatField(min_value=0, max_value=1, initial=0.5)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["scenario"].choices = [(s.id, s.title) for s in catalogue.playable().values()]  # type: ignore[attr-defined]
        self.fields["persona"].choices = [(p.id, p.name) for p in personas().values()]  # type: ignore[attr-defined]
