"""Scenario files: what is wrong is said all at once, by line and key; what ships is as deep as it claims."""

from __future__ import annotations

import copy
import tomllib
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.deal import ScenarioError, scenarios
from negotiation.engine.deal.scenario_file import SCENARIO_DIR, parse_scenario, read_scenario
from negotiation.engine.deal.scenario_sanity import price_width, sanity
from negotiation.engine.deal.toml_lines import line_of, lines_of
from tests.effort import times

TEXTS = {
    path.stem.partition("_")[2]: path.read_text(encoding="utf-8") for path in SCENARIO_DIR.glob("*.toml")
}
SAAS, TABLETS = TEXTS["saas_enterprise"], TEXTS["procurement_hardware"]
MULTI_ISSUE = ["procurement_hardware", "software_licensing", "commercial_lease"]


def said_of(text: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read_scenario(text, "x.toml")
    return str(caught.value).splitlines()


def edited(text: str, old: str, new: str, count: int = 1) -> str:
    assert old in text
    return text.replace(old, new, count)


BROKEN = [
    (SAAS, 'title = "Enterprise software contract"\n', "", ["x.toml: title: is missing, expected text"]),
    (SAAS, "jitter = 0.045", "jitter = 0.7", ["x.toml, line 23: seller.jitter: 0.7 is not in [0, 0.3)"]),
    (SAAS, "jitter = 0.045", "jitter = 0.3", ["x.toml, line 23: seller.jitter: 0.3 is not in [0, 0.3)"]),
    (SAAS, "jitter = 0.045", 'jitter = "some"', ['x.toml, line 23: seller.jitter: "some" is not a number']),
    (SAAS, "jitter = 0.045", "jitter = true", ["x.toml, line 23: seller.jitter: true is not a number"]),
    (SAAS, "jitter = 0.045", "jitter = nan", ["x.toml, line 23: seller.jitter: nan is not a number"]),
    (
        SAAS,
        "sensitivity = 0.35",
        "sensitivty = 0.35",
        [
            "x.toml, line 15: seller.sensitivity: is missing, expected a number in [0, 2]",
            "x.toml, line 30: seller.sensitivty: is not a known key; did you mean sensitivity?",
        ],
    ),
    (
        SAAS,
        "horizon = 20",
        "horizon = 20.5",
        ["x.toml, line 10: horizon: 20.5 is not a whole number"],
    ),
    (
        SAAS,
        "turn = 14",
        "turn = 30",
        ["x.toml, line 57: drift[2].turn: 30 is beyond the horizon of 20 turns"],
    ),
    (
        SAAS,
        'id = "quarter_end"',
        'id = "competitor_price_drop"',
        ['x.toml, line 56: drift[2].id: "competitor_price_drop" is taken by drift[1]'],
    ),
    (
        SAAS,
        'id = "rates_up"',
        'id = "quarter_end"',
        ['x.toml, line 63: market[1].id: "quarter_end" is taken by drift[2]'],
    ),
    (
        SAAS,
        'setting = "contract"',
        'setting = "contrat"',
        [
            'x.toml, line 5: setting: "contrat" is not one of "", "contract", "job", "company"; '
            'did you mean "contract"?'
        ],
    ),
    (
        SAAS,
        "urgency = [0.20, 0.75]",
        "urgency = [0.75, 0.20]",
        ["x.toml, line 25: seller.urgency: [0.75, 0.2] has its low end above its high end"],
    ),
    (
        SAAS,
        "budget_gap = [0.06, 0.14]",
        "budget_gap = 0.06",
        ["x.toml, line 24: seller.budget_gap: 0.06 is not two numbers [low, high]"],
    ),
    (
        SAAS,
        "market_events_per_game = [1, 2]",
        "market_events_per_game = [1, 6]",
        ["x.toml, line 13: market_events_per_game: 6 is more than the 5 tables [[market]]"],
    ),
    (
        SAAS,
        "walk_away = 165_000",
        "walk_away = 120_000",
        ["x.toml, line 39: buyer.walk_away: 120000 is not above seller.walk_away (125000)"],
    ),
    (
        SAAS,
        "opening = 180_000",
        "opening = 18_000",
        [
            "x.toml, line 29: seller.opening: 18000 is not between plausible_low (60000) and plausible_high (300000)"
        ],
    ),
    (
        SAAS,
        "seller = { walk_away = -0.025, urgency = 0.25 }\nbuyer = { urgency = 0.05 }",
        "",
        [
            "x.toml, line 55: drift[2]: changes neither seller nor buyer, expected a table for at least one of them"
        ],
    ),
    (
        SAAS,
        "alternative = true }",
        "alternatives = true }",
        ["x.toml, line 53: drift[1].buyer.alternatives: is not a known key; did you mean alternative?"],
    ),
    (
        SAAS,
        'giver = "seller"',
        'giver = "landlord"',
        ['x.toml, line 93: sweetener[1].giver: "landlord" is not one of "seller", "buyer"'],
    ),
    (
        SAAS,
        'currency = "$"',
        'currency = "CHF"',
        ['x.toml, line 4: currency: "CHF" is not one of "$", "€", "£", "¥"'],
    ),
    (SAAS, "[seller]", "[sellers]", ["x.toml: seller: is missing, expected a table"]),
    (
        TABLETS,
        'id = "w8"',
        'id = "w12"',
        ['x.toml, line 61: issue[1].option[2].id: "w12" is taken by issue[1].option[1]'],
    ),
    (
        TABLETS,
        'id = "payment"',
        'id = "price"',
        ['x.toml, line 75: issue[2].id: "price" is taken: every deal has a price'],
    ),
    (
        TABLETS,
        'id = "payment"',
        'id = "Payment terms"',
        [
            'x.toml, line 75: issue[2].id: "Payment terms" is not an id: '
            "a small letter, then small letters, digits or _, at most 64"
        ],
    ),
    (
        TABLETS,
        "seller = -9_000\nbuyer = 38_000",
        "seller = -9_000",
        ["x.toml, line 60: issue[1].option[2].buyer: is missing, expected a number"],
    ),
    (
        SAAS,
        "horizon = 20\n",
        "horizon = 20\nhorizon = 21\n",
        ["x.toml, line 11: is not TOML: Cannot overwrite a value"],
    ),
    (SAAS, "step = 500", "step = ", ["x.toml, line 7: is not TOML: Invalid value"]),
]


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"), BROKEN, ids=[repr(case[2])[:40] for case in BROKEN]
)
def test_a_broken_file_is_refused_in_exactly_these_words(text, old, new, expected) -> None:
    said = said_of(edited(text, old, new))
    assert len(said) >= len(expected)
    for line in expected:
        assert any(found == line or found.startswith(f"{line} (") for found in said), said
    if old != "[seller]":
        assert len(said) == len(expected), said


