"""The form that opens a new deal."""

from __future__ import annotations

from typing import Any

from django import forms

from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.serving.choices import STRATEGIST, Voice, named, voices


class DealForm(forms.Form):
    """Which deal, against whom, from which seat, how hard; and who speaks there, where there is a choice."""

    scenario = forms.ChoiceField(error_messages={"invalid_choice": "There is no such scenario."})
    persona = forms.ChoiceField(error_messages={"invalid_choice": "There is no such opponent."})
    seat = forms.ChoiceField(choices=[("seller", "Seller"), ("buyer", "Buyer")])
    difficulty = forms.FloatField(min_value=0, max_value=1, initial=0.5)
    voice = forms.ChoiceField(
        required=False,
        error_messages={"invalid_choice": "That opponent is not at hand at the moment. Choose another."},
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["scenario"].choices = [(s.id, s.title) for s in catalogue.playable().values()]  # type: ignore[attr-defined]
        self.fields["persona"].choices = [(p.id, p.name) for p in personas().values()]  # type: ignore[attr-defined]
        self.voices: list[Voice] = voices()
        self.fields["voice"].choices = [  # type: ignore[attr-defined]
            (voice.value, voice.title) for voice in self.voices or [STRATEGIST]
        ]

    def game(self) -> dict[str, Any]:
        """What ``game_create`` takes of a form that is filled in well."""
        chosen = {key: value for key, value in self.cleaned_data.items() if key != "voice"}
        voice = named(self.cleaned_data["voice"], self.voices) or STRATEGIST
        return {**chosen, "opponent": voice.opponent, "opponent_model": voice.model_for(chosen["persona"])}
