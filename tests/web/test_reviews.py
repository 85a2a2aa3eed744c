"""The review of a finished game: worked out once, from what its player saw, and shown move by move."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from redis import Redis

from accounts.models import Team, User
from coaching.analysis.review import VERSION, read_played, review
from coaching.analysis.review.report import WORSE, surely_worse
from coaching.reviews import services
from coaching.reviews.choices import order_of
from coaching.reviews.models import MoveReview
from coaching.reviews.selectors import move_shown
from coaching.reviews.services import REVIEW
from negotiation import catalogue
from negotiation.models import Event, Game
from negotiation.selectors import frames_after
from negotiation.services import game_accept, game_create
from owed import services as owed
from owed.queues import AWAITED, REVIEWS
from tests.remembering import remembered
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def careless(rep: User) -> Game:
    return remembered("careless", lambda: play_carelessly(rep))


def play_carelessly(rep: User) -> Game:
    """A game in which the rep runs down to its limit and takes what there is."""
    game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller", seed=11)
    for offer in (170_000.0, 150_000.0, 140_000.0, 134_000.0):
        submit(game, act(offer, text="We can move.", confirmed=True))
        resolve(game)
    game.refresh_from_db()
    standing = frames_after(game.pk, 0, "player")
    table = [f["data"] for f in standing if f.get("type") == "turn_closed"][-1]
    game_accept(game_id=game.id, player=rep, action_id=uuid.uuid4(), offer=table["standing_offer"])
    resolve(game)
    game.refresh_from_db()
    return game


@pytest.fixture
def reviewed(rep: User) -> MoveReview:
    """Such a game's review."""

    def work() -> MoveReview:
        asked = services.review_request(game=play_carelessly(rep))
        assert asked is not None
        assert owed.do(REVIEW, asked.pk)
        asked.refresh_from_db()
        return asked

    return remembered("reviewed", work)


def faults(data: Any) -> list[dict[str, Any]]:
    return [move for move in data["moves"] if move["better"] is not None]


def test_a_finished_game_is_reviewed_move_by_move(reviewed: MoveReview) -> None:
    data: Any = reviewed.data
    assert reviewed.state == MoveReview.State.DONE
    assert reviewed.done == reviewed.total == len(data["moves"]) == 5
    assert [move["turn"] for move in data["moves"]] == [1, 2, 3, 4, 5]
    assert data["version"] == VERSION
    assert any(move["label"] in ("mistake", "blunder") for move in data["moves"]), "running down is punished"
    for move in faults(data):
        assert move["reason"]
        assert move["better"]["text"]
        assert move["regret"] >= 2 * move["error"] or move["label"] == "blunder"
        assert move["skill"]


def test_a_question_has_one_best_answer_and_two_that_it_surely_beats(reviewed: MoveReview) -> None:
    asked = [move for move in faults(reviewed.data) if move["asked"]]
    assert asked
    for move in asked:
        best, *others = sorted((choice["value"] for choice in move["choices"]), reverse=True)
        assert len(others) >= WORSE
        assert all(value < best for value in others)
        assert any(choice["played"] and choice["value"] < best for choice in move["choices"])


def test_only_what_is_worse_by_two_standard_errors_is_surely_worse() -> None:
    rng = np.random.default_rng(1)
    best = rng.normal(0.5, 0.2, 64)
    noisy, clear = best + rng.normal(-0.01, 0.2, 64), best - 0.1
    values = np.stack([best, noisy, clear])[:, np.newaxis, :]
    assert surely_worse(values, 0) == [2]


def test_a_fault_that_no_question_can_tell_apart_is_shown_with_its_better_move(reviewed: MoveReview) -> None:
    move = faults(reviewed.data)[0]
    assert move_shown({**move, "asked": True}, 1, None)["hidden"]
    shown = move_shown({**move, "asked": False}, 1, None)
    assert not shown["hidden"]
    assert shown["better"]["text"] == move["better"]["text"]


def test_what_could_be_believed_names_its_interval(reviewed: MoveReview) -> None:
    data: Any = reviewed.data
    assert {move["believed"]["chance"] for move in data["moves"]} == {0.8}


def test_a_review_is_worked_out_once(reviewed: MoveReview) -> None:
    assert owed.do(REVIEW, reviewed.pk) is False
    again = services.review_request(game=reviewed.game)
    assert again is not None
    assert again.pk == reviewed.pk


def test_the_review_never_reads_hidden_truth(careless: Game) -> None:
    """With every hidden figure of the log turned to nonsense, the review is the same to the last digit."""
    scenario = catalogue.for_game(careless)
    before = review(read_played(frames_after(careless.pk, 0, "player"), scenario))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE negotiation_game SET seed = 999")
    for event in Event.objects.filter(type="turn_graded"):
        nonsense = {"truth": {"opponent": {"walk_away": 1.0}}, "posterior": {}, "terms": [], "hint": "no"}
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE negotiation_event SET data = %s WHERE id = %s",
                [json.dumps({**event.data, **nonsense}), event.pk],
            )
    assert review(read_played(frames_after(careless.pk, 0, "player"), scenario)) == before


