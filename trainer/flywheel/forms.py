"""The forms of the data room."""

from __future__ import annotations

from typing import Any

from django import forms

from trainer.flywheel import names
from trainer.flywheel.filters import Filters
from trainer.flywheel.models import Dataset, Episode, TranscriptImport
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.schedule.models import Retraining
from trainer.flywheel.transcripts import COLUMNS, Mapping, scenarios_open

PARTS = {"sources": "source", "scenarios": "scenario", "personas": "persona", "seats": "seat"}


class FiltersForm(forms.Form):
    """What a dataset is made of. Nothing ticked in a group lets all of it through."""

    style = forms.ChoiceField(
        label="For a model that reads",
        choices=[
            ("brief", "figures only, as the apprentice does"),
            ("full", "words, as an instruct model does"),
        ],
    )
    sources = forms.MultipleChoiceField(label="Where from", required=False)
    scenarios = forms.MultipleChoiceField(label="Deal", required=False)
    personas = forms.MultipleChoiceField(label="Opponent", required=False)
    seats = forms.MultipleChoiceField(label="Seat", required=False)
    least = forms.FloatField(label="Least share of the zone, %", min_value=0, max_value=100)
    validation = forms.FloatField(label="Set aside to validate, %", min_value=0, max_value=50)
    unknown = forms.BooleanField(label="Also where the share is not known", required=False)
    pool = forms.BooleanField(label="Only deals that beat a trained model", required=False)
    once = forms.BooleanField(label="Of near-duplicates only the best", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = {
            "sources": list(Episode.Source.choices),
            "scenarios": names.scenario_choices(),
            "personas": names.persona_choices(),
            "seats": list(names.SEATS.items()),
        }
        for name, listed in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101  # declared above
            field.choices = listed

    @staticmethod
    def of(filters: Filters) -> dict[str, Any]:
        """The data of a form that says these filters."""
        data = filters.to_json()
        return {**data, "least": 100 * filters.least, "validation": 100 * filters.validation}

    def hidden(self) -> list[tuple[str, str]]:
        """What was chosen, once it is valid, to be sent along once more."""
        found: list[tuple[str, str]] = []
        for name, value in self.cleaned_data.items():
            if isinstance(value, list):
                found += [(name, each) for each in value]
            elif value is not False:
                found.append((name, "on" if value is True else str(value)))
        return found

    def filters(self) -> Filters:
        """What was chosen, once it is valid."""
        chosen = self.cleaned_data
        return Filters(
            style=chosen["style"],
            **{name: tuple(chosen[name]) for name in PARTS},
            least=chosen["least"] / 100,
            validation=chosen["validation"] / 100,
            unknown=chosen["unknown"],
            pool=chosen["pool"],
            once=chosen["once"],
        )


class FreezeForm(forms.Form):
    """What a frozen dataset is called."""

    name = forms.CharField(label="Name", max_length=80)
    note = forms.CharField(label="Note", max_length=300, required=False)


class ExcludeForm(forms.Form):
    """Why a deal is left out."""

    note = forms.CharField(label="Why", max_length=300)


class ImportForm(forms.Form):
    """A file, where it is from, and on what grounds it may be used."""

    name = forms.CharField(label="Name", max_length=80)
    file = forms.FileField(label="File")
    origin = forms.CharField(label="Where it is from", max_length=300)
    licence = forms.CharField(label="Licence", max_length=120)
    consent = forms.ChoiceField(
        label="The people in it", choices=[("", "Choose"), *TranscriptImport.Consent.choices]
    )


class MappingForm(forms.Form):
    """Which column is what."""

    seat = forms.ChoiceField(label="Their seat", choices=list(names.SEATS.items()))
    scenario = forms.ChoiceField(label="The deal")
    learner = forms.CharField(label="Whose moves are learnt", max_length=80)
    factor = forms.FloatField(label="Sums are times", min_value=1e-6, max_value=1e9)

    LABELS = {
        "conversation": "Conversation", "speaker": "Speaker", "text": "Words", "offer": "Offer", "ending": "Ending",
        "limit": "The learner’s limit", "other_limit": "The other side’s limit",
    }  # fmt: skip

    def __init__(self, *args: Any, columns: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for part in COLUMNS:
            self.fields[part] = forms.ChoiceField(
                label=self.LABELS[part],
                choices=[("", "not in the file"), *((column, column) for column in columns)],
                required=False,
            )
        scenario = self.fields["scenario"]
        assert isinstance(scenario, forms.ChoiceField)  # noqa: S101  # declared above
        scenario.choices = [(each.id, each.title) for each in scenarios_open().values()]

    @property
    def columns(self) -> list[forms.BoundField]:
        """The fields that name columns."""
        return [self[part] for part in COLUMNS]

    def mapping(self) -> Mapping:
        """What was chosen, once it is valid."""
        return Mapping.from_json(self.cleaned_data)


class DecisionForm(forms.Form):
    """Why a model is promoted, held, or rolled back."""

    reason = forms.CharField(label="Why", max_length=300)


class RunForm(forms.Form):
    """What a training run starts from, and how far it goes."""

    name = forms.CharField(label="Name", max_length=80)
    recipe = forms.ChoiceField(
        label="What is done",
        choices=[
            choice for choice in TrainingRun.Recipe.choices if choice[0] != TrainingRun.Recipe.GATE.value
        ],
    )
    dataset = forms.ModelChoiceField(
        label="Dataset", queryset=Dataset.objects.none(), required=False, empty_label="None"
    )
    start = forms.ModelChoiceField(
        label="Go on from",
        queryset=Generation.objects.none(),
        required=False,
        empty_label="Nothing: a fresh adapter",
    )
    base = forms.CharField(label="Base model, a folder", max_length=500, required=False)
    sft_steps = forms.IntegerField(label="Steps of learning", min_value=1, max_value=1_000_000, initial=500)
    grpo_steps = forms.IntegerField(label="Steps of playing", min_value=1, max_value=1_000_000, initial=100)
    minutes = forms.IntegerField(
        label="At most so many minutes", min_value=1, max_value=100_000, required=False
    )
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=2**31 - 1, initial=0)
    with_pool = forms.BooleanField(
        label="Also play against the exploit pool: the deals in which people beat a model", required=False
    )
    then_judge = forms.BooleanField(
        label="Judge it against the champion as soon as it is done", required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, found in (("dataset", Dataset.objects.all()), ("start", Generation.objects.all())):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  # declared above
            field.queryset = found


class RetrainingForm(forms.ModelForm):
    """When models are trained anew by themselves."""

    class Meta:
        model = Retraining
        fields = (
            *(
                "weekday",
                "hour",
                "least_new",
                "recipe",
                "base",
                "sft_steps",
                "grpo_steps",
                "minutes",
                "go_on",
            ),
        )
        labels = {
            "weekday": "Day", "hour": "Hour, UTC", "least_new": "Only with at least so many new deals",
            "recipe": "What is done", "base": "Base model, a folder", "sft_steps": "Steps of learning",
            "grpo_steps": "Steps of playing", "minutes": "At most so many minutes",
            "go_on": "Go on from the champion, where there is one",
        }  # fmt: skip
