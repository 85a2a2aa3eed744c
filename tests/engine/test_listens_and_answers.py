"""Whole sentences as people say them at the table: the words are heard, and the reply speaks to them."""

from __future__ import annotations

from itertools import combinations

import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import asked_of_the_table, condition_of, listen, only_gives
from negotiation.engine.deal.persona import personas
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat
from negotiation.engine.language import CONFIDENCE_TO_BIND, Speech, understand
from negotiation.engine.language.voicing import in_voice
from negotiation.reading import heard
from tests.language.gold import MONEY


def table(persona: str = "diplomat", seat: Seat = "seller", scenario: str = "saas_enterprise") -> Negotiation:
    return Negotiation(scenario, persona, seat, 5, case=True)


def answered(game: Negotiation, text: str, offer: float | None = None) -> Speech:
    game.step(heard(Action(text, offer=offer), game))
    assert game.speech is not None
    return game.speech


def kinds(speech: Speech) -> list[str]:
    return [each.kind for each in speech.answers]


OPEN = (
    "What matters most to you in this deal?",
    "What would make this work for you?",
    "Could you tell me about your situation?",
    "What are you hoping to get out of this?",
)


@pytest.mark.parametrize("seat", sorted(SIGN))
@pytest.mark.parametrize("scenario", sorted(cases()))
def test_the_first_open_question_is_answered_in_every_seat(scenario: str, seat: Seat) -> None:
    for text in OPEN:
        game = table(seat=seat, scenario=scenario)
        assert {*kinds(answered(game, text))} & {"known", "openly", "told"}, text


def test_asked_for_everything_again_it_says_where_to_begin() -> None:
    game = table()
    answered(game, OPEN[0])
    game.step(Action("Here is a first number.", offer=190_000))
    for _ in range(2):
        answered(game, OPEN[1])
    again = answered(game, OPEN[1])
    assert kinds(again) == ["detail"] or (kinds(again) == ["wide"] and again.answers[0].topic)


@pytest.mark.parametrize(
    ("text", "hangs_on"),
    [
        ("176 if you sign this quarter", "we sign this quarter"),
        ("I could do 176 provided you take our case study.", "we take your case study"),
        ("If you commit before Friday, I can get to 168.", "we commit before Friday"),
        ("165, but only if the contract is signed by month end.", "the contract is signed by month end"),
        ("160 and you give us a reference call.", "we give you a reference call"),
        ("171 works for me once Gordon has approved it.", "Gordon has approved it"),
        ("155 in exchange for a case study and prepayment.", "a case study and prepayment"),
    ],
)
def test_a_condition_is_said_back_from_the_other_side(text: str, hangs_on: str) -> None:
    assert condition_of(text) == hangs_on


@pytest.mark.parametrize(
    "text",
    [
        "If you like, we can talk about 160.",
        "What if we met in the middle?",
        "Would you let others see it, in return for a better price?",
        "I'd be grateful if you told me more.",
        "225,000 so it's in the minutes, sorry if I typed it funny.",
        "470, and you should thank me for asking.",
        "150 if you stop being an idiot.",
        "150 if you pay 12,000 now.",
    ],
)
def test_what_sets_no_condition_or_cannot_be_said_back_is_not(text: str) -> None:
    assert condition_of(text) == ""


@pytest.mark.parametrize("persona", sorted(personas()))
def test_the_reply_to_a_conditional_offer_speaks_to_its_condition(persona: str) -> None:
    game = table(persona)
    speech = answered(game, "I could do 176 if you sign this quarter.", offer=176_000)
    assert "condition" in kinds(speech)
    assert "we sign this quarter" in game.observe().transcript[-1].text


def test_a_candidate_says_a_condition_back_as_one_person() -> None:
    game = table(seat="buyer", scenario="hiring_package")
    answered(game, "205,000 if you start in March.", offer=205_000)
    assert "I start in March" in game.observe().transcript[-1].text


@pytest.mark.parametrize(
    "text",
    ["Would you rather split the difference?", "What if we met in the middle?", "Would you meet me halfway?"],
)
def test_whether_they_would_go_half_way_is_a_question(text: str) -> None:
    reading = understand(
        text, money=MONEY["saas_enterprise"], seat="seller", standing_offer=113_000, own_offer=180_000
    )
    assert reading.offer is None
    game = table()
    game.step(Action("Here is mine.", offer=180_000))
    assert kinds(answered(game, text)) == ["middle"]