def test_better_moves_are_hidden_until_the_player_has_tried(
    reviewed: MoveReview, signed_in: Callable[[User], Client]
) -> None:
    client, data = signed_in(reviewed.game.player), cast("dict[str, Any]", reviewed.data)
    address = f"/deals/{reviewed.game_id}/review/"
    shown = client.get(address).json()["review"]
    hidden = [move for move in shown["moves"] if move["hidden"]]
    told = shown["decided"]  # by the debrief, before anything else
    assert [m["turn"] for m in hidden] == [
        m["turn"] for m in faults(reviewed.data) if m["asked"] and m["turn"] != told
    ]
    for move in hidden:
        assert move["better"] is None
        assert move["reason"] == ""
        assert not {"lesson", "knew"} & set(move), "nor what the lesson says"
        assert all("value" not in choice for choice in move["choices"])
        # What is not told may not be read from the order either.
    turn = hidden[0]["turn"]
    whole = next(move for move in data["moves"] if move["turn"] == turn)
    best = max(range(len(whole["choices"])), key=lambda index: whole["choices"][index]["value"])
    place = order_of(reviewed.pk, whole).index(best)
    assert hidden[0]["choices"][place]["text"] == whole["choices"][best]["text"]
    answer = client.post(f"{address}{turn}/try/", {"choice": str(place)}).json()
    assert answer["tried"] == {"choice": best, "right": True}
    assert answer["better"]["text"] == whole["better"]["text"]
    second = client.post(f"{address}{turn}/try/", {"choice": "0"}).json()
    assert second["tried"]["choice"] == best, "the first guess counts"
    after = client.get(address).json()["review"]["moves"]
    assert [move["turn"] for move in after if move["hidden"]] == [move["turn"] for move in hidden[1:]]


@pytest.mark.parametrize("choice", ["-1", "99", "²", "best"])
def test_a_choice_that_is_none_is_refused(
    reviewed: MoveReview, signed_in: Callable[[User], Client], choice: str
) -> None:
    turn = faults(reviewed.data)[0]["turn"]
    answer = signed_in(reviewed.game.player).post(
        f"/deals/{reviewed.game_id}/review/{turn}/try/", {"choice": choice}
    )
    assert answer.status_code == 422
    assert not reviewed.tried.exists()


def test_a_manager_sees_every_better_move_and_the_player_still_none(
    careless: Game, manager: User, team: Any, signed_in: Callable[[User], Client]
) -> None:
    Game.objects.filter(pk=careless.pk).update(team=team)
    asked = services.review_request(game=careless)
    assert asked is not None
    owed.do(REVIEW, asked.pk)
    seen = signed_in(manager).get(f"/deals/{careless.pk}/review/").json()["review"]
    assert not any(move["hidden"] for move in seen["moves"])
    own = signed_in(careless.player).get(f"/deals/{careless.pk}/review/").json()["review"]
    assert any(move["hidden"] for move in own["moves"])


def test_a_game_that_nobody_asked_to_review_is_found(careless: Game) -> None:
    MoveReview.objects.all().delete()
    owed.sweep()
    assert MoveReview.objects.filter(game=careless, version=VERSION).exists()


def test_who_wants_to_learn_from_reviews_is_told(careless: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[uuid.UUID] = []
    monkeypatch.setattr(services, "_learners", [lambda game, data: heard.append(game.pk)])
    asked = services.review_request(game=careless)
    assert asked is not None
    owed.do(REVIEW, asked.pk)
    assert heard == [careless.pk]


def test_a_review_whose_page_is_open_goes_before_those_that_nobody_looks_for(
    careless: Game, client: Client, rep: User
) -> None:
    MoveReview.objects.all().delete()
    broker = Redis.from_url(settings.CELERY_BROKER_URL)
    broker.delete(AWAITED, REVIEWS)
    asked = services.review_request(game=careless)
    assert asked is not None
    cache.delete(f"hastened:review:{asked.pk}")  # another test's row of the same number may have left it
    assert (broker.llen(AWAITED), broker.llen(REVIEWS)) == (0, 1)
    client.force_login(rep)
    for _ in range(3):
        assert client.get(f"/deals/{careless.pk}/review/").json()["status"] == "waiting"
    assert (broker.llen(AWAITED), broker.llen(REVIEWS)) == (1, 1), "a page that asks again sends nothing more"


def test_a_flood_of_one_teams_reviews_does_not_hold_up_anothers(rep: User) -> None:
    """Whichever review a message meant, the next goes to whoever had the fewest lately, a person alone included."""
    many, few = (Team.objects.create(name=name) for name in ("Many", "Few"))
    setting = {"scenario": "saas_enterprise", "persona": "shark", "seat": "seller"}

    def ended(team: Team | None) -> MoveReview:
        game = game_create(player=rep, team=team, **setting)  # type: ignore[arg-type]
        return MoveReview.objects.create(game=game, version=VERSION)

    flood = [ended(many) for _ in range(4)]
    other, alone = ended(few), ended(None)
    done = []
    for row in [*flood, other, alone]:
        taken = owed.claim(REVIEW, owed.fairest(REVIEW, row.pk))
        owed.finish(taken, data={})
        done.append(taken.pk)
    assert set(done[:3]) == {flood[0].pk, other.pk, alone.pk}
    assert done[3:] == [each.pk for each in flood[1:]]
    assert owed.fairest(REVIEW, other.pk) == other.pk
