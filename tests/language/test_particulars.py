"""Particulars: a question that only this case can be asked gets its own answer, once, and never before its time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.acts import Asked, Talk
from negotiation.engine.deal.case.declared import Particular, SeatCase
from negotiation.engine.deal.case.file import CaseError, cases, ground_of, read_case
from negotiation.engine.deal.case.particulars import sayable
from negotiation.engine.deal.case.state import TalkState, ToldFact
from negotiation.engine.deal.listening import hear
from negotiation.engine.deal.scenario_file import scenarios
from negotiation.engine.deal.types import SIGN
from negotiation.engine.deal.wire import action_from_json, to_json

SCENARIO, PERSONA = "commercial_lease", "veteran"
SEATS = cases()[SCENARIO].seats
LANDLORD = SEATS["seller"]
FREE = "tenants_before"
"""One of the landlord's that is about nothing that has to be told first."""


def every_seat() -> Iterator[tuple[str, SeatCase]]:
    for id_, case in cases().items():
        for seat in SIGN:
            yield f"{id_}-{seat}", case.seats[seat]


each_seat = pytest.mark.parametrize(
    "side", [side for _, side in every_seat()], ids=[name for name, _ in every_seat()]
)


def of(side: SeatCase, id_: str) -> Particular:
    return next(each for each in side.particulars if each.id == id_)


def said_in(clause: str, line: str) -> bool:
    """Whether a line says a clause, however a voice cut it into sentences."""
    bare = [re.sub(r"[^\w ]", "", each.lower()) for each in (clause, line)]
    return bare[0] in bare[1]


def table() -> Negotiation:
    return Negotiation(SCENARIO, PERSONA, seat="buyer", seed=11, case=True)


def asking(*ids: str) -> Action:
    return Action(
        "Who had these floors before us?", asked=Asked(labels=("none",) * len(ids), particulars=ids)
    )


@each_seat
def test_a_case_that_ships_answers_many_particular_questions(side: SeatCase) -> None:
    assert len(side.particulars) >= 150


@each_seat
def test_what_was_not_told_or_raised_is_gone_on_about_by_nobody(side: SeatCase) -> None:
    assert not [each.about for each, _ in sayable(side, TalkState()) if each.about]


def test_a_worry_opens_nothing_about_a_fact_that_shares_its_name() -> None:
    side = cases()["procurement_hardware"].seats["buyer"]
    shared = "late"
    assert shared in side.fact
    assert shared in side.objection
    said = TalkState(raised=(shared,))
    about = f"{side.fact[shared].topic}.{shared}"
    assert [each for each in side.particulars if each.about == about]
    assert not [each for each, _ in sayable(side, said) if each.about == about]


@each_seat
def test_each_variant_of_a_fact_is_gone_on_about_with_its_own_clause(side: SeatCase) -> None:
    for fact in side.facts:
        for high in (False, True):
            told = ToldFact(
                1, fact.id, fact.topic, fact.says[-1 if high else 0], high if len(fact.says) > 1 else None
            )
            said = dict(sayable_by_id(side, TalkState(told=(told,))))
            for each in side.particulars:
                if each.about == f"{fact.topic}.{fact.id}":
                    assert said[each.id] == each.says[-1 if told.high else 0]


def sayable_by_id(side: SeatCase, said: TalkState) -> Iterator[tuple[str, str]]:
    return ((each.id, clause) for each, clause in sayable(side, said))


@each_seat
def test_no_two_particulars_of_a_seat_are_asked_for_in_the_same_words(side: SeatCase) -> None:
    asks = [ask.lower() for each in side.particulars for ask in each.asks if not each.about]
    assert len(asks) == len(set(asks))


@each_seat
def test_nothing_that_a_seat_must_not_claim_is_among_them(side: SeatCase) -> None:
    said = " ".join(clause.lower() for each in side.particulars for clause in each.says)
    assert not [each.says for each in side.never if each.says.lower() in said]


def test_a_particular_question_is_answered_and_not_its_subject() -> None:
    clause = of(LANDLORD, FREE).says[0]
    reply = table().step(asking(FREE)).reply
    assert said_in(clause, reply.text)


def test_it_is_answered_beside_an_offer_too() -> None:
    action = Action(
        "Who had them? 500,000.", offer=500_000.0, asked=Asked(labels=("none",), particulars=(FREE,))
    )
    assert said_in(of(LANDLORD, FREE).says[0], table().step(action).reply.text)