def test_every_problem_is_named_in_one_pass_in_the_order_of_the_file() -> None:
    text = edited(SAAS, "jitter = 0.045", "jitter = 0.7", count=2)
    text = edited(text, "turn = 14", "turn = 44")
    text = edited(text, "noise = 0.014", "noise = 0.5")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(text, "x.toml")
    where = [problem.where for problem in caught.value.problems]
    lines = []
    for problem in caught.value.problems:
        key = problem.path[-1]
        assert isinstance(key, str)
        assert problem.line is not None
        assert key in text.splitlines()[problem.line - 1]
        lines.append(problem.line)
    assert where == ["seller.jitter", "buyer.jitter", "drift[2].turn", "market[5].noise"]
    assert lines == sorted(lines)


def test_more_than_128_bundles_are_refused() -> None:
    issue = '[[issue]]\nid = "i{0}"\ntitle = "T"\n' + "".join(
        f'[[issue.option]]\nid = "o{k}"\nlabel = "L{k}"\nseller = {k}\nbuyer = -{k}\n' for k in range(5)
    )
    text = TABLETS + "".join(issue.replace("{0}", str(n)) for n in range(1))
    assert said_of(text) == ["x.toml, line 49: issue: the options make 135 bundles, expected at most 128"]


def test_lines_are_found_in_inline_tables_and_past_multi_line_text() -> None:
    lines = lines_of('a = """\nb = 1\n"""\n[[t]]\nc = { d = 1 }\n[[t]]\n[[t.u]]\ne = 1\n')
    assert ("b",) not in lines
    assert line_of(lines, ("t", 1, "c", "d")) == 5
    assert line_of(lines, ("t", 2, "u", 1, "e")) == 8
    assert line_of(lines, ("elsewhere",)) is None


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every key in parsed TOML."""
    if isinstance(value, dict):
        return [p for key, inner in value.items() for p in [(*path, key), *leaves(inner, (*path, key))]]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [p for place, inner in enumerate(value) for p in leaves(inner, (*path, place))]
    return []


MUTATIONS: list[object] = [
    None,
    "renamed",
    -1,
    -1.5,
    0,
    3,
    0.5,
    1e12,
    float("inf"),
    True,
    "words",
    "",
    [],
    [1],
    ["x", "y"],
    [3, 1],
    {},
]


@settings(max_examples=times(400), deadline=None)
@given(data=st.data())
def test_a_shipped_scenario_with_one_mutation_parses_or_names_the_mutated_key(data) -> None:
    raw = copy.deepcopy(tomllib.loads(TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))]))
    *path, key = data.draw(st.sampled_from(leaves(raw)))
    mutation = data.draw(st.sampled_from(MUTATIONS))
    table: Any = raw
    for part in path:
        table = table[part]
    old = table.pop(key)
    if mutation == "renamed":
        table[f"{key}_"] = old
    elif mutation is not None:
        table[key] = mutation
    try:
        parse_scenario(raw, "x.toml")
    except ScenarioError as error:
        assert str(key) in str(error), str(error)  # noqa: PT017  # parsing is as good an answer


@pytest.mark.parametrize("name", MULTI_ISSUE)
def test_terms_are_worth_talking_about_and_some_of_them_worth_trading(name) -> None:
    scenario = scenarios()[name]
    bundles = list(product(*(issue.options for issue in scenario.issues)))
    joint = [sum(option.value["seller"] + option.value["buyer"] for option in bundle) for bundle in bundles]
    assert len(scenario.issues) == 3
    assert 0.30 <= max(joint) / price_width(scenario) <= 0.60
    sums = [{o.value["seller"] + o.value["buyer"] for o in issue.options} for issue in scenario.issues]
    best = [
        {seat: max(issue.options, key=lambda o: o.value[seat]).id for seat in ("seller", "buyer")}
        for issue in scenario.issues
    ]
    assert any(len(total) == 1 for total in sums), "one issue is purely distributive"
    assert any(
        one["seller"] != one["buyer"] and len(total) > 1 for one, total in zip(best, sums, strict=True)
    ), "one issue is for trading"


@pytest.mark.parametrize("name", TEXTS)
def test_every_id_of_a_file_is_its_scenario(name) -> None:
    assert read_scenario(TEXTS[name], name).id == name
    assert scenarios()[name].drift
    assert all(scenarios()[name].sweeteners_of(seat) for seat in ("seller", "buyer"))


UNWISE = [
    (
        edited(SAAS, "opening = 180_000", "opening = 150_000"),
        "seller.opening: the seller opens at $150,000, inside the other side's limit of $165,000: "
        "that much is given away",
    ),
    (
        edited(SAAS, "step = 500", "step = 5_000"),
        "step: the price zone is only 8 steps wide, 10 would be few",
    ),
    (SAAS, "erosion_rate: no conflict can collapse the zone: it takes at most 34% of it in 20 turns"),
    (
        edited(SAAS, "cost = 0.035", "cost = 0.2"),
        "sweetener[1].cost: 0.2 is not below its worth of 0.09: giving it makes nobody richer",
    ),
    (
        edited(SAAS, 'giver = "buyer"', 'giver = "seller"', count=2),
        "sweetener: the buyer has none: the sweetener card is dead in that seat",
    ),
    (
        edited(TABLETS, "buyer = 38_000", "buyer = 500_000"),
        "issue[1]: to the buyer it outweighs the price: 500000 is more than the price zone",
    ),
    (
        edited(TABLETS, "seller = -9_000\nbuyer = 38_000", "seller = 1\nbuyer = 60_000")
        .replace("buyer = 9_000", "buyer = -1")
        .replace("buyer = 18_000", "buyer = -2"),
        "issue: one bundle dominates: 8 weeks, net 30, 3 years, spares on site is best for both sides, "
        "nothing is traded",
    ),
]


@pytest.mark.parametrize(("text", "warning"), UNWISE, ids=[case[1][:24] for case in UNWISE])
def test_what_is_unwise_is_said_and_not_refused(text, warning) -> None:
    assert warning in [str(found) for found in sanity(read_scenario(text, "x.toml"))]


def test_the_shipped_scenario_that_can_collapse_is_not_warned_about() -> None:
    assert sanity(scenarios()["acquisition_term_sheet"]) == ()


def test_the_example_in_the_documentation_is_a_scenario_without_a_remark() -> None:
    page = (SCENARIO_DIR.parents[3] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    assert sanity(read_scenario(example, "docs/scenarios.md")) == ()