@pytest.mark.parametrize("text", ["Why don't we split the difference?", "Shall we meet in the middle?"])
def test_half_way_proposed_in_a_question_never_binds_unasked(text: str) -> None:
    reading = understand(
        text, money=MONEY["saas_enterprise"], seat="seller", standing_offer=113_000, own_offer=180_000
    )
    assert (reading.kind, reading.offer) == ("offer", 146_500)
    assert reading.confidence < CONFIDENCE_TO_BIND


def test_no_two_personas_raise_a_worry_in_the_same_words() -> None:
    for case in cases().values():
        for side in case.seats.values():
            for objection in side.objections:
                said = [in_voice(voice, objection.says) for voice in personas()]
                assert all(one != two for one, two in combinations(said, 2)), objection.says


def test_a_plain_sentence_of_an_author_takes_the_personas_manner() -> None:
    plain = "we are late again, and nobody has told the driver that it is Friday"
    said = {voice: in_voice(voice, plain) for voice in personas()}
    assert said["shark"].startswith("we're late again. Nobody")
    assert ";" in said["auditor"]
    assert "we are" in said["auditor"]
    assert len({*said.values()}) > 2


@pytest.mark.parametrize(
    "text",
    [
        "Who else has to agree on your side?",
        "Would your board agree to that?",
        "What do they need to sign it?",
    ],
)
def test_a_question_who_agrees_is_no_yes(text: str) -> None:
    reading = understand(
        text, money=MONEY["saas_enterprise"], seat="seller", standing_offer=113_000, own_offer=180_000
    )
    assert "accept" not in reading.acts


@pytest.mark.parametrize(
    "text",
    [
        "Can you assure me that the board won't reopen it?",
        "How do I know you'll keep to that?",
        "What guarantee do I have that it stays so?",
        "can you promise me this doesnt come back next year",
    ],
)
@pytest.mark.parametrize("persona", sorted(personas()))
def test_who_asks_for_assurance_is_told_what_it_is_worth(text: str, persona: str) -> None:
    assert "assure" in asked_of_the_table(text)
    assert "vouch" in kinds(answered(table(persona), text))


def test_nobody_puts_a_question_off_beside_an_answer() -> None:
    for persona in personas():
        game = table(persona)
        answered(game, "Here is a first number.", offer=190_000)
        speech = answered(game, "Our quarter is short by two signatures. Who signs on your side?")
        assert {"thanked", "known", "told", "traded"} & {*kinds(speech)}
        assert not any(
            each in game.observe().transcript[-1].text
            for each in ("can wait", "later", "remains open", "come back to it")
        )


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("I wonder how your dispatchers feel about a new system.", "people"),
        ("Help me understand what keeps you up at night.", "risk"),
        ("I'd love to hear how decisions get made over there.", "authority"),
        ("Is it you who sets the discount, or does somebody have to nod?", "authority"),
        ("What happens if the money runs out before the launch?", "risk"),
        ("Give me one good reason why this costs more than the market.", "basis"),
    ],
)
def test_a_question_that_goes_around_its_subject_is_heard(text: str, topic: str) -> None:
    seats = cases()["saas_enterprise"].seats
    found = listen(text, speaker=seats["seller"], listener=seats[OTHER_SEAT["seller"]])
    assert [each.topic for each in found.talk] == [topic]


def test_what_comes_with_an_offer_is_no_condition() -> None:
    assert only_gives("12.6 million in cash, and in return you may have the full warranty.")
    assert not only_gives("12.6 million, and in return you sign this week.")
    assert not only_gives("176 if you sign this quarter, and you get the training.")


def test_asked_once_more_what_worries_it_it_says_what_would_help_and_each_thing_once() -> None:
    game = Negotiation("procurement_hardware", "diplomat", "seller", 5, case=True)
    asked = ("What still worries you about this?", "What holds you back?", "And what still worries you?") * 2
    said = [game.step(heard(Action(text), game)).reply.text for text in asked]
    labels = {option.label for issue in game.scenario.issues for option in issue.options}
    helps = [line for line in said if any(label in line for label in labels)]
    assert len(helps) == len({line.split(".")[0] for line in helps}) >= 1
    assert len(said) == len(set(said))


def test_what_only_sounds_like_a_condition_is_none() -> None:
    for text in (
        "Two hundred of our handhelds once swelled from a single lot. Meet me at 1,003,000.",
        "Ask him yourself, if you ever check anything. Five twelve and we shake hands.",
        "868, 8 weeks, and if you got a better quote from somebody show me",
        "I agree to our name on your page, in exchange for a price of 138,000.",
    ):
        assert condition_of(text) == "", text


def test_what_both_would_do_stays_theirs_and_a_gift_is_no_condition() -> None:
    assert condition_of("If we sign this week, I can do 139,500.") == "we sign this week"
    assert condition_of("130k, if we train the night shift ourselves at no charge") == ""
