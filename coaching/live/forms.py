"""What is checked of a comment and of a verdict before a service sees it."""

from __future__ import annotations

from typing import Any

from django import forms

from coaching.live.models import Comment, Verdict
from coaching.room.models import Rubric
from negotiation.models import Game


class CommentForm(forms.Form):
    """A comment on a turn, or with ``parent`` an answer."""

    text = forms.CharField(max_length=2000, error_messages={"required": "Write the comment first."})
    turn = forms.IntegerField(required=False, min_value=0)
    parent = forms.ModelChoiceField(queryset=Comment.objects.none(), required=False)

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parent: forms.ModelChoiceField = self.fields["parent"]  # type: ignore[assignment]
        parent.queryset = Comment.objects.filter(game=game)

    def clean_turn(self) -> int:
        """The opening, where none is named."""
        return self.cleaned_data["turn"] or 0


class VerdictForm(forms.Form):
    """A grade and a sentence; why it differs from the machine's score, and a rubric that it rests on."""

    grade = forms.ChoiceField(
        choices=Verdict.Grade.choices, error_messages={"required": "Choose one of the four words."}
    )
    sentence = forms.CharField(
        max_length=280, error_messages={"required": "Say in a sentence what it rests on."}
    )
    differs = forms.CharField(max_length=1000, required=False)
    rubric = forms.ModelChoiceField(queryset=Rubric.objects.none(), required=False)

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rubric: forms.ModelChoiceField = self.fields["rubric"]  # type: ignore[assignment]
        rubric.queryset = Rubric.objects.filter(team=game.team)
