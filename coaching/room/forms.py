"""What managers fill in: assignments, rubrics, how long words are kept."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.utils import timezone

from accounts.models import Team, User
from coaching.room.models import Assignment, Rubric
from coaching.room.rubrics import MAX_CHECKS, rubrics_of, rule_choices
from coaching.room.setting import persona_choices, scenario_choices


class AssignmentForm(forms.Form):
    """One deal to be set. ``deadline`` is the wall clock of ``zone``, which the browser tells."""

    title = forms.CharField(max_length=80)
    note = forms.CharField(max_length=400, required=False, widget=forms.Textarea)
    scenario = forms.ChoiceField()
    persona = forms.ChoiceField()
    seat = forms.ChoiceField(choices=Assignment.Seat.choices, initial="seller")
    difficulty = forms.FloatField(min_value=0, max_value=1, initial=0.5)
    pass_percent = forms.IntegerField(min_value=0, max_value=100, required=False, initial=50)
    rubric = forms.ModelChoiceField(queryset=Rubric.objects.none(), required=False, empty_label="None")
    attempts_allowed = forms.IntegerField(min_value=1, max_value=20, initial=3)
    deadline = forms.DateTimeField(
        required=False, input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"]
    )
    zone = forms.CharField(required=False, max_length=64)
    whole_team = forms.TypedChoiceField(
        choices=[("yes", "Every rep, also those who join later"), ("no", "Only these")],
        coerce=lambda value: value == "yes",
        initial="yes",
    )
    assignees = forms.ModelMultipleChoiceField(queryset=User.objects.none(), required=False)

    def __init__(self, *args: Any, team: Team, keep_deadline: datetime | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.keep_deadline = keep_deadline
        self.fields["scenario"].choices = scenario_choices()  # type: ignore[attr-defined]
        self.fields["persona"].choices = persona_choices()  # type: ignore[attr-defined]
        self.fields["rubric"].queryset = rubrics_of(team)  # type: ignore[attr-defined]
        members = User.objects.filter(memberships__team=team, is_active=True).order_by(
            "display_name", "email"
        )
        self.fields["assignees"].queryset = members  # type: ignore[attr-defined]

    def clean_deadline(self) -> datetime | None:
        """The moment that the browser's wall clock means, which must still come unless it was set before."""
        typed: datetime | None = self.cleaned_data["deadline"]
        if typed is None:
            return None
        try:
            zone = ZoneInfo(self.data.get("zone") or "UTC")
        except (ZoneInfoNotFoundError, ValueError):
            zone = ZoneInfo("UTC")
        moment = timezone.make_naive(typed, ZoneInfo("UTC")).replace(tzinfo=zone)
        if self.keep_deadline is not None and abs((moment - self.keep_deadline).total_seconds()) < 60:
            return self.keep_deadline
        if moment <= timezone.now():
            raise forms.ValidationError("That moment has passed.")
        return moment

    def clean(self) -> dict[str, Any]:
        """Something to pass by, and somebody to pass it."""
        data = super().clean() or {}
        if data.get("pass_percent") is None and not data.get("rubric"):
            self.add_error("pass_percent", "Set a share, a rubric, or both: else nothing can be passed.")
        if data.get("whole_team") is False and not data.get("assignees"):
            self.add_error("assignees", "Choose at least one person.")
        return data

    def terms(self) -> dict[str, Any]:
        """The fields of the assignment, as the services take them."""
        data = dict(self.cleaned_data)
        data.pop("zone")
        data["assignees"] = list(data["assignees"])
        percent = data.pop("pass_percent")
        data["pass_efficiency"] = None if percent is None else percent / 100
        return data


def initial_of(assignment: Assignment) -> dict[str, Any]:
    """An assignment as its form shows it; the deadline is written by the browser, in its own zone."""
    share = assignment.pass_efficiency
    return {
        "title": assignment.title,
        "note": assignment.note,
        "scenario": assignment.scenario,
        "persona": assignment.persona,
        "seat": assignment.seat,
        "difficulty": assignment.difficulty,
        "pass_percent": None if share is None else round(share * 100),
        "rubric": assignment.rubric_id,
        "attempts_allowed": assignment.attempts_allowed,
        "deadline": assignment.deadline,
        "whole_team": "yes" if assignment.whole_team else "no",
        "assignees": [user.pk for user in assignment.assignees.all()],
    }


class RubricForm(forms.Form):
    """Yes/no checks: some that the log answers, some, one to a line, that a manager will tick."""

    name = forms.CharField(max_length=80)
    auto = forms.MultipleChoiceField(required=False, choices=rule_choices())
    manual = forms.CharField(required=False, max_length=2000, widget=forms.Textarea)
    every_deal = forms.BooleanField(required=False)

    def clean_manual(self) -> list[str]:
        """The lines that say something, each short enough to be read at a glance."""
        lines = [line.strip() for line in self.cleaned_data["manual"].splitlines() if line.strip()]
        for line in lines:
            if len(line) > 160:
                raise forms.ValidationError(f"A check has at most 160 characters: “{line[:40]}…”")
        return lines

    def clean(self) -> dict[str, Any]:
        """At least one check, and not more than anybody reads."""
        data = super().clean() or {}
        count = len(data.get("auto", [])) + len(data.get("manual", []))
        if not self.errors and count == 0:
            self.add_error("manual", "Choose or write at least one check.")
        if count > MAX_CHECKS:
            self.add_error("manual", f"At most {MAX_CHECKS} checks: more are not read.")
        return data


class RetentionForm(forms.Form):
    """How long the words of a team's deals are kept; empty, as the house keeps them."""

    retention_days = forms.IntegerField(min_value=1, max_value=3650, required=False)
