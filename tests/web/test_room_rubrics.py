"""The checks that a log answers: each says yes and no on logs that differ in that one thing."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import Team, User
from coaching.room.models import CheckResult, Rubric
from coaching.room.rubrics import answers_of, check_tick, rubric_create, rubric_retire
from coaching.room.rules import RULES, Log
from negotiation import catalogue
from negotiation.events import Frame
from negotiation.models import Game
from negotiation.selectors import frames_after
from negotiation.services import game_walk_away
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


@pytest.fixture
def frames(over: Game) -> list[Frame]:
    """The log of a real game, to be rewritten by a test."""
    return frames_after(over.id, 0, "coach")


def told(frames: list[Frame], over: Game, **rewrite: Callable[[dict[str, Any]], None]) -> Log:
    """The log with every event of a type passed through a rewriting."""
    for frame in frames:
        if frame["type"] in rewrite:
            rewrite[frame["type"]](frame["data"])
    return Log(frames, catalogue.for_game(over))


def answer(code: str, log: Log) -> str:
    return RULES[code].answer(log).answer


def say(**words: str) -> Callable[[dict[str, Any]], None]:
    """Puts other words into the player's mouth, by turn: ``t1="…"``."""

    def rewrite(move: dict[str, Any]) -> None:
        move["text"] = words.get(f"t{move['turn']}", "")

    return rewrite


def test_a_question_before_the_first_number(frames: list[Frame], over: Game) -> None:
    def log(words: str, *offers: float | None) -> Log:
        made = told(frames, over, player_moved=say(t1=words))
        made.moves = [{**move, "offer": price} for move, price in zip(made.moves, offers, strict=False)]
        return made

    question = "What drives your timeline?"
    assert answer("question_first", log(question, None, 170_000.0)) == "yes"
    assert answer("question_first", log(question, 170_000.0, None)) == "no", (
        "in the same breath is not before"
    )
    assert answer("question_first", log("We are at 170.", None, 170_000.0)) == "no"
    assert answer("question_first", log("", None, None)) == "no"


def test_two_concessions_in_a_row(frames: list[Frame], over: Game) -> None:
    still = [0]

    def stand_still(move: dict[str, Any]) -> None:
        move["offer"] = 120_000.0

    def come_up(move: dict[str, Any]) -> None:
        still[0] += 2_000
        move["offer"] = 120_000.0 + still[0]

    def log(moves: Callable[[dict[str, Any]], None], own: list[float]) -> Log:
        made = told(frames, over, opponent_moved=moves)
        made.moves = [{**made.moves[0], "turn": turn, "offer": price} for turn, price in enumerate(own, 1)]
        first = made.replies[1]
        made.replies = {turn: dict(first) for turn in range(len(own) + 1)}
        for turn in sorted(made.replies):
            moves(made.replies[turn])
        return made

    assert answer("no_double_concession", log(stand_still, [180e3, 175e3, 170e3])) == "no"
    assert answer("no_double_concession", log(come_up, [180e3, 175e3, 170e3])) == "yes"
    assert answer("no_double_concession", log(stand_still, [180e3, 175e3, 175e3, 170e3])) == "yes"
    assert answer("no_double_concession", log(stand_still, [170e3, 175e3, 180e3])) == "yes", (
        "raising is no gift"
    )


def test_a_threat_in_words(frames: list[Frame], over: Game) -> None:
    assert answer("no_threat", told(frames, over, player_moved=say(t1="Happy to talk."))) == "yes"
    threat = say(t2="Accept this or we walk away and you lose the deal.")
    assert answer("no_threat", told(frames, over, player_moved=threat)) == "no"


def test_a_bluff_to_call(frames: list[Frame], over: Game) -> None:
    log = told(frames, over)
    for bluffs, expected in (
        ([], "na"),
        ([{"turn": 2, "bluff": False, "verdict": "false_call"}], "na"),
        ([{"turn": 2, "bluff": True, "verdict": "swallowed"}], "no"),
        ([{"turn": 2, "bluff": True, "verdict": "caught"}], "yes"),
    ):
        log.debrief["bluffs"]["theirs"] = bluffs
        assert answer("bluff_called", log) == expected


def test_closing_inside_the_limit(frames: list[Frame], over: Game) -> None:
    log = told(frames, over)
    for deal, breached, zone, expected in (
        (True, False, True, "yes"),
        (True, True, True, "no"),
        (False, False, True, "no"),
        (False, False, False, "na"),
    ):
        log.debrief["headline"] |= {"deal": deal, "floor_breached": breached, "zone_existed": zone}
        assert answer("inside_limit", log) == expected


def test_heat_and_beliefs(frames: list[Frame], over: Game) -> None:
    log = told(frames, over)
    assert answer("kept_cool", log) == "yes"
    assert answer("belief_stated", log) == "no"
    log.tables[-1]["tension_band"] = "critical"
    log.moves[0]["belief"] = {"walk_away": 150_000.0}
    assert answer("kept_cool", log) == "no"
    assert answer("belief_stated", log) == "yes"


def test_a_rubric_for_every_deal_is_answered_at_the_end_and_seen_by_both(
    rep: User, manager: User, team: Team, game: Game, signed_in: SignIn
) -> None:
    rubric = rubric_create(
        team=team, by=manager, name="House rules", auto=list(RULES), manual=["Summed up"], every_deal=True
    )
    submit(game, act(None))
    resolve(game)
    assert not CheckResult.objects.exists()
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    (answered,) = answers_of(game)
    assert len(answered["results"]) == len(RULES) + 1
    assert answered["open"] == 1
    for person in (rep, manager):
        page = signed_in(person).get(f"/deals/{game.id}/debrief/").text
        assert "House rules" in page
        assert "You asked on turn 1." in page
    rubric_retire(rubric=rubric)
    assert len(answers_of(game)) == 1, "what was judged stays"


def test_the_log_has_the_last_word_where_it_can_tell(
    rep: User, manager: User, team: Team, over: Game
) -> None:
    rubric = rubric_create(team=team, by=manager, name="R", auto=["no_threat"], manual=[], every_deal=True)
    result = CheckResult.objects.create(game=over, question=rubric.checks.get(), answer="no")
    with pytest.raises(ValueError, match="the log answers"):
        check_tick(result=result, by=manager, yes=True)


@pytest.mark.parametrize(
    ("fields", "told_so"),
    [
        ({"name": "R"}, "Choose or write at least one check"),
        ({"name": "R", "manual": "x" * 161}, "at most 160 characters"),
        ({"name": "R", "manual": "\n".join(f"check {i}" for i in range(13))}, "At most 12 checks"),
        ({"name": "", "auto": ["no_threat"]}, "This field is required"),
        ({"name": "R", "auto": ["mind_reading"]}, "Select a valid choice"),
    ],
    ids=["no check", "long", "many", "no name", "unknown"],
)
def test_a_rubric_that_can_not_be_is_told(
    manager: User, team: Team, signed_in: SignIn, fields: dict[str, Any], told_so: str
) -> None:
    answer = signed_in(manager).post(f"/team/{team.pk}/rubrics/", fields)
    assert answer.status_code == 422
    assert told_so in answer.text
    assert not Rubric.objects.exists()


def test_who_leads_the_team_finds_both_verdicts_on_the_debrief(
    over: Game, manager: User, team: Team, signed_in: SignIn
) -> None:
    Game.objects.filter(pk=over.pk).update(team=team)
    page = signed_in(manager).get(f"/deals/{over.pk}/debrief/").content.decode()
    assert 'data-testid="verdict"' in page
