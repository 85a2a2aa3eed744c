"""Puzzles cut from own games: what they ask, what they keep to themselves, how they are scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from fsrs import Rating
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from coaching.analysis.puzzles import (
    Cut,
    Solved,
    answer_of,
    chance_of_bluff,
    cut,
    interval_score,
    judge_bluff,
    judge_limit,
    question_of,
)
from coaching.skills import schedule, services
from coaching.skills.models import PracticeCard
from coaching.skills.selectors import puzzle_answer, puzzle_question
from negotiation import catalogue
from negotiation.engine.deal.reward import is_bluff
from negotiation.models import Game
from negotiation.selectors import frames_after
from tests.practice import play_out, review_now
from tests.remembering import remembered
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
amounts = st.floats(1, 1e6)


@pytest.fixture
def played(rep: User) -> Game:
    """A deal with a shark who states limits."""
    game = remembered("stated limits", lambda: play_out(rep, seed=100, strategy="linear"))
    assert any(puzzle.kind == "bluff" for puzzle in puzzles(game))
    return game


@pytest.fixture
def cards(rep: User) -> dict[str, PracticeCard]:
    """What the review of such a deal gives to practise."""

    def play() -> Game:
        game = play_out(rep, seed=100, strategy="linear")
        review_now(game)
        return game

    played = remembered("practice", play)
    return {card.kind: card for card in PracticeCard.objects.filter(game=played)}


def frames(game: Game) -> list[Any]:
    return frames_after(game.pk, 0, "coach")


def puzzles(game: Game) -> list[Cut]:
    return cut(frames(game), catalogue.for_game(game))


def test_a_game_gives_a_few_puzzles_and_never_a_pile(played: Game) -> None:
    kinds = [puzzle.kind for puzzle in puzzles(played)]
    assert kinds.count("limit") == 1
    assert 1 <= kinds.count("bluff") <= 2


def test_a_question_holds_nothing_that_came_later_and_nothing_of_the_truth(played: Game) -> None:
    scenario = catalogue.for_game(played)
    for puzzle in puzzles(played):
        question = question_of(frames(played), scenario, puzzle)
        answer = answer_of(frames(played), scenario, puzzle)
        assert max(row["turn"] for row in question["offers"]) <= puzzle.turn
        assert str(answer["truth"]) not in json.dumps({**question, "own_limit": None, "claim": None})
        assert set(question) == {
            "kind", "turn", "seat", "persona", "persona_name", "claim", "words", "own_limit", "offers", "headlines",
        }  # fmt: skip


def test_the_truth_behind_a_question_cannot_be_told_from_it(played: Game) -> None:
    """What is asked is the same whatever the other side was hiding."""
    scenario = catalogue.for_game(played)
    changed = json.loads(json.dumps(frames(played)))
    for frame in changed:
        if frame.get("type") == "turn_graded":
            frame["data"]["truth"]["opponent"]["walk_away"] += 12_345
            frame["data"]["posterior"] = {}
    for puzzle in puzzles(played):
        assert question_of(changed, scenario, puzzle) == question_of(frames(played), scenario, puzzle)


def test_the_answer_agrees_with_the_debrief(played: Game) -> None:
    from coaching.analysis.debrief import debrief

    scenario = catalogue.for_game(played)
    told = {claim["turn"]: claim for claim in debrief(frames(played), scenario)["bluffs"]["theirs"]}
    for puzzle in puzzles(played):
        if puzzle.kind == "bluff":
            answer = answer_of(frames(played), scenario, puzzle)
            claim = told[puzzle.turn]
            assert (answer["truth"], answer["bluff"]) == (claim["truth"], claim["bluff"])
            assert answer["bluff"] == is_bluff(claim["claim"], claim["truth"])
            assert 0 <= answer["chance"] <= 1
            assert answer["tells"]


@given(amounts, amounts, amounts)
def test_the_narrowest_band_that_holds_the_truth_scores_best(a: float, b: float, truth: float) -> None:
    low, high = min(a, b), max(a, b)
    score = interval_score(low, high, truth)
    assert score >= high - low
    if low <= truth <= high:
        assert score == high - low
        assert interval_score(truth, truth, truth) <= score
    else:
        assert score > interval_score(min(low, truth), max(high, truth), truth)


def test_a_band_is_judged_beside_the_observers() -> None:
    answer = {"truth": 150.0, "low": 130.0, "high": 170.0, "score": 40.0}
    assert judge_limit(130, 170, answer) == Solved(0.5, True, True)
    narrow, wide, outside = (judge_limit(*band, answer) for band in ((145, 155), (0, 400), (100, 140)))
    assert narrow.right
    assert narrow.score > 0.5 > wide.score
    assert not wide.right
    assert not outside.right


def test_the_observer_finds_a_limit_false_that_lies_far_from_its_belief() -> None:
    posterior = {"grid": [100.0, 150.0, 200.0], "density": [0.2, 0.5, 0.3]}
    assert chance_of_bluff(150.0, posterior) == pytest.approx(0.5)
    assert chance_of_bluff(400.0, posterior) == pytest.approx(1.0)


def test_what_nobody_could_have_known_is_held_less_against_a_player() -> None:
    fair = judge_bluff(True, {"bluff": False, "chance": 0.1})
    unfair = judge_bluff(False, {"bluff": True, "chance": 0.1})
    assert schedule.puzzle_rating(fair) == Rating.Again
    assert schedule.puzzle_rating(unfair) == Rating.Hard
    assert schedule.puzzle_rating(judge_bluff(True, {"bluff": True, "chance": 0.9})) == Rating.Good


def test_a_puzzle_is_answered_once_and_comes_back_another_day(cards: dict[str, PracticeCard]) -> None:
    card = cards["bluff"]
    truth = puzzle_answer(card)["bluff"]
    now = timezone.now()
    run = services.bluff_answer(card=card, bluff=truth, now=now)
    card.refresh_from_db()
    assert run.score == 1
    assert card.due > now
    with pytest.raises(services.NotNow):
        services.bluff_answer(card=card, bluff=not truth, now=now)
    services.bluff_answer(card=card, bluff=not truth, now=card.due)
    assert card.runs.count() == 2


def test_the_page_keeps_the_answer_until_it_is_given(
    cards: dict[str, PracticeCard], rep: User, signed_in: SignIn
) -> None:
    client, card = signed_in(rep), cards["limit"]
    truth = f"{puzzle_answer(card)['truth']:.0f}"
    before = client.get(f"/practice/{card.pk}/").content.decode()
    assert truth not in before
    assert "posterior" not in before
    bad = client.post(f"/practice/{card.pk}/answer/", {"low": "nan", "high": "1"}, follow=True)
    assert "Both ends of the band are figures." in bad.content.decode()
    assert card.runs.count() == 0
    after = client.post(
        f"/practice/{card.pk}/answer/", {"low": "100000", "high": "220000"}, follow=True
    ).content.decode()
    assert truth in after
    assert "A careful observer" in after


def test_words_that_are_gone_leave_the_figures(cards: dict[str, PracticeCard]) -> None:
    from negotiation.kind import DEALS
    from negotiation.models import Redaction
    from negotiation.table.forgetting import redact

    played = Game.objects.get()
    redact(DEALS, played.pk, reason=Redaction.Reason.REQUEST, by=played.player)
    question = puzzle_question(cards["bluff"])
    assert question["words"] == ""
    assert question["claim"] is not None
    assert question["offers"]


def test_a_live_game_gives_no_puzzles(rep: User, game: Game) -> None:
    submit(game, act(180_000.0))
    resolve(game)
    game.refresh_from_db()
    services.learn_from_review(game, {"moves": []})
    assert not PracticeCard.objects.exists()
