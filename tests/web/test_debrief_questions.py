"""The four questions of a debrief: each case has its page, and what stands on it is what the review and the log say."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from coaching.analysis.review.labels import FAULTS
from coaching.debriefs.decided import LEAST_SEEN, best_move, columns
from coaching.debriefs.next_time import marked, points
from coaching.reviews.selectors import review_of
from negotiation import sessions
from negotiation.kind import DEALS
from negotiation.models import Event, Game, Redaction
from negotiation.services import game_create, game_swap, game_walk_away
from negotiation.table.errors import MoveRefused
from negotiation.table.forgetting import redact
from tests.practice import give_away, play_out, review_now
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]
NO_ROOM = 2
"""A seed at which no price of this scenario suits both."""


def left(player: User, seed: int) -> Game:
    game = game_create(
        player=player, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=seed
    )
    submit(game, act(178_000.0, text="Which sites are hardest to run?"))
    resolve(game)
    game_walk_away(game_id=game.id, player=player, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    return game


def page_of(game: Game, client: Client) -> str:
    return client.get(f"/deals/{game.pk}/debrief/").content.decode()


def part(page: str, ident: str) -> str:
    return page.split(f'id="{ident}"')[1].split("</section>")[0]


def test_no_deal_that_was_right_says_so_and_offers_no_turn_to_play_on_from(
    rep: User, signed_in: SignIn
) -> None:
    game = left(rep, NO_ROOM)
    review_now(game)
    page = page_of(game, signed_in(rep))
    assert "so no deal was right" in part(page, "went")
    assert "No deal was right" in part(page, "decided")
    assert 'data-testid="retry-from-turn"' not in page
    assert 'data-testid="same-deal-again"' in page


def test_no_deal_that_was_not_right_says_what_there_was(rep: User, signed_in: SignIn) -> None:
    page = page_of(left(rep, 6), signed_in(rep))
    assert re.search(r"There was <span[^>]*>\$[\d,]+</span> to share, and nobody has it", part(page, "went"))


def test_while_the_review_is_worked_out_the_second_question_keeps_its_place(
    rep: User, signed_in: SignIn
) -> None:
    game = give_away(rep)
    page = page_of(game, signed_in(rep))
    assert "Each move is being weighed" in part(page, "decided")
    assert 'data-testid="debrief-price"' in page
    assert "Comes with the review." in page
    review_now(game)
    page = page_of(game, signed_in(rep))
    assert "Each move is being weighed" not in page
    assert page.count('class="mv ') == game.turns


def test_of_deleted_words_the_figures_stay_and_only_the_seats_can_be_swapped(
    rep: User, signed_in: SignIn
) -> None:
    game = give_away(rep)
    review_now(game)
    redact(DEALS, game.pk, reason=Redaction.Reason.REQUEST, by=rep)
    page = page_of(game, signed_in(rep))
    assert "The words of this deal were deleted." in part(page, "decided")
    assert 'class="said them"' not in part(page, "decided"), "of an answer in words alone nothing stays"
    assert 'data-testid="debrief-price">$' in page
    assert 'data-testid="retry-from-turn"' not in page
    assert 'data-testid="same-deal-again"' not in page
    assert 'data-testid="swap-seats"' in page


def test_who_leads_the_team_reads_it_and_plays_nothing_on(
    rep: User, manager: User, signed_in: SignIn
) -> None:
    game = give_away(rep)
    review_now(game)
    page = page_of(game, signed_in(manager))
    assert "As " in page
    assert 'data-testid="costliest-turn"' in page
    for way in ("retry-from-turn", "same-deal-again", "swap-seats"):
        assert f'data-testid="{way}"' not in page


@pytest.mark.slow
def test_each_column_is_a_move_with_what_the_review_says_it_cost(rep: User) -> None:
    game = play_out(rep, seed=11, strategy="conceder", scenario="procurement_hardware", persona="diplomat")
    review_now(game)
    review: Any = review_of(game.pk)
    found = columns(review)
    assert [each["turn"] for each in found] == [move["turn"] for move in review["moves"]]
    for column, move in zip(found, review["moves"], strict=True):
        assert column["cost"] == (move["cost_money"] or None)
        assert move["cost_money"] == 0 or move["label"] in FAULTS
        assert (column["height"] > 0) == (move["label"] in FAULTS)
    dearest = max((each["cost"] or 0.0 for each in found), default=0.0)
    assert max(each["height"] for each in found) == (100 if dearest else LEAST_SEEN)


def test_the_best_move_is_the_one_furthest_ahead(rep: User) -> None:
    def move(turn: int, played: float, other: float, label: str = "best") -> dict[str, Any]:
        choices = [{"played": True, "value": played}, {"played": False, "value": other}]
        return {
            "turn": turn,
            "label": label,
            "value": played,
            "regret": 0.1,
            "regret_money": 1_000,
            "choices": choices,
        }

    moves = {"moves": [move(1, 0.5, 0.45), move(2, 0.5, 0.2), move(3, 0.9, 0.1, "good")]}
    assert best_move(moves, 500) == {"turn": 2, "gain": 3_000}
    assert best_move({"moves": [move(1, 0.5, 0.5)]}, 500) is None
    assert best_move(None, 500) is None


def test_a_rewrite_stands_inside_its_turn_with_what_goes_and_what_comes() -> None:
    said = {
        "turn": 2,
        "said": "We can do 150.",
        "better": "If you …, then we can do 150.",
        "why": ["Nothing asked."],
    }
    advice = [
        ("keep", [{"text": "Calm.", "turns": [2]}]),
        ("start", [{"text": "Ask.", "turns": [2, 3]}]),
        ("stop", [{"text": "Giving.", "turns": [2]}]),
    ]
    found, more = points(advice, [said, {**said, "turn": 9}])
    named = dict(found)
    assert [name for name, _ in found] == ["keep", "start", "stop"]
    stop = named["stop"][0]["rewrite"]
    assert stop is not None
    assert stop["turn"] == 2
    assert named["keep"][0]["rewrite"] is None
    assert named["start"][0]["rewrite"] is None
    assert [each["turn"] for each in more] == [9]
    assert [(each["mark"], each["words"]) for each in stop["marked"]] == [
        ("del", "We"),
        ("ins", "If you …, then we"),
        ("", "can do 150."),
    ]


@pytest.mark.parametrize(
    ("said", "better"), [("", "Why?"), ("Take it.", ""), ("a b c", "a x c"), ("One. Two.", "Two.")]
)
def test_what_stays_and_goes_is_what_was_said_and_what_stays_and_comes_is_better(
    said: str, better: str
) -> None:
    stretches = marked(said, better)
    assert " ".join(each["words"] for each in stretches if each["mark"] != "ins") == said
    assert " ".join(each["words"] for each in stretches if each["mark"] != "del") == better


def test_swapped_seats_are_the_same_secrets_in_the_other_chair_and_count_for_nothing(
    rep: User, signed_in: SignIn
) -> None:
    game = give_away(rep)
    answer = signed_in(rep).post(f"/deals/{game.pk}/swap/")
    swapped = Game.objects.get(pk=answer["Location"].strip("/").split("/")[-1])
    assert (swapped.seat, swapped.assisted, swapped.assisted_reason) == ("buyer", True, "swap")
    mine, theirs = sessions.start(game).truth, sessions.start(swapped).truth
    assert (theirs.player, theirs.opponent) == (mine.opponent, mine.player)
    assert Event.objects.filter(game=swapped, type="assisted").count() == 1
    assert game_swap(parent=game) == swapped
    assert "Practice, seats swapped" in signed_in(rep).get(f"/deals/{swapped.pk}/").content.decode()


def test_seats_of_a_live_deal_are_not_swapped(game: Game) -> None:
    with pytest.raises(MoveRefused, match="over"):
        game_swap(parent=game)


def test_seats_of_a_deal_played_on_another_engine_are_not_swapped(over: Game) -> None:
    Game.objects.filter(pk=over.pk).update(seed=over.seed + 1)
    over.refresh_from_db()
    with pytest.raises(MoveRefused, match="learnt since"):
        game_swap(parent=over)
