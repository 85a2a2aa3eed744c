"""A rep's own sentences said better, and what to keep, start and stop."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from accounts.models import User
from coaching.analysis.advice import MOST, advice
from coaching.analysis.debrief import debrief
from coaching.analysis.findings import decided
from coaching.analysis.review.lessons.words import MANNERS
from coaching.analysis.rewrites import Rewrite, rewrites, sentences
from negotiation.engine.deal import scenarios
from negotiation.models import Game
from negotiation.services import game_create, game_walk_away
from tests.web.moves import act, resolve, submit
from tests.web.test_events import frames, play

LIMIT = 140_000.0


def mended(text: str, offer: float | None = None, *, unasked: bool = False) -> list[Rewrite]:
    return rewrites(
        [{"turn": 3, "text": text, "offer": offer}],
        frozenset({3} if unasked else ()),
        {3: LIMIT},
        scenarios()["saas_enterprise"],
        "seller",
    )


RETURN = "To go further I need something in return. What could you add?"
CASES = [
    ("Okay, we can do 166.", 166_000, True, "If you …, then we can do 166.", ("unasked",)),
    ("I can go to $158,500.", 158_500, True, "If you …, then I can go to $158,500.", ("unasked",)),
    ("How about 150k?", 150_000, True, "If you …, then I can go to 150k.", ("unasked",)),
    ("We can't go below $140,000.", None, False, RETURN, ("limit",)),
    ("140 is our bottom line.", 140_000, False, RETURN, ("limit",)),
    ("Our floor is 140, so 150 is close.", 150_000, True, "If you …, then 150 works for us.", ("limit",)),
    ("146 or we walk.", 146_000, False, "What would it take for 146 to work for you?", ("threat",)),
    ("Take it or leave it.", None, False, "What would it take to make this work for both of us?", ("threat",)),
    ("Sorry, we ask 172, because support is in it.", 172_000, False, "We ask 172, because support is in it.", ("hedge",)),
    ("We can do 150 if that's okay.", 150_000, True, "If you …, then we can do 150.", ("hedge", "unasked")),
    ("We can do 158.", 158_000, False, "We can do 158, because …", ("no_reason",)),
    ("Ok, I'll go to 146k then.", 146_000, True, "If you …, then I'll go to 146k.", ("unasked",)),
    ("544k, deal?", 544_000, True, "If you …, then I can go to 544k.", ("unasked",)),
    ("I wanted to say 195k would be great", 195_000, False, "I can go to 195k, because …", ("hedge", "no_reason")),
    ("That's $151,000, you clown.", 151_000, True, "I stand at $151,000. What does your number rest on?", ("insult",)),
    ("You are an idiot.", None, False, "I see it differently. What does your number rest on?", ("insult",)),
    ("Who decides? And when? And why?", None, False, "Who decides?", ("stacked",)),
]  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "For a team your size we would usually charge 180.",
        "Other carriers pay 180 for the same scope.",
        "180 is the list price.",
    ],
)
def test_a_figure_with_what_it_rests_on_is_not_called_bare(said: str) -> None:
    assert [each.habits for each in mended(said, 180_000.0, unasked=False)] == []


@pytest.mark.parametrize(("said", "offer", "unasked", "better", "habits"), CASES)
def test_each_habit_is_mended(
    said: str, offer: float | None, unasked: bool, better: str, habits: tuple[str, ...]
) -> None:
    (found,) = mended(said, offer, unasked=unasked)
    assert (found.said, found.better, found.habits) == (said, better, habits)


@pytest.mark.parametrize(("said", "offer", "unasked"), [case[:3] for case in CASES])
def test_the_figure_is_the_reps_own_and_no_other(said: str, offer: float | None, unasked: bool) -> None:
    (found,) = mended(said, offer, unasked=unasked)
    own = re.findall(r"\$?\d[\d,.]*\d\w?", said)
    kept = re.findall(r"\$?\d[\d,.]*\d\w?", found.better)
    assert set(kept) <= set(own)
    if offer is not None:
        assert bool(kept) == (offer != LIMIT), "an offer keeps its figure, unless it tells the limit"


@pytest.mark.parametrize(
    ("said", "offer", "unasked"),
    [
        ("If you sign this month, then we can do 164.", 164_000, True),
        ("We can do 158, because the roll-out is in it.", 158_000, False),
        ("What drives your timeline?", None, False),
        ("Our floor is 165.", None, False),
        ("", None, False),
        ("…", 150_000, True),
    ],
)
def test_what_needs_no_mending_is_left_alone(said: str, offer: float | None, unasked: bool) -> None:
    assert mended(said, offer, unasked=unasked) == []


def test_what_is_mended_once_is_not_mended_again() -> None:
    for said, offer, unasked, _, habits in CASES:
        (found,) = mended(said, offer, unasked=unasked)
        again = [
            each for each in mended(found.better, offer, unasked=unasked) if set(each.habits) & set(habits)
        ]
        assert again == [], said


@pytest.mark.parametrize(
    "text", ["3.5% off. Fine.", "$1,250.50 each! And you?", "Well... 150.", "?!?", "1.2.3"]
)
def test_sentences_do_not_end_inside_a_figure_and_lose_nothing(text: str) -> None:
    found = sentences(text)
    assert all(part in text for part in found)
    assert re.findall(r"\d", "".join(found)) == re.findall(r"\d", text)


def test_a_rewrite_gives_the_reasons_of_its_habits() -> None:
    (found,) = mended("We can do 150 if that's okay.", 150_000, unasked=True)
    assert found.plain()["why"] == [MANNERS["hedge"].why, MANNERS["unasked"].why]


def facts(seed: int = 5) -> dict[str, Any]:
    return debrief(frames(play("diplomat", "seller", seed, case=False), "coach"))


def move(turn: int, code: str, regret: float, label: str | None = "mistake") -> dict[str, Any]:
    """A move of a review, as far as advice reads it."""
    return {
        "turn": turn,
        "label": label,
        "code": code,
        "regret": regret,
        "error": 0.01,
        "regret_money": 1000.0,
        "reason": "What happened.",
        "knew": ["12 turns were left."],
        "better": {"text": "SECRET"},
        "lesson": {"id": code, "skill": "pacing", "text": "", "act": "Do it so.", "line": "", "figure": None},
        "played": {"kind": "played", "offer": 150_000.0, "gives": 0.0},
    }


def best(turn: int) -> dict[str, Any]:
    return {**move(turn, "", 0.0, "best"), "code": None, "lesson": None, "better": None}


def test_what_decided_the_deal_is_never_dropped_for_a_lesson_that_asks_for_the_opposite() -> None:
    """The debrief tells of turn 2 first: what to start or stop must not say the contrary."""
    unsure = {"error": 0.03}
    review = {
        "moves": [
            {**move(2, "gave_unasked", 0.08), **unsure},
            {**move(5, "answered_little", 0.09), **unsure},
            {**move(6, "answered_little", 0.09), **unsure},
        ]
    }
    key = decided(review)
    assert key is not None
    assert key["turn"] == 2
    found = advice(facts(), [], review)
    turns = [point["turns"] for point in (*found["start"], *found["stop"])]
    assert turns == [[2]]


def test_advice_names_the_turns_that_it_rests_on() -> None:
    found = advice(facts(), mended("146 or we walk.", 146_000), None)
    assert {point["text"]: point["turns"] for point in found["stop"]} == {"Threats.": [3]}
    assert all(len(points) <= MOST for points in (found["keep"], found["start"], found["stop"]))


def test_advice_puts_the_costliest_lesson_first_the_grave_before_it_and_tells_no_better_move() -> None:
    review = {
        "moves": [
            move(1, "should_have_taken", 0.1),
            move(2, "gave_most", 0.1, "blunder"),
            move(4, "gave_most", 0.3, "blunder"),
            move(5, "insulted", 0.0, None),
            best(6),
        ]
    }
    found = advice(facts(), [], review)
    assert [point["turns"] for point in found["stop"]] == [[5], [2, 4]]
    assert [point["turns"] for point in found["start"]] == [[1]]
    assert "SECRET" not in str(found)


def test_of_two_lessons_that_ask_for_the_opposite_only_the_costlier_is_given() -> None:
    review = {"moves": [move(1, "gave_too_much", 0.1), move(5, "answered_nothing", 0.2)]}
    found = advice(facts(), [], review)
    assert found["stop"] == []
    assert [point["turns"] for point in found["start"]] == [[5]]


def test_a_deal_was_decided_by_what_is_grave_else_by_where_its_costliest_run_began_to_cost() -> None:
    run = [
        move(1, "gave_most", 0.1, "mistake"),
        move(2, "gave_most", 0.28, "blunder"),
        move(3, "gave_most", 0.3, "blunder"),
        move(7, "stood_still", 0.1),
    ]
    key = decided({"moves": run})
    assert key is not None
    assert key["turn"] == 2
    rude = decided({"moves": [*run, move(9, "insulted", 0.0, None)]})
    assert rude is not None
    assert rude["turn"] == 9
    assert decided({"moves": [best(1)]}) is None
    assert decided(None) is None


def test_nothing_is_praised_without_a_review_nor_against_what_is_said() -> None:
    debriefed = facts()
    turn = debriefed["conduct"]["concessions"]["opening"]["turn"]
    praised = [p["text"] for p in advice(debriefed, [], {"moves": [best(turn)]})["keep"]]
    assert any(text.startswith("Your first number") for text in praised)
    denied = advice(debriefed, [], {"moves": [best(turn), move(turn + 1, "opened_low", 0.1)]})["keep"]
    assert not any(point["text"].startswith("Your first number") for point in denied)
    assert advice(debriefed, [], None)["keep"] == []


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_the_reps_own_words_and_better_ones(rep: User, signed_in: Any) -> None:
    game: Game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller", seed=11)
    for offer, text in ((178_000.0, "Sorry, we ask 178."), (150_000.0, "Okay, we can do 150.")):
        submit(game, act(offer, text=text, confirmed=True))
        resolve(game)
    game.refresh_from_db()
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    page = signed_in(rep).get(f"/deals/{game.id}/debrief/").content.decode()
    assert "If you …, then we can do 150." in page
    assert "Apologising for your number" in page
