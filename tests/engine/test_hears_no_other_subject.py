"""What was heard as another subject than was asked, or answered against what had been said: each kind of it once."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import asked_of_the_table, condition_of, listen
from negotiation.engine.deal.persona import personas
from negotiation.engine.deal.scenario_file import scenarios
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.engine.language.terms import asked_terms
from negotiation.reading import heard


def heard_in(text: str, scenario: str, seat: Seat, raised: tuple[str, ...] = ()) -> tuple[Talk, ...]:
    seats = cases()[scenario].seats
    return listen(text, speaker=seats[seat], listener=seats[OTHER_SEAT[seat]], raised=raised).talk


def kinds_of(game: Negotiation, text: str) -> list[str]:
    game.step(heard(Action(text), game))
    assert game.speech is not None
    return [each.kind for each in game.speech.answers]


def test_a_greeting_before_a_question_is_not_what_is_answered() -> None:
    text = "Good to meet you, Ruth. I would rather hear from you what you want to happen to your people."
    assert [each.topic for each in heard_in(text, "acquisition_term_sheet", "buyer")] == ["people"]


@pytest.mark.parametrize(
    "text",
    [
        "I want to hear what happens to them the day after closing.",
        "We would rather learn from you what happens to everybody after the sale.",
    ],
)
def test_a_wish_to_hear_something_is_a_question(text: str) -> None:
    assert [each.topic for each in heard_in(text, "acquisition_term_sheet", "seller")] == ["people"]


@pytest.mark.parametrize(
    "text",
    [
        "Who said anything about support?",
        "I never mentioned delivery.",
        "I asked about the start, not about the price.",
        "That story does not answer me.",
    ],
)
def test_what_is_set_aside_is_no_question_and_is_owned_up_to(text: str) -> None:
    assert "misheard" in asked_of_the_table(text)
    assert heard_in(text, "procurement_hardware", "buyer") == ()


@pytest.mark.parametrize("persona", sorted(personas()))
def test_who_is_told_that_it_answered_something_else_says_so(persona: str) -> None:
    game = Negotiation("procurement_hardware", persona, "buyer", 5, case=True)
    assert kinds_of(game, "I never mentioned delivery, I was talking of the nurses.")[0] == "misheard"


@pytest.mark.parametrize("text", ["I could go to 128 if it does.", "128 if you can.", "128 if that works."])
def test_a_condition_that_says_nothing_by_itself_is_not_said_back(text: str) -> None:
    assert condition_of(text) == ""


def test_a_condition_ends_where_the_demand_begins() -> None:
    assert (
        condition_of("if i get him to sign by friday would u drop to 240k") == "you get him to sign by friday"
    )


def test_how_far_they_would_come_for_something_is_a_trade() -> None:
    text = "If all four hundred seats started on day one, how far could you come down?"
    assert [each.act for each in heard_in(text, "saas_enterprise", "buyer")] == ["trade"]


@pytest.mark.parametrize(
    ("text", "supposes"),
    [
        ("If we bought you, which of your engineers would you be most afraid of losing?", False),
        ("If we left the figure out of the contract, is that worry gone?", True),
        ("What if our treasurer guaranteed sixty in writing?", True),
        ("If we paid early, what would that be worth to you?", True),
    ],
)
def test_a_question_behind_an_if_is_told_from_a_proposal(text: str, supposes: bool) -> None:
    assert ("suppose" in asked_of_the_table(text)) is supposes


@pytest.mark.parametrize(
    ("text", "issues"),
    [
        ("What do you do when a whole lot swells up on my wards?", set()),
        ("When can you deliver to the wards?", {"delivery"}),
        ("What if our treasurer guaranteed it?", set()),
        ("Is there a guarantee of three years?", {"warranty"}),
    ],
)
def test_a_when_and_a_guarantee_ask_for_a_term_only_where_they_mean_one(text: str, issues: set[str]) -> None:
    scenario = scenarios()["procurement_hardware"]
    titles = {each.id: each.title for each in scenario.issues}
    assert {*asked_terms(text, scenario.option_names, titles)} == issues


def test_a_subject_by_its_own_name_is_not_doubted() -> None:
    text = "What are you doing about the roll-out?"
    assert [each.topic for each in heard_in(text, "saas_enterprise", "seller")] == ["rollout"]


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("How many of your dispatchers work at night, and would they notice the difference?", ["scope"]),
        ("What exactly does the contract say about increases?", ["legal"]),
        ("When does your budget year start and who decides on tools", ["timeline", "authority"]),
        ("What are other firms of our size paying for the same?", ["basis"]),
    ],
)
def test_neither_stress_nor_a_verb_of_the_same_letters_turns_the_subject(
    text: str, topics: list[str]
) -> None:
    assert [each.topic for each in heard_in(text, "saas_enterprise", "seller")] == topics


@pytest.mark.parametrize(
    "text", ["What would make you feel safer?", "What is it that you still don't like about our platform?"]
)
def test_what_would_still_the_worry_is_asked_in_other_words(text: str) -> None:
    assert [each.act for each in heard_in(text, "saas_enterprise", "seller")] == ["isolate"]


def test_a_proposal_without_its_mark_is_one() -> None:
    assert "suppose" in asked_of_the_table("we would put the waste rules in the contract, would that help")


def test_when_a_figure_is_written_down_is_no_date_of_the_deal() -> None:
    assert heard_in("when can ur side put the number in writing?", "hiring_package", "seller") == ()


@pytest.mark.parametrize(
    "text",
    ["whats ur biggest worry about paying me 200k", "What worries you most about paying us that?"],
)
def test_a_worry_about_a_price_is_a_worry(text: str) -> None:
    assert [each.topic for each in heard_in(text, "hiring_package", "seller")] == ["risk"]


def test_what_bothers_them_about_a_subject_is_what_they_raised_on_it() -> None:
    text = "What is it about our paying habits that bothers you?"
    objections = cases()["procurement_hardware"].seats["seller"].objections
    (raised,) = (each for each in objections if each.topic == "payment")
    assert [each.id for each in heard_in(text, "procurement_hardware", "buyer", (raised.id,))] == [raised.id]


def test_nobody_says_that_nobody_asked_for_what_it_spoke_of_itself() -> None:
    """A date that was named, and then an argument of speed: it is taken in, or it counts."""
    game = Negotiation("hiring_package", "diplomat", "seller", 814, case=True)
    asked = kinds_of(game, "What is your timing, and when would you need me to start?")
    assert {"known", "openly"} & {*asked}
    assert "unheard" not in kinds_of(game, "My notice can be cut to four weeks, they did that before.")


def test_a_proposal_is_weighed_beside_a_worry_on_its_own_subject_only() -> None:
    case = cases()["software_licensing"].seats["seller"]
    game = Negotiation("software_licensing", "auditor", "buyer", 816, case=True)
    said = [kinds_of(game, "Good morning, our engineers had a crash last night.")]
    assert game.speech is not None
    assert game.speech.objection in {each.says for each in case.objections}
    said.append(kinds_of(game, "If we pay for more support, does that mean a named person helps?"))
    assert "unsettling" not in said[-1]