def test_what_else_was_asked_and_can_not_be_said_back_does_not_deny_the_answer() -> None:
    text = "Who had these floors before us? And what would those who wrote that letter, signed it, sent it and kept it say?"
    answered = [
        table()
        .step(Action(text, asked=Asked(labels=("none", "none"), particulars=(FREE, ""), left=left)))
        .reply.text
        for left in ((), (1,))
    ]
    assert answered[0] == answered[1]
    assert said_in(of(LANDLORD, FREE).says[0], answered[0])


def test_it_is_said_once() -> None:
    played = table()
    said = [played.step(asking(FREE)).reply.text for _ in range(3)]
    assert [said_in(of(LANDLORD, FREE).says[0], each) for each in said] == [True, False, False]


def test_what_is_about_an_untold_fact_is_not_said_even_where_the_move_asks_for_it() -> None:
    about = next(each for each in LANDLORD.particulars if each.about == "risk.acid")
    assert not said_in(about.says[0], table().step(asking(about.id)).reply.text)


def test_an_id_of_nothing_is_like_none() -> None:
    played, other = table(), table()
    assert played.step(asking("no_such_thing")).reply == other.step(asking("nor_this")).reply


def test_a_fact_that_is_told_on_the_subject_stands_beside_the_answer() -> None:
    asked = Asked(labels=("pain",), particulars=(FREE,))
    action = Action("What hurts, and who had them?", talk=(Talk("ask_problem", "pain"),), asked=asked)
    reply = table().step(action).reply.text
    assert said_in(of(LANDLORD, FREE).says[0], reply)
    assert "insurers" in reply


def test_the_ear_hears_ways_to_ask_that_nobody_wrote() -> None:
    heard = {
        text: hear(text, speaker=SEATS["buyer"], listener=LANDLORD).asked
        for text in (
            "How long have the two floors been empty?",
            "Which tenant had these rooms before us?",
            "Is anybody in the building at night?",
            "Did the insurers leave because something was wrong with the house?",
        )
    }
    found = [asked.particulars for asked in heard.values() if asked is not None and any(asked.particulars)]
    assert len(found) >= 2, heard


def test_a_question_about_another_world_is_no_particular() -> None:
    for text in ("Do you like the opera?", "What is the capital of Peru?", "How are your children?"):
        asked = hear(text, speaker=SEATS["buyer"], listener=LANDLORD).asked
        assert asked is not None
        assert not any(asked.particulars), asked


def test_the_log_of_a_move_keeps_it_and_older_logs_have_none() -> None:
    action = asking(FREE)
    data = json.loads(json.dumps(to_json(action)))
    assert action_from_json(data) == action
    assert "particulars" not in to_json(Action("Hello.", asked=Asked(labels=("none",))))["asked"]


LEAST = """
[buyer.needs]
x = { says = "rooms" }
[buyer.facts]
pain.x = { on = "x", says = "it hurts" }
"""
BROKEN = [
    (
        'about = "pain.nothing"\nid = "a"\nasks = ["Who?"]\nsays = "somebody whom nobody knows here"',
        "particulars[1].about: is neither",
    ),
    (
        'id = "a"\nasks = ["Who?"]\nsays = ["one of the two", "and the other of them"]',
        "particulars[1].says: has 2 clauses, expected 1",
    ),
    (
        'id = "a"\nasks = ["Who?"]\nsays = "the 3 people whom you know"',
        "particulars[1].says: has a mark or a digit",
    ),
    ('id = "a"\nasks = ["Who?"]\nsays = "nobody"', "particulars[1].says: has 1 words"),
    ('id = "a"\nasks = []\nsays = "somebody whom nobody knows here"', "particulars[1].asks"),
]


@pytest.mark.parametrize(("entry", "problem"), BROKEN)
def test_what_is_wrong_with_one_is_said_with_its_place(entry: str, problem: str) -> None:
    text = f"{LEAST}[[buyer.particulars]]\n{entry}\n"
    with pytest.raises(CaseError) as caught:
        read_case(text, "x.toml", ground_of(scenarios()[SCENARIO]))
    assert re.search(rf"line \d+: buyer\.{re.escape(problem)}", str(caught.value)), str(caught.value)


def test_two_of_one_name_are_refused() -> None:
    one = '[[buyer.particulars]]\nid = "a"\nasks = ["Who?"]\nsays = "somebody whom nobody knows here"\n'
    with pytest.raises(CaseError, match="is taken by another"):
        read_case(one + one, "x.toml", ground_of(scenarios()[SCENARIO]))
