"""What a persona answers to words about the case, as kinds and clauses, and how its voice says them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negotiation.engine.deal import Action, Negotiation, personas
from negotiation.engine.deal.case.acts import Talk, Topic
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.persons import said_in_words, turned
from negotiation.engine.deal.types import Seat
from negotiation.engine.language import Speech
from negotiation.engine.language.grammar import pools
from tests.effort import few
from tests.noninterference.deal import world

OFTEN = (
    "told",
    "confided",
    "traded",
    "again",
    "known",
    "declined",
    "unknown",
    "convinced",
    "partly",
    "moved",
    "unheard",
    "thanked",
)
TOPICS: tuple[Topic, ...] = (
    "timeline",
    "pain",
    "alternative",
    "budget",
    "rollout",
    "basis",
    "people",
    "support",
)


def table(persona: str = "diplomat", seat: Seat = "seller", seed: int = 5) -> Negotiation:
    return Negotiation("saas_enterprise", persona, seat, seed, case=True)


def said(game: Negotiation, *talk: Talk, offer: float | None = None, text: str = "") -> Speech:
    game.step(Action(text=text, offer=offer, talk=talk))
    assert game.speech is not None
    return game.speech


def kinds(speech: Speech) -> list[str]:
    return [each.kind for each in speech.answers]


@pytest.mark.parametrize("persona", sorted(personas()))
def test_every_voice_has_eight_frames_for_what_is_said_often(persona: str) -> None:
    found = pools(persona)
    assert {key: len(found[f"talk.{key}"]) for key in OFTEN if len(found[f"talk.{key}"]) < 8} == {}
    assert len(found["objection.raise"]) >= 8


def test_asked_again_a_persona_says_the_same_clause() -> None:
    game = table()
    first = said(game, Talk("ask_open", "pain"), offer=210_000)
    assert kinds(first) == ["told", "known"]
    game.step(Action(talk=(Talk("ask_problem", "pain"),)))
    again = said(game, Talk("ask_open", "pain"))
    assert again.talked is not None
    assert first.answers[0].fact in again.talked.repeats


def test_a_topic_that_was_declined_is_kept_in_mind_until_something_of_it_is_told() -> None:
    game = table()
    assert kinds(said(game, Talk("ask_open", "budget"), offer=210_000)) == ["known"]
    declined = said(game, Talk("ask_open", "budget"))
    assert kinds(declined) == ["declined"]
    assert declined.answers[0].question
    assert declined.talked is not None
    assert len(declined.talked.keeps) == 1


ASKED = Talk("ask_closed", "timeline")
"""Asked three times: the first time there is what anybody may know, then a reason of its own."""


def test_a_question_is_not_put_back_as_it_was_asked() -> None:
    declined = []
    for seed in range(20):
        game = table(seed=seed)
        said(game, ASKED, offer=210_000)
        said(game, ASKED)
        declined += [each for each in said(game, ASKED).answers if each.kind == "declined"]
    assert declined
    assert all(each.question and "timing" not in each.question for each in declined)


def test_an_argument_that_answers_part_of_an_objection_leaves_the_rest_open() -> None:
    game = table()
    said(game, offer=210_000)
    said(game, offer=209_900)
    part = said(game, Talk("argue", "rollout", "classes"))
    assert kinds(part) == ["partly"]
    assert "route planner" in part.answers[0].fact
    assert part.talked is not None
    assert part.answers[0].fact in part.talked.missing


def test_asked_on_about_an_objection_a_persona_says_more_once() -> None:
    game = table()
    said(game, offer=210_000)
    said(game, offer=209_900)
    asks_on = Talk("follow_up", "rollout", "shelf")
    first, second = said(game, asks_on), said(game, asks_on)
    assert kinds(first)[:1] == ["detail"]
    assert first.answers[0].fact.startswith("nobody taught the night shift")
    assert kinds(second)[:1] == ["no_more"]
    assert second.talked is not None
    assert first.answers[0].fact in second.talked.repeats


def test_of_a_told_fact_more_is_said_in_the_cell_in_which_it_was_told_and_of_an_untold_one_nothing() -> None:
    cells = set()
    for seed in range(40):
        game = table("diplomat", seed=seed)
        assert "detail" not in kinds(said(game, Talk("ask_closed", "timeline", "rooms")))
        told = next((each for each in game.observe().told if each.id == "rooms"), None)
        if told is None:
            continue
        fact = cases()["saas_enterprise"].seats["buyer"].fact["rooms"]
        more = said(game, Talk("follow_up", "timeline", "rooms")).answers[0]
        assert (more.kind, more.fact) == ("detail", fact.more[fact.says.index(told.says)])
        cells.add(told.high)
    assert cells == {False, True}


def test_asked_what_worries_it_a_persona_says_more_of_what_it_has_raised_and_then_the_same_again() -> None:
    for question in (Talk("ask_problem", "risk"), Talk("isolate")):
        game = table()
        said(game, offer=210_000)
        said(game, offer=209_900)
        assert game.case is not None
        shelf = game.case.seats["buyer"].objection["shelf"]
        worry = said(game, question)
        assert (worry.answers[0].kind, worry.answers[0].fact) == ("detail", shelf.more)
        again = said(game, question)
        assert (again.answers[0].kind, again.answers[0].fact) == ("again", shelf.says)


def test_asked_what_worries_it_a_persona_that_has_raised_nothing_denies_nothing() -> None:
    for topic in TOPICS:
        assert kinds(said(table(), Talk("ask_problem", topic)))[:1] != ["unknown"]


def test_asked_how_its_figure_comes_about_where_no_fact_tells_it_says_that_it_is_no_sum() -> None:
    case = cases()["hiring_package"]
    known = case.seats["seller"].answers.items()
    answers: dict[Topic, str] = dict(each for each in known if each[0] != "basis")
    seats = {**case.seats, "seller": replace(case.seats["seller"], answers=answers)}
    game = Negotiation("hiring_package", "diplomat", "buyer", 5, case=replace(case, seats=seats))
    assert kinds(said(game, Talk("ask_open", "basis"))) == ["no_sum"]


def test_a_fact_of_the_players_is_taken_up_and_remembered() -> None:
    game = table()
    noted = said(game, Talk("disclose", "payment", "early"), offer=210_000)
    assert kinds(noted) == ["thanked"]
    assert noted.answers[0].fact.endswith("asks of every deal when the money lands")
    later = said(game, text="Very well.")
    assert later.talked is not None
    assert later.talked.recalls == (noted.answers[0].fact,)


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("Which zebra?", "talk.puzzled"),
        ("What is the colour of the seventh zebra in there?", "talk.cant_say"),
        ("What would you want your first winter with us to have brought you?", "talk.undecided"),
        ("Are you serious? The last one who said that was laughed at.", "react.reject"),
    ],
)
def test_a_question_that_nothing_answers_is_asked_for_again_only_where_it_was_not_plain(
    text: str, pool: str
) -> None:
    game = table("shark")
    said(game, offer=210_000)
    reply = game.step(Action(text=text)).reply
    assert any(reply.text.startswith(part.text) for part in pools("shark")[pool])


def test_every_argument_of_the_shipped_cases_can_be_named() -> None:
    sides = [side for case in cases().values() for side in case.seats.values()]
    assert [each.id for side in sides for each in side.arguments if not each.point] == []


@pytest.mark.parametrize("seat", ["seller", "buyer"])
@pytest.mark.parametrize("persona", sorted(personas()))
def test_who_answers_an_argument_names_it(persona: str, seat: Seat) -> None:
    for argument in cases()["saas_enterprise"].seats[seat].arguments:
        game = table(persona, seat)
        reply = game.step(Action(text="", talk=(Talk("argue", argument.topic, argument.id),))).reply
        assert game.speech is not None
        assert argument.point in {each.point for each in game.speech.answers}
        assert argument.point.lower() in reply.text.lower()


@pytest.mark.parametrize("persona", sorted(personas()))
def test_no_line_comes_twice_and_few_are_long(persona: str) -> None:
    lengths = []
    for scenario in cases():
        game, seen = Negotiation(scenario, persona, "seller", 3, case=True), set()
        side, own = game.case.seats["buyer"], game.case.seats["seller"]  # type: ignore[union-attr]
        topics = [each.topic for each in side.facts]
        turn = 0
        while not game.done:
            talk: tuple[Talk, ...] = (Talk("ask_problem", topics[turn % len(topics)]),)
            if turn < len(own.facts):
                talk = (*talk, Talk("disclose", own.facts[turn].topic, own.facts[turn].id))
            reply = game.step(Action(talk=talk, text="" if turn else "Good morning.")).reply
            assert reply.text not in seen
            seen.add(reply.text)
            lengths.append(len(reply.text.split()))
            turn += 1
    assert sum(length > 60 for length in lengths) <= 0.05 * len(lengths)
    assert sum(lengths) / len(lengths) < 45


@pytest.mark.parametrize("seat", ["seller", "buyer"])
def test_equal_told_facts_make_equal_answers_whatever_is_hidden(seat: Seat) -> None:
    """As long as two worlds have told and raised the same, what a persona has to say of the case is the same."""
    compared = 0
    for seed in range(few(6, 60)):
        several = []
        for number in (None, 7_001 + seed):
            with world(number, seat):
                several.append(Negotiation("saas_enterprise", "veteran", seat, seed, case=True))
        one, two = several
        for topic in TOPICS:
            step = Action(talk=(Talk("ask_problem", topic),))
            one.step(step)
            two.step(step)
            if one.done or two.done:
                break
            told = [tuple((each.id, each.says) for each in game.observe().told) for game in several]
            raised = [game.observe().sheet.raised for game in several]  # type: ignore[union-attr]
            if told[0] != told[1] or raised[0] != raised[1]:
                break
            assert one.speech is not None
            assert two.speech is not None
            for what in ("answers", "objection", "talked"):
                assert getattr(one.speech, what) == getattr(two.speech, what)
            compared += 1
    assert compared > 3


@pytest.mark.parametrize(
    ("clause", "back"),
    [
        ("our board counts punctuality", "your board counts punctuality"),
        ("I am paid on the seats that a customer adds", "you are paid on the seats that a customer adds"),
        ("nobody upstairs has asked me for a date", "nobody upstairs has asked you for a date"),
        ("you are cheap to serve", ""),
    ],
)
def test_a_clause_is_said_back_to_who_said_it(clause: str, back: str) -> None:
    assert turned(clause) == back


@pytest.mark.parametrize("claim_first", [True, False])
def test_of_two_reasons_the_one_that_moved_is_answered_even_beside_an_untrue_one(claim_first: bool) -> None:
    """A claim of a message in which an argument wins is answered as a claim."""
    heard = 0
    for seed in range(few(20, 40)):
        game = table(seed=seed)
        assert game.case is not None
        own, theirs = game.case.seats["seller"], game.case.seats["buyer"]
        for fact in theirs.facts:
            game.step(Action(talk=(Talk("ask_problem", fact.topic),)))
            if fact.need and any(each.id == fact.id for each in game.observe().told):
                break
        else:
            continue
        reason = next(each for each in own.arguments if each.hits == fact.need and not each.sweetener)
        claim = own.never[0]
        both = Talk("argue", reason.topic, reason.id), Talk("argue", claim.topic, claim.id)
        speech = said(game, *(both[::-1] if claim_first else both))
        heard += "moved" in kinds(speech)
    assert heard


@pytest.mark.parametrize("persona", sorted(personas()))
def test_what_a_price_goes_with_is_told_to_who_asks(persona: str) -> None:
    """The terms of the package that the same reply puts on the table, on the issues that the question names."""
    game = Negotiation("procurement_hardware", persona, "buyer", 102, case=True)
    speech = said(game, text="Is delivery 8 weeks or 12 in that price?")
    view = game.observe()
    (delivery,) = [issue for issue in game.scenario.issues if issue.title == "Delivery"]
    stands = next(o.label for o in delivery.options if o.id == view.standing_terms[delivery.id])
    (answer,) = [each for each in speech.answers if each.kind == "stands"]
    assert answer.fact == stands
    assert stands in view.transcript[-1].text.lower()


def test_what_is_all_in_a_price_names_every_issue_and_what_is_not_in_it_is_weighed_in_an_offer() -> None:
    game = Negotiation("procurement_hardware", "diplomat", "buyer", 102, case=True)
    speech = said(game, text="What is included in your price?")
    (answer,) = [each for each in speech.answers if each.kind == "stands"]
    terms = game.observe().standing_terms
    labels = [o.label for issue in game.scenario.issues for o in issue.options if o.id == terms[issue.id]]
    assert all(label in answer.fact for label in labels)
    other = next(o for o in game.scenario.issues[1].options if o.id != terms[game.scenario.issues[1].id])
    speech = said(game, text=f"By how much would it come down with {other.label}?")
    assert "weighs" in kinds(speech)


def test_a_trade_that_is_whole_is_not_asked_for_again() -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 5, case=True)
    whole = said(game, Talk("trade"), offer=170_000, text="If you pay up front I go to 170.")
    assert "trading" not in kinds(whole)
    half = said(game, Talk("trade"), text="What if we swapped something?")
    assert "trading" in kinds(half)


def test_its_own_stated_limit_said_back_to_it_is_not_taken_for_the_players() -> None:
    for seed in range(few(30, 60)):
        game = Negotiation("hiring_package", "shark", "seller", seed, case=True)
        while not game.done and game.observe().open_claim is None:
            game.step(Action("I hear you.", offer=240_000))
        claim = game.observe().open_claim
        if game.done or claim is None:
            continue
        text = f"You told me {claim:,.0f} is your limit and nobody signs past it."
        line = game.step(Action(text)).reply.text
        own = {part.text for part in pools("shark")["react.limit"]}
        assert not any(line.startswith(each) for each in own)
        return
    pytest.fail("no limit was stated")


def test_what_was_told_is_said_back_only_in_so_far_as_it_was_said() -> None:
    """Who names a thing in a word is not quoted with a whole sentence that it never said."""
    clause = "procurement freezes at the end of March and nobody knows for how long"
    assert said_in_words(clause, "Procurement is frozen, procurement freezes end of March I mean.")
    assert said_in_words(clause, ""), "where there are no words, what was told is the clause"
    assert not said_in_words(clause, "March suits us.")
    named = "the suite froze on the night before the Severn bid, and Imogen redrew a pier by hand"
    assert not said_in_words(
        named, "The suite froze the night before the Severn bid, a colleague redrew a pier by hand."
    )
    assert said_in_words(named, "It froze before the Severn bid at night, and Imogen redrew a pier by hand.")
    more = "my doctor has told me twice this year to stop, and the board knows of once"
    assert not said_in_words(more, "Let me admit something: my doctor has told me twice this year to stop.")
    assert said_in_words(more, "My doctor told me twice this year to stop; of one the board knows.")
    game = table()
    assert game.case is not None
    fact = game.case.seats["seller"].facts[0]
    briefly = said(game, Talk("disclose", fact.topic, fact.id), text="It is what it is with those things.")
    (answer,) = [each for each in briefly.answers if each.kind == "thanked"]
    assert answer.fact == ""
    assert all(each not in game.observe().transcript[-1].text for each in fact.says)


def test_a_reason_that_cites_a_gift_waits_for_it() -> None:
    game = table(seat="buyer")
    assert kinds(said(game, Talk("argue", "references", "story")))[:1] == ["waits"]


def test_what_anybody_may_know_is_told_once_and_then_not_in_other_words() -> None:
    game = table()
    assert kinds(said(game, Talk("ask_open", "scope"))) == ["known"]
    assert kinds(said(game, Talk("ask_open", "scope"))) == ["no_more"]


def test_two_questions_with_an_answer_are_both_answered_before_one_that_is_put_off() -> None:
    game = table()
    asked = Talk("ask_open", "budget"), Talk("ask_open", "scope"), Talk("ask_open", "payment")
    assert kinds(said(game, *asked)) == ["known", "known"]


def test_who_gives_its_reason_does_not_say_beside_it_that_it_keeps_one_back() -> None:
    for seed in range(4):
        first = said(table("shark", seed=seed), Talk("isolate"), offer=210_000)
        assert not first.objection or "guarded" not in kinds(first)


def test_an_offer_is_answered_before_a_greeting_beside_it() -> None:
    assert kinds(said(table(), Talk("small_talk"), offer=210_000, text="How was your week?")) == []


def test_a_trade_names_the_term_that_it_is_about() -> None:
    game = Negotiation("commercial_lease", "auditor", "seller", 5, case=True)
    traded = said(game, Talk("trade"), text="If you take ten years firm, I can talk about more free months.")
    assert [(each.kind, each.topic) for each in traded.answers] == [("trading", "10 years firm")]


def test_who_says_what_matters_to_it_is_thanked() -> None:
    assert kinds(said(table(), text="What matters most to us is that nobody is woken at night.")) == [
        "thanked"
    ]


def test_an_argument_is_not_turned_down_beside_the_worry_that_it_meets() -> None:
    for seed in range(4):
        first = said(table("shark", seed=seed), Talk("argue", "rollout", "classes"), offer=210_000)
        meets = first.objection.startswith("I have bought a route planner")
        assert not (meets and "unheard" in kinds(first))


def test_asked_about_a_subject_on_which_it_has_a_worry_it_tells_more_of_that() -> None:
    game = table("shark")
    first = said(game, offer=210_000, text="Here is my proposal.")
    assert first.objection.startswith("for a dispatch screen")
    more = game.case.seats["buyer"].objection["dear"].more if game.case else ""
    game.step(Action(talk=(Talk("ask_open", "basis"),)))
    assert [each.fact for each in said(game, Talk("ask_open", "basis")).answers] != []
    assert more
