"""Questions that no case answers, because they are about the table itself: news, figures, wishes, suppositions."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import Action, Negotiation, personas
from negotiation.engine.deal.listening import asked_of_the_table
from negotiation.engine.deal.strategist.pace import HAZARD_FROM_TURN
from negotiation.engine.deal.types import Observation
from negotiation.engine.language.grammar import pools
from negotiation.engine.language.types import Answer
from tests.effort import few


def answers(game: Negotiation) -> tuple[Answer, ...]:
    assert game.speech is not None
    return game.speech.answers


def kinds(game: Negotiation) -> list[str]:
    return [each.kind for each in answers(game)]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What headline do you mean? I have not seen it.", "headline"),
        ("Hold on, you went up eleven thousand there.", "went_back"),
        ("But you went backwards, you were on 184.", "went_back"),
        ("Is net 90 a rule or just a wish?", "firm"),
        ("Would a different title, outside that pay band, take the comparison off the table?", "suppose"),
        ("If the figure stayed confidential, would that take the sting out of it for you?", "suppose"),
        ("Can you cap the increase at year four, in writing?", "suppose"),
        ("Suppose I bring it down to eight weeks. What would that be worth to you?", "suppose"),
        ("Are you serious?", "scoff"),
        ("Did you hear that I quoted eight weeks and net 30?", "heard_me"),
        ("I did put a figure, twice.", "heard_me"),
        ("259,500 is the most I may sign; yes, or do we part as friends?", "decides"),
        ("That's my last word, Dana; is it a yes?", "decides"),
        ("Do we have a deal?", "decides"),
    ],
)
def test_what_a_sentence_asks_of_the_table(text: str, about: str) -> None:
    assert about in asked_of_the_table(text)


@pytest.mark.parametrize(
    "text",
    [
        "Our energy bill went up last year.",
        "Would you help us with the training?",
        "What would help you decide?",
        "The headline is that we are cheaper.",
        "Our prices have gone up with inflation.",
    ],
)
def test_what_asks_nothing_of_the_table(text: str) -> None:
    assert asked_of_the_table(text) <= {"plain"}


@pytest.mark.parametrize("persona", sorted(personas()))
def test_who_asks_which_headline_was_meant_is_told_it(persona: str) -> None:
    for seed in range(few(20, 40)):
        game = Negotiation("saas_enterprise", persona, "seller", seed, case=True)
        while not game.done and not game.observe().headlines:
            game.step(Action("I hear you.", offer=190_000))
        if game.done:
            continue
        headline = game.observe().headlines[-1].text
        reply = game.step(Action("Which headline was that?")).reply
        assert headline.rstrip(".").lower() in reply.text.lower()
        return
    pytest.fail("no headline came")


def _back(before: Observation, now: Observation) -> bool:
    """Whether the seller across asks for more than it did, with other terms."""
    asked, asks = before.standing_offer, now.standing_offer
    return (
        asked is not None
        and asks is not None
        and asks > asked
        and before.standing_terms != now.standing_terms
    )


def test_a_figure_that_went_back_is_told_with_the_terms_for_which_it_did() -> None:
    found = 0
    for seed in range(few(4, 20)):
        game = Negotiation("procurement_hardware", "diplomat", "buyer", seed, case=True)
        while not game.done:
            before = game.observe()
            turn = len(before.transcript)
            terms = {each.id: each.options[turn % len(each.options)].id for each in game.scenario.issues}
            game.step(Action("Go on.", offer=700_000 + 5_000 * turn, terms=terms))
            if game.done or not _back(before, game.observe()):
                continue
            stands = game.observe().standing_terms
            if game.step(Action("But you went up!")).done:
                break
            (answer,) = [each for each in answers(game) if each.kind == "went_back"]
            labels = {o.id: o.label for issue in game.scenario.issues for o in issue.options}
            changed = [
                labels[option] for issue, option in stands.items() if before.standing_terms[issue] != option
            ]
            assert any(label in answer.fact for label in changed)
            found += 1
            break
    assert found


def test_who_never_went_back_has_nothing_to_explain() -> None:
    game = Negotiation("saas_enterprise", "veteran", "seller", 5, case=True)
    game.step(Action("Good morning.", offer=210_000))
    game.step(Action("You went up!"))
    assert "went_back" not in kinds(game)


def test_whether_a_wish_is_a_rule_is_answered_after_what_it_is() -> None:
    game = Negotiation("procurement_hardware", "auditor", "buyer", 102, case=True)
    stands = game.observe().standing_terms
    label = next(o.label for i in game.scenario.issues for o in i.options if o.id == stands[i.id])
    game.step(Action(f"Is {label} a rule or just a wish?"))
    assert kinds(game)[:2] == ["stands", "firm"]


def test_a_supposition_is_weighed_and_taken_for_no_question_after_the_case() -> None:
    game = Negotiation("hiring_package", "shark", "seller", 5, case=True)
    game.step(Action("Would a different title take the comparison off the table?"))
    assert kinds(game) == ["suppose"]


def test_who_asks_whether_its_offer_was_heard_is_told_it() -> None:
    game = Negotiation("procurement_hardware", "auditor", "seller", 213, case=True)
    weeks = next(each for each in game.scenario.issues if each.title == "Delivery")
    game.step(Action("Here.", offer=885_000, terms={weeks.id: weeks.options[1].id}))
    game.step(Action("Did you even read my offer?"))
    (answer,) = [each for each in answers(game) if each.kind == "heard_you"]
    assert answer.fact == f"$885,000 with {weeks.options[1].label}"


@pytest.mark.parametrize("persona", sorted(personas()))
def test_who_asks_for_yes_or_no_to_an_offer_that_is_not_taken_is_told_no(persona: str) -> None:
    game = Negotiation("saas_enterprise", persona, "seller", 5, case=True)
    game.step(Action("Here.", offer=240_000))
    game.step(Action("Here it is again.", offer=239_000))
    reply = game.step(Action("Yes or no?")).reply.text
    assert not game.done
    frames = [part.text.format(heard="$239,000") for part in pools(persona)["talk.not_yet"]]
    assert any(frame in reply for frame in frames)


@pytest.mark.parametrize("persona", sorted(personas()))
def test_the_no_is_to_the_figure_that_was_asked_about(persona: str) -> None:
    game = Negotiation("saas_enterprise", persona, "seller", 5, case=True)
    game.step(Action("Here.", offer=240_000))
    reply = game.step(
        Action("238,500 is the least that I may sign; yes, or do we part as friends?")
    ).reply.text
    assert not game.done
    assert "$238,500" in reply
    assert "$240,000" not in reply


@pytest.mark.parametrize("persona", sorted(personas()))
def test_who_only_asks_is_warned_before_the_other_side_may_leave(persona: str) -> None:
    questions = ("How do you work today?", "Who decides on your side?", "What worries you most?")
    game = Negotiation("saas_enterprise", persona, "seller", 5, case=True)
    replies = [game.step(Action(question)).reply.text for question in questions]
    assert len(questions) + 1 == HAZARD_FROM_TURN
    warnings = [part.text for part in pools(persona)["talk.restless"]]
    assert [any(warning in reply for warning in warnings) for reply in replies] == [False, False, True]


def test_who_puts_something_down_is_not_warned() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 5, case=True)
    warnings = [part.text for part in pools("shark")["talk.restless"]]
    for offer in (240_000, 236_000, 232_000, 228_000, 224_000):
        reply = game.step(Action("Here.", offer=offer)).reply.text
        assert not any(warning in reply for warning in warnings)


def test_what_lies_in_the_own_package_is_no_question() -> None:
    game = Negotiation("procurement_hardware", "auditor", "seller", 213, case=True)
    weeks = next(each for each in game.scenario.issues if each.title == "Delivery")
    option = weeks.options[1]
    game.step(
        Action(f"885,000 with {option.label}, would that do?", offer=885_000, terms={weeks.id: option.id})
    )
    assert not {"weighs", "suppose"} & set(kinds(game))
    game.step(Action(f"What bothers you about {option.label}?"))
    assert "weighs" not in kinds(game)


def test_who_leaves_says_over_what() -> None:
    """An objection that was raised and never met, in the last words of who walks out."""
    for seed in range(few(40, 80)):
        game = Negotiation("acquisition_term_sheet", "veteran", "buyer", seed, case=True)
        while not game.done:
            game.step(Action("I hear you.", offer=5_000_000))
        if game.outcome is not None and game.outcome.reason == "opponent_walked" and game.observe().sheet:
            raised = game.observe().sheet.raised  # type: ignore[union-attr]
            if not raised:
                continue
            side = game.case.seats["seller"]  # type: ignore[union-attr]
            last = game.observe().transcript[-1].text.lower()
            assert any(side.objection[each].says.lower() in last for each in raised)
            return
    pytest.fail("nobody left over an objection")
