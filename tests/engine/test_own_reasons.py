"""A persona's own reasons as answers: to who names one, and where a subject has nothing else left; each once."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.own_reasons import reason_on
from negotiation.engine.deal.listening import pitched
from negotiation.engine.deal.types import OTHER_SEAT, Seat


def named(case: str, seat: Seat, text: str) -> str:
    """The reason that a question of ``seat`` names."""
    seats = cases()[case].seats
    return pitched(text, speaker=seats[seat], listener=seats[OTHER_SEAT[seat]])


@pytest.mark.parametrize(
    ("case", "seat", "text", "reason"),
    [
        (
            "commercial_lease",
            "buyer",
            "Has anybody measured how badly the floor shakes when the tram goes by?",
            "measured",
        ),
        ("commercial_lease", "buyer", "Would we be allowed to sublet part of the space?", "sublet"),
        (
            "software_licensing",
            "buyer",
            "What have you done about the cable solver since then?",
            "solver_fix",
        ),
        ("hiring_package", "buyer", "How much notice do you have to give, and can it be cut?", "notice_cut"),
    ],
)
def test_a_question_names_the_reason_whose_words_it_holds(
    case: str, seat: Seat, text: str, reason: str
) -> None:
    assert named(case, seat, text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "What if we measured the floor by the tram ourselves?",
        "Would you sublet it at 580,000?",
        "We would sublet half a floor.",
        "What is your price?",
    ],
)
def test_a_proposal_a_statement_and_a_price_name_no_reason(text: str) -> None:
    assert named("commercial_lease", "buyer", text) == ""


def test_a_reason_that_cites_a_gift_is_kept_until_the_gift_is_there() -> None:
    seats = cases()["saas_enterprise"].seats
    assert seats["buyer"].argument["story"].sweetener
    assert named("saas_enterprise", "seller", "Would a logistics name on our front page open doors?") == ""
    assert reason_on("references", seats["buyer"], ()) == ""


def test_a_reason_that_was_named_is_said_once_and_moves_no_limit() -> None:
    text = "Has anybody measured how badly the floor shakes when the tram goes by?"
    games = [Negotiation("commercial_lease", "diplomat", "buyer", 5, case=True) for _ in range(2)]
    answers = []
    for game, words in zip(games, (text, ""), strict=True):
        game.step(Action(text=words, offer=500_000))
        assert game.speech is not None
        answers.append([each.fact for each in game.speech.answers])
    reason = cases()["commercial_lease"].seats["seller"].argument["measured"].says
    assert reason in answers[0]
    assert games[0].truth.opponent.walk_away == games[1].truth.opponent.walk_away
    games[0].step(Action(text=text))
    assert games[0].speech is not None
    assert reason not in [each.fact for each in games[0].speech.answers]


def test_asked_about_a_subject_again_it_says_its_reason_on_it_before_it_declines() -> None:
    game = Negotiation("saas_enterprise", "diplomat", "seller", 5, case=True)
    asked = Talk("ask_closed", "timeline")
    said = []
    for _ in range(3):
        game.step(Action(offer=210_000, talk=(asked,)))
        assert game.speech is not None
        said.append(next(iter(game.speech.answers)).kind)
    assert said == ["known", "openly", "declined"]
