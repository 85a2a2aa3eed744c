"""Case files: what is wrong is said all at once, by line and key; what ships is as rich as a deal needs."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from negotiation.engine.coalition.case import coalition_cases
from negotiation.engine.deal import scenarios
from negotiation.engine.deal.case.acts import ACTS, TOPICS
from negotiation.engine.deal.case.declared import Argument, Claim, DealCase, Fact, Need, Objection, SeatCase
from negotiation.engine.deal.case.drawn import clause
from negotiation.engine.deal.case.file import CaseError, case_path, cases, ground_of, read_case
from negotiation.engine.deal.scenario_file import read_scenario

TABLETS = case_path("procurement_hardware").read_text(encoding="utf-8")
GROUND = ground_of(scenarios()["procurement_hardware"])
ALL: dict[str, DealCase] = {**cases(), **coalition_cases()}
SIDES = [(f"{id_}-{seat}", side) for id_, case in ALL.items() for seat, side in case.seats.items()]
Entry = Fact | Need | Objection | Argument | Claim


def entries(side: SeatCase) -> list[Entry]:
    return [*side.facts, *side.needs, *side.objections, *side.arguments, *side.never]


each_side = pytest.mark.parametrize("side", [side for _, side in SIDES], ids=[name for name, _ in SIDES])


def said_of(text: str) -> list[str]:
    with pytest.raises(CaseError) as caught:
        read_case(text, "x.toml", GROUND)
    return str(caught.value).splitlines()


def line(begins: str) -> int:
    """On which line of the shipped text something begins."""
    return next(n for n, each in enumerate(TABLETS.splitlines(), 1) if each.startswith(begins))


def edited(old: str, new: str) -> str:
    assert old in TABLETS
    return TABLETS.replace(old, new, 1)


MORE = line('pain.carts = "a battery')
CARTS, LATE, LOTS = line("pain.carts"), line("payment.late"), line("risk.lots")
BROKEN = [
    (
        'pain.carts = { guard = 0, on = "ready"',
        'pain.carts = { guard = 4, on = "ready"',
        f"x.toml, line {CARTS}: buyer.facts.pain.carts.guard: 4 is not in [0, 3]",
    ),
    (
        'pain.carts = { guard = 0, on = "ready"',
        'pain.carts = { guard = 0, on = "redy"',
        f"x.toml, line {CARTS}: buyer.facts.pain.carts.on:",
    ),
    (
        "pain.carts = { guard = 0",
        "pains.carts = { guard = 0",
        f"x.toml, line {CARTS}: buyer.facts.pains: is not a topic; there are pain,",
    ),
    (
        "our treasurer, Lorraine Voss, counts the cash days for the bond covenant",
        "our treasurer, Lorraine Voss, counts the cash days for the bond covenant.",
        f"x.toml, line {line('payment.bond')}: buyer.facts.payment.bond.says: ends with a mark",
    ),
    (
        "our treasurer, Lorraine Voss, counts",
        "our treasurer, the good and patient and very old Lorraine Voss of the second floor, sits and counts",
        f"x.toml, line {line('payment.bond')}: buyer.facts.payment.bond.says: has 25 words, expected at most 20",
    ),
    (
        'hits = "spare", proof = true',
        'hits = "spares", proof = true',
        f'x.toml, line {LOTS}: seller.arguments.risk.lots.hits: "spares" is not a need of another seat',
    ),
    (
        '"warranty.spares_3" = 0.8',
        '"warranty.spares_4" = 0.8',
        f"x.toml, line {line('risk.batch')}: buyer.objections.risk.batch.answers: warranty.spares_4 is not an argument",
    ),
    (
        'hold = 0.10, says = "a whole lot',
        'hold = 0.30, says = "a whole lot',
        f"x.toml, line {line('risk.batch')}: buyer.objections.risk.batch.hold: 0.3 is not in (0, 0.2]",
    ),
    (
        "payment.bond = {",
        "payment.late = {",
        f"x.toml, line {line('payment.bond')}: is not TOML: Cannot overwrite a value",
    ),
    (
        "payment.bond = {",
        "pain.late = {",
        f'x.toml, line {LATE}: buyer.facts.payment.late: "late" is taken by another of its kind',
    ),
    (
        '"payment.net_60", "payment.net_90"',
        '"payment.net_60", "payment.net_99"',
        f'x.toml, line {line("credit =")}: buyer.needs.credit.options: "payment.net_99" is not an option',
    ),
    (
        'guard = 2, on = "credit", says = "the state',
        'guard = 2, on = "urgency", says = "the state',
        f'x.toml, line {LATE}: buyer.facts.payment.late.says: on "urgency" needs two clauses',
    ),
    (
        'sweetener = 2, cues = ["production"',
        'sweetener = 3, cues = ["production"',
        f"x.toml, line {line('line =')}: seller.needs.line.sweetener: 3 is not in [1, 2]",
    ),
    (
        'pain.carts = "a battery',
        'pain.cart = "a battery',
        f"x.toml, line {MORE}: buyer.more.pain.cart: is neither a fact nor an objection",
    ),
    (
        'pain.carts = "a battery',
        'pain.carts = ["nothing", "much"]\npain.none = "a battery',
        f"x.toml, line {MORE}: buyer.more.pain.carts: has two clauses",
    ),
    (
        "[buyer.never]",
        "[buyer.nevr]",
        "x.toml, line 39: buyer.nevr: is not a known key; did you mean never?",
    ),
]


@pytest.mark.parametrize(("old", "new", "said"), BROKEN)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, said: str) -> None:
    found = said_of(edited(old, new))
    assert any(each.startswith(said) for each in found), found


def test_every_problem_is_named_at_once_in_the_order_of_the_file() -> None:
    text = edited('guard = 0, on = "ready"', 'guard = 9, on = "ready"').replace("hold = 0.05", "hold = 0", 1)
    found = said_of(text)
    assert [int(re.findall(r"line (\d+)", each)[0]) for each in found] == [4, 30]


def test_every_scenario_has_a_case_and_so_has_the_deal_for_three() -> None:
    assert set(cases()) == set(scenarios())
    assert set(coalition_cases()) == {"cold_store"}
    assert set(coalition_cases()["cold_store"].seats) == {"seller", "buyer_a", "buyer_b"}


def test_acts_and_topics_are_closed_lists_without_twins() -> None:
    assert len(set(ACTS)) == len(ACTS) == 26
    assert len(set(TOPICS)) == len(TOPICS) == 22


@each_side
def test_a_side_is_rich_enough_to_be_asked_about(side: SeatCase) -> None:
    assert 10 <= len(side.facts) <= 14
    assert 4 <= len(side.needs) <= 6
    assert 3 <= len(side.objections) <= 4
    assert 4 <= len(side.arguments) <= 6
    assert len(side.never) >= 2
    assert len(side.answers) >= 4
    assert 0.27 <= sum(each.hold for each in side.objections) <= 0.30
    assert {fact.guard for fact in side.facts} == {0, 1, 2, 3}


@each_side
def test_everything_can_be_recognised_by_its_words(side: SeatCase) -> None:
    for each in entries(side):
        assert each.cues, each


@each_side
def test_more_can_be_said_of_every_fact_and_objection_without_the_name_of_an_untold_one(
    side: SeatCase,
) -> None:
    if not any(each.more for each in side.facts):
        return  # the deal for three, whose players are asked nothing
    names = {
        fact.id: {word.strip(",'") for says in fact.says for word in says.split() if word[0].isupper()}
        for fact in side.facts
    }
    public = {word for text in side.answers.values() for word in text.replace(",", "").split()}
    things: list[Fact | Objection] = [*side.facts, *side.objections]
    for each in things:
        clauses = (each.more,) if isinstance(each, Objection) else each.more
        assert all(clauses), each.id
        if isinstance(each, Fact):
            assert len(clauses) == len(each.says), each.id
        own = names.get(each.id, set()) | set(
            each.says if isinstance(each.says, str) else " ".join(each.says).split()
        )
        others = (
            set().union(*(found for id_, found in names.items() if id_ != each.id)) - own - public - {"I"}
        )
        for clause_ in clauses:
            assert not others & {word.strip(",'") for word in clause_.split()}, (each.id, clause_)


@each_side
def test_a_clause_goes_into_every_frame(side: SeatCase) -> None:
    said = [clause(fact, high) for fact in side.facts for high in (False, True)]
    said += [each.says for each in entries(side) if not isinstance(each, Fact)] + list(side.answers.values())
    said += [text for fact in side.facts for text in fact.more] + [
        each.more for each in side.objections if each.more
    ]
    for text in said:
        assert not re.search(r"[$€£%\d]", text.replace("1998", "").replace("2041", "")), text
        assert not text.endswith("."), text
        assert text[0].islower() or text.split()[0] in NAMES, text


NAMES = {"I", "English", "Constance", "Marek", "Mr", "Chief", "Professor"} | {
    word
    for _, side in SIDES
    for fact in side.facts
    for said in fact.says
    for word in said.split()
    if word[0].isupper()
}
"""Words that begin with a capital wherever they stand."""


@pytest.mark.parametrize("id_", ALL)
def test_every_objection_can_be_answered_with_words_and_every_argument_has_something_to_hear_first(
    id_: str,
) -> None:
    for seat, side in ALL[id_].seats.items():
        others = [other for name, other in ALL[id_].seats.items() if name != seat]
        arguments = {each.id for other in others for each in other.arguments}
        for objection in side.objections:
            assert arguments & set(objection.answers), (seat, objection.id)
        told = {fact.need for other in others for fact in other.facts}
        for argument in side.arguments:
            answers = any(argument.id in each.answers for other in others for each in other.objections)
            assert argument.hits in told or answers, (seat, argument.id)


def test_no_two_scenarios_share_their_furniture() -> None:
    """A name or a place of one world does not turn up in another."""
    found = defaultdict(set)
    for id_, case in ALL.items():
        for side in case.seats.values():
            for each in entries(side):
                for cue in each.cues:
                    found[cue].add(id_)
    capitals = {cue: ids for cue, ids in found.items() if any(word[0].isupper() for word in cue.split())}
    months = {
        "January",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "October",
        "November",
        "December",
        "Monday",
    }
    assert {cue: ids for cue, ids in capitals.items() if len(ids) > 1 and cue not in months} == {}


def test_the_example_in_the_documentation_is_a_case_of_the_example_scenario() -> None:
    page = (case_path("x").parents[4] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    scenario, case = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    found = read_case(case, "docs/scenarios.md", ground_of(read_scenario(scenario, "docs/scenarios.md")))
    assert [fact.id for fact in found.seats["buyer"].facts] == ["test", "called"]
