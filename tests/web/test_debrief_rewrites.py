"""A rep's own sentences said better, and what to keep, start and stop."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from accounts.models import User
from coaching.analysis.advice import MOST, advice
from coaching.analysis.cases import case_of
from coaching.analysis.debrief import debrief
from coaching.analysis.rewrites import HABITS, WHY, Rewrite, rewrites, sentences
from negotiation.engine.deal import scenarios
from negotiation.events import fold
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


CASES = [
    ("Okay, we can do 166.", 166_000, True, "If you …, then we can do 166.", ("unasked",)),
    ("I can go to $158,500.", 158_500, True, "If you …, then I can go to $158,500.", ("unasked",)),
    ("How about 150k?", 150_000, True, "If you …, how about 150k?", ("unasked",)),
    ("We can't go below $140,000.", None, False, "$140,000 only works for us with something in return: …", ("limit",)),
    ("140 is our bottom line.", 140_000, False, "140 only works for us with something in return: …", ("limit",)),
    ("Our floor is 140, so 150 is close.", 150_000, True, "If you …, then 150 works for us.", ("limit",)),
    ("146 or we walk.", 146_000, False, "What would it take for 146 to work for you?", ("threat",)),
    ("Take it or leave it.", None, False, "What would it take to make this work for both of us?", ("threat",)),
    ("Sorry, we ask 172, because support is in it.", 172_000, False, "We ask 172, because support is in it.", ("hedge",)),
    ("We can do 150 if that's okay.", 150_000, True, "If you …, then we can do 150.", ("hedge", "unasked")),
    ("We can do 158.", 158_000, False, "We can do 158, because …", ("no_reason",)),
    ("Who decides? And when? And why?", None, False, "Who decides?", ("stacked",)),
]  # fmt: skip


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
        assert kept, "an offer keeps its figure"


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


def test_every_habit_has_its_reason() -> None:
    assert set(HABITS) == set(WHY)
    (found,) = mended("We can do 150 if that's okay.", 150_000, unasked=True)
    assert found.plain()["why"] == [WHY["hedge"], WHY["unasked"]]


def facts(seed: int = 5) -> tuple[dict[str, Any], dict[str, Any]]:
    sent = frames(play("diplomat", "seller", seed, case=False), "coach")
    review = debrief(sent)
    return review, case_of(review, fold(sent)["transcript"], scenarios()["saas_enterprise"])


def test_advice_names_the_turns_that_it_rests_on() -> None:
    review, case = facts()
    told = mended("146 or we walk.", 146_000)
    found = advice(review, case, told, None)
    stop = {point["text"]: point["turns"] for point in found["stop"]}
    assert stop["Threats."] == [3]
    unasked = [s["turn"] for s in review["conduct"]["concessions"]["steps"] if s["unasked"]]
    assert stop.get("Giving without asking.", []) == unasked
    assert all(len(points) <= MOST for points in (found["keep"], found["start"], found["stop"]))


def test_advice_puts_the_costliest_skill_of_the_review_first_and_tells_no_better_move() -> None:
    review, case = facts()
    moves = [
        {"turn": 1, "label": "mistake", "skill": "closing", "regret": 0.1, "better": {"text": "SECRET"}},
        {"turn": 2, "label": "blunder", "skill": "pacing", "regret": 0.3, "better": {"text": "SECRET"}},
        {"turn": 3, "label": "best", "skill": None, "regret": 0.0, "better": None},
    ]
    found = advice(review, case, [], {"moves": moves})
    assert [point["turns"] for point in found["start"][:2]] == [[2], [1]]
    assert "SECRET" not in str(found)


def test_nothing_is_praised_that_did_not_happen() -> None:
    review, case = facts()
    silent = {**case, "questions_first": 0}
    assert not [p for p in advice(review, silent, [], None)["keep"] if "Asking" in p["text"]]


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
