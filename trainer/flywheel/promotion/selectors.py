"""Reads about generations: the evidence of a gate, the birth certificate, the trail of decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from coaching.analysis.plots import Figure, figure
from negotiation.serving.models import Adapter
from trainer.flywheel import names
from trainer.flywheel.models import Episode
from trainer.flywheel.promotion.lineage import ancestors, datasets_of, deals_withdrawn, entries_of
from trainer.flywheel.promotion.models import Generation, PromotionDecision
from trainer.flywheel.promotion.serving import adapter_of
from trainer.flywheel.runs.judging import report_of
from trainer.flywheel.runs.models import TrainingRun

LEAST_PEOPLE = 5
"""Fewer people than this are never told apart: figures about them would be about somebody."""
SIDES = (("candidate", "The run", "own"), ("champion", "The champion", "theirs"))


@dataclass(frozen=True, slots=True)
class Weighed:
    """One criterion as a page shows it; ``apart`` is empty where the run is not weighed against the champion."""

    title: str
    rule: str
    passed: bool
    candidate: str
    champion: str
    apart: str


def criteria_of(gate: TrainingRun) -> list[Weighed]:
    """Every criterion of a gate, in words and figures."""
    return [
        Weighed(
            title=each["title"],
            rule=each["rule"],
            passed=each["passed"],
            candidate=_figure_text(each["candidate"]),
            champion=_figure_text(each["champion"]),
            apart=_figure_text(each["apart"], signed=True) if each["apart"] else "",
        )
        for each in report_of(gate).get("criteria", [])
    ]


def _figure_text(found: dict[str, Any] | None, *, signed: bool = False) -> str:
    if found is None:
        return "not measured"
    low, high = found["ci95"]
    form = "+.3f" if signed else ".3f"
    return f"{found['mean']:{form}} [{low:{form}}, {high:{form}}]"


def evidence_of(gate: TrainingRun) -> list[Figure]:
    """The gate's figures: against each persona, and against each reference strategy in the other chair."""
    report = report_of(gate)
    if not report:
        return []
    return [
        _side_by_side(
            "gate-personas",
            "Share won from each persona",
            "Mean over the held-out deals, with 95% intervals. No deal counts 0.",
            {side: _named(report["table"]["by_persona"][side], names.persona_name) for side, _, _ in SIDES},
            "Persona",
        ),
        _side_by_side(
            "gate-exploited",
            "What each scripted response wins from it",
            "The strategies sit in the player’s chair and the model in the persona’s; the highest bar is what counts.",
            {
                side: _named(report["exploited"][side], lambda name: name.replace("_", " "))
                for side, _, _ in SIDES
            },
            "Strategy",
        ),
    ]


def _named(found: dict[str, Any], name_of: Any) -> dict[str, Any]:
    return {name_of(key): value for key, value in found.items()}


def _side_by_side(
    ident: str, title: str, summary: str, sides: dict[str, dict[str, Any]], column: str
) -> Figure:
    data = []
    for side, name, role in SIDES:
        found = {key: value for key, value in sides[side].items() if value is not None}
        means = [value["mean"] for value in found.values()]
        data.append(
            {
                "type": "bar",
                "name": name,
                "x": list(found),
                "y": means,
                "meta": {"role": role},
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": [value["ci95"][1] - value["mean"] for value in found.values()],
                    "arrayminus": [value["mean"] - value["ci95"][0] for value in found.values()],
                },
            }
        )
    rows = [
        [key, *(_figure_text(sides[side].get(key)) for side, _, _ in SIDES)] for key in sides["candidate"]
    ]
    layout = {"barmode": "group", "yaxis": {"title": {"text": "share of the zone"}, "rangemode": "tozero"}}
    return figure(ident, title, summary, data, layout, [column, *(name for _, name, _ in SIDES)], rows)


def measures_of(gate: TrainingRun) -> list[tuple[str, str, str]]:
    """Every measure of the evaluation: its title, the run's figure, the champion's."""
    table = report_of(gate).get("table", {})
    return [
        (about["title"], *(_figure_text(table["players"][side].get(ident)) for side, _, _ in SIDES))
        for ident, about in table.get("measures", {}).items()
        if any(table["players"][side].get(ident) for side, _, _ in SIDES)
    ]


def decisions() -> QuerySet[PromotionDecision]:
    """Every decision, latest first."""
    found: QuerySet[PromotionDecision] = PromotionDecision.objects.all()
    return found.select_related("gate__candidate", "before", "after", "by")


def generations() -> list[dict[str, Any]]:
    """Every generation, latest first, with where it stands at the model server and what it lost."""
    return [
        {
            "generation": each,
            "adapter": adapter_of(each),
            "spread": 2 * each.deviation,
            "withdrawn": deals_withdrawn(each.run),
        }
        for each in Generation.objects.select_related("run", "gate")
    ]


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where a model comes from. ``people`` is in words where there are too few to be counted apart."""

    generation: Generation
    spread: float
    adapter: Adapter | None
    deals: int
    decisions: int
    people: str
    origins: list[str]
    scenarios: list[tuple[str, int]]
    withdrawn: int
    steps: list[TrainingRun]
    criteria: list[Weighed]
    episodes: int
    decision: PromotionDecision | None


def certificate_of(generation: Generation) -> Certificate:
    """The birth certificate: what it learnt from, how, and which gate it passed."""
    entries = entries_of(generation.run)
    episodes = Episode.objects.filter(pk__in=entries.values("episode"))
    people = episodes.exclude(person="").order_by().values("person").distinct().count()
    brought = (
        episodes.filter(brought__isnull=False).values_list("brought__name", "brought__licence").distinct()
    )
    counted = episodes.order_by().values_list("scenario").annotate(n=Count("pk")).order_by("-n")
    report = report_of(generation.gate)
    return Certificate(
        generation=generation,
        spread=2 * generation.deviation,
        adapter=adapter_of(generation),
        deals=episodes.count(),
        decisions=sum(episodes.values_list("records", flat=True)),
        people=people_in_words(people),
        origins=[f"{name} ({licence})" for name, licence in brought.order_by("brought__name")],
        scenarios=[(names.scenario_title(scenario), count) for scenario, count in counted],
        withdrawn=deals_withdrawn(generation.run),
        steps=list(ancestors(generation.run)),
        criteria=criteria_of(generation.gate),
        episodes=report.get("table", {}).get("episodes", {}).get("candidate", 0),
        decision=PromotionDecision.objects.filter(after=generation, action=PromotionDecision.Action.PROMOTE)
        .select_related("by")
        .first(),
    )


def people_in_words(people: int) -> str:
    """How many people, where that tells nobody apart."""
    if people == 0:
        return "nobody who played here"
    return f"fewer than {LEAST_PEOPLE} people" if people < LEAST_PEOPLE else f"{people} people"


def teachers_of(generation: Generation) -> QuerySet[Episode]:
    """Which deals taught it, those withdrawn since among them: for staff."""
    entries = entries_of(generation.run)
    return Episode.objects.filter(pk__in=entries.values("episode")).select_related("brought")


def datasets_behind(generation: Generation) -> list[Any]:
    """The datasets that it and everything that it stands on learnt from."""
    return datasets_of(generation.run)
