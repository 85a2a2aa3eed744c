"""The figures of a debrief: the turns apart from the end, the currency of the scenario, a table for each."""

from __future__ import annotations

import pytest

from coaching.analysis.debrief import END_TERMS, TERM_LABELS
from coaching.selectors import debrief_of, figures_of
from negotiation.models import Game

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_end_does_not_dwarf_the_turns(over: Game) -> None:
    debrief = debrief_of(over)
    drawn = {figure["id"]: figure for figure in figures_of(debrief)}
    ends = {TERM_LABELS[name] for name in END_TERMS}
    assert not ends & {trace["name"] for trace in drawn["terms"]["plotly"]["data"]}
    [bars] = drawn["ending"]["plotly"]["data"]
    assert bars["y"][0] == "All turns together"
    assert set(bars["y"][1:]) <= ends
    assert sum(bars["x"]) == pytest.approx(debrief["headline"]["total_reward"])
    labels = drawn["ending"]["plotly"]["layout"]["yaxis"]["ticktext"]
    assert [label.split("<br>")[0] for label in labels] == bars["y"]


def test_money_wears_the_currency_of_its_scenario(over: Game) -> None:
    debrief = debrief_of(over)
    assert debrief["currency"] == "$"
    figures = figures_of({**debrief, "currency": "€"})
    prefixes = {figure["id"]: figure["plotly"]["layout"]["yaxis"].get("tickprefix") for figure in figures}
    assert prefixes["offers"] == "€"
    assert prefixes["tension"] is None


def test_every_figure_has_its_numbers(over: Game) -> None:
    for figure in figures_of(debrief_of(over)):
        table = figure["table"]
        assert table["rows"]
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
