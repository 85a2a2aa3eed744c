"""A learner at tables with a case: its words are heard as a person's are, and it reads its own sheet and no other."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import SIGN, Action, Seat
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.openenv.tables import LocalTables
from negotiation.opponents.protocol import encode
from trainer.domains.deal.games import DealGames, Elsewhere
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, DealTask, Mixture, measured

QUESTIONS = 7


def task(seat: Seat, *, case: bool = True) -> DealTask:
    return DealTask("saas_enterprise", "diplomat", seat, 5, case=case)


def asked(games: DealGames, seat: Seat, question: str) -> str:
    """The question as a model would have to write it, beside an offer that nobody takes."""
    seen, board = games._turns[0].observation, task(seat).board
    high, low = board.plausible_high, board.plausible_low
    return encode(Action(offer=high if seat == "seller" else low, text=question), seen, board, "full")


@pytest.mark.parametrize("seat", list(SIGN))
def test_a_learners_questions_are_heard_and_the_answers_stand_in_its_chat(seat: Seat) -> None:
    tables = OpenTables()
    games = DealGames(tables, style="full")
    (position,) = games.start([task(seat)])
    for question in list(OPENING_QUESTIONS[OTHER_SEAT[seat]].values())[:QUESTIONS]:
        found = games.play({0: asked(games, seat, question)})[0]
        assert found is not None
        position = found
        if tables.games[0].observe().told:
            break
    told = tables.games[0].observe().told
    assert told
    assert all(each.says in position.chat[-1]["content"] for each in told)


@pytest.mark.parametrize("seat", list(SIGN))
def test_the_chat_holds_the_own_sheet_and_nothing_of_the_other_that_was_not_said(seat: Seat) -> None:
    tables = OpenTables()
    (position,) = DealGames(tables).start([task(seat)])
    chat = position.chat[-1]["content"]
    sheet, case = tables.games[0].observe().sheet, cases()["saas_enterprise"]
    assert sheet is not None
    assert all(each.says in chat for each in sheet.facts)
    assert all(each.says in chat for each in case.seats[seat].arguments)
    theirs = case.seats[OTHER_SEAT[seat]]
    hidden = [says for fact in theirs.facts for says in fact.says]
    hidden += [each.says for each in theirs.objections] + [each.says for each in theirs.arguments]
    assert not [says for says in hidden if says in chat]


def test_a_table_elsewhere_gives_the_same_chat_with_a_case_and_without() -> None:
    for case in (False, True):
        (here,) = DealGames(OpenTables()).start([task("seller", case=case)])
        (there,) = DealGames(Elsewhere(LocalTables())).start([task("seller", case=case)])
        assert here == there
        assert ("Reasons that you can give" in here.chat[-1]["content"]) == case


def test_a_mixture_says_whether_its_deals_have_a_case_and_draws_the_same_deals() -> None:
    plain, full = Mixture(), Mixture(case=True)
    for draw in (
        lambda mixture: DealCurriculum(mixture, 3).tasks(0, 8),
        lambda mixture: measured(mixture, 1, 3),
    ):
        assert {each.case for each in draw(plain)} == {False}
        assert {each.case for each in draw(full)} == {True}
        assert [each.seed for each in draw(plain)] == [each.seed for each in draw(full)]
