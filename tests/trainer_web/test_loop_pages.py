"""The calendar, runs side by side, a run live over its socket, the public loop, the champion in the debrief."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import user_create
from coaching.champion import services as champion
from coaching.champion.models import ChampionReplay
from coaching.room.ratings import opponent_of, rating_moved
from negotiation.models import Game
from negotiation.serving.models import Adapter
from owed import services as owed
from parlay_web.ports import free_port
from tests.trainer_web.promoting import promoted, trained
from trainer.flywheel.models import Dataset
from trainer.flywheel.promotion.loop import FinishedDeal, merged
from trainer.flywheel.runs import resources, services
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.sparring import asked
from trainer.flywheel.schedule import services as schedule
from trainer.flywheel.schedule.models import Retraining

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pupil")]

MONDAY = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


# --- the calendar -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("weekday", "hour", "expected"),
    [(0, 13, (16, 13)), (0, 12, (23, 12)), (0, 3, (23, 3)), (6, 3, (22, 3)), (2, 0, (18, 0))],
)
def test_the_next_time_is_the_first_that_lies_ahead(
    weekday: int, hour: int, expected: tuple[int, int]
) -> None:
    found = schedule.next_time(weekday, hour, MONDAY)
    assert (found.day, found.hour, found.weekday()) == (*expected, weekday)
    assert MONDAY < found <= MONDAY + timedelta(days=7)


def planned(base: str, admin: User, **more: Any) -> Retraining:
    row = Retraining(**{"weekday": 0, "hour": 3, "base": base, "least_new": 1, "sft_steps": 2, **more})
    return schedule.retraining_add(row=row, by=admin)


def due(row: Retraining) -> datetime:
    return Retraining.objects.get(pk=row.pk).next_at + timedelta(minutes=1)


def test_a_week_with_enough_new_deals_asks_for_one_run_that_will_be_judged(
    dataset: Dataset, base: str, admin: User
) -> None:
    row = planned(base, admin)
    assert schedule.retrain_what_is_due(now=timezone.now()) == 0
    when = due(row)
    assert schedule.retrain_what_is_due(now=when) == 1
    assert schedule.retrain_what_is_due(now=when) == 0
    run = TrainingRun.objects.get()
    assert (run.state, run.recipe, run.base, run.then_judge) == ("waiting", "sft", base, True)
    assert run.dataset is not None
    assert run.dataset.entries.count() == 1
    assert schedule.new_deals(Retraining.objects.get()) == 0


def test_a_week_with_too_little_that_is_new_says_so_and_waits_for_the_next(
    dataset: Dataset, base: str, admin: User
) -> None:
    row = planned(base, admin, least_new=2)
    when = due(row)
    assert schedule.retrain_what_is_due(now=when) == 0
    row.refresh_from_db()
    assert "1 new deals are too few" in row.said
    assert row.next_at > when
    assert not TrainingRun.objects.exists()


def test_two_workers_at_a_due_row_ask_once(dataset: Dataset, base: str, admin: User) -> None:
    row = planned(base, admin)
    when = due(row)
    seen_by_both = [Retraining.objects.get(pk=row.pk) for _ in range(2)]
    assert [schedule._retrain(each, when) for each in seen_by_both] == [True, False]


def test_it_goes_on_from_the_champion_if_so_wished_and_stops_when_switched_off(
    dataset: Dataset, base: str, admin: User, signed_in: Callable[[User], Client]
) -> None:
    generation = promoted(dataset, base, admin)
    row = planned(base, admin, go_on=True)
    assert schedule.retrain_what_is_due(now=due(row)) == 1
    assert TrainingRun.objects.get(state="waiting").start == generation
    desk = signed_in(admin)
    desk.post(f"/trainer/schedule/{row.pk}/", {"do": "off"})
    assert schedule.retrain_what_is_due(now=due(row)) == 0
    desk.post(f"/trainer/schedule/{row.pk}/", {"do": "remove"})
    assert not Retraining.objects.exists()


def test_a_plan_is_made_on_the_page(base: str, admin: User, signed_in: Callable[[User], Client]) -> None:
    wanted = {"weekday": 6, "hour": 3, "least_new": 5, "recipe": "sft", "base": base, "sft_steps": 9,
              "grpo_steps": 9}  # fmt: skip
    desk = signed_in(admin)
    assert desk.post("/trainer/schedule/", {**wanted, "hour": 25}).status_code == 422
    assert desk.post("/trainer/schedule/", wanted).status_code == 302
    assert "Sundays at 03:00 UTC" in desk.get("/trainer/schedule/").content.decode()


# --- runs ---------------------------------------------------------------------------------------------
def test_runs_side_by_side_show_where_they_differ(
    dataset: Dataset, base: str, admin: User, signed_in: Callable[[User], Client]
) -> None:
    one, two = trained(dataset, base), trained(dataset, base, "Two", seed=9)
    page = signed_in(admin).get(f"/trainer/compare/?run={one.pk}&run={two.pk}&run=nonsense").content.decode()
    assert '<tr class="differs"><th scope="row" class="words">Seed' in page
    assert '<tr ><th scope="row" class="words">Recipe' in page
    assert "Learning the moves" in page
    assert "Choose two" in signed_in(admin).get(f"/trainer/compare/?run={one.pk}").content.decode()


def test_a_run_leaves_what_it_took_of_the_machine(dataset: Dataset, base: str, store: Path) -> None:
    run = trained(dataset, base)
    seen = resources.latest(store / run.folder)
    assert seen["memory_mb"] is None or seen["memory_mb"] >= 0
    assert seen["at"] > 0


def test_playing_against_an_empty_pool_is_refused_in_words(dataset: Dataset, base: str) -> None:
    with pytest.raises(ValueError, match="Nothing that the filters let through"):
        asked(name="P", by=None, recipe="grpo", base=base, sft_steps=1, grpo_steps=1, with_pool=True)
    assert not TrainingRun.objects.exists()


async def test_a_run_is_watched_live_by_staff_alone(
    dataset: Dataset,
    base: str,
    admin: User,
    session: str,
    signed_in: Callable[[User], Client],
    open_socket: Any,
) -> None:
    run = await sync_to_async(services.run_request)(
        name="Live", by=None, dataset=dataset, recipe="sft", sft_steps=3, base=base
    )
    path = f"/ws/trainer/runs/{run.pk}/"
    refused = await open_socket(path, session=session)
    assert (await refused.receive_json_from(timeout=10))["data"]["code"] == "no_such_run"
    stranger = await open_socket(path)
    assert (await stranger.receive_json_from(timeout=10))["data"]["code"] == "not_signed_in"
    desk = (await sync_to_async(signed_in)(admin)).cookies[settings.SESSION_COOKIE_NAME].value
    socket = await open_socket(path, session=desk)
    first = await socket.receive_json_from(timeout=10)
    assert (first["type"], first["data"]["open"]) == ("now", True)
    assert 'data-state="waiting"' in first["data"]["html"]
    await sync_to_async(services.run_cancel)(run=run)
    last = await socket.receive_json_from(timeout=15)
    assert (last["data"]["open"], 'data-state="cancelled"' in last["data"]["html"]) == (False, True)


# --- what everybody sees ------------------------------------------------------------------------------
def played(day: int, person: int, *, example: bool = False) -> FinishedDeal:
    return FinishedDeal(datetime(2026, 11, day, 9, tzinfo=UTC), person, example)


def test_weeks_of_too_few_people_are_told_with_those_after_them() -> None:
    lonely = [played(2, 1, example=True), played(3, 1)]
    assert merged(lonely) == []
    crowd = [played(10, person) for person in range(5)]
    weeks = merged([*lonely, *crowd])
    assert [(week.ends.day, week.deals, week.examples) for week in weeks] == [(15, 7, 1)]
    assert len(merged([*lonely, *crowd, played(17, 1)])) == 1


def test_the_loop_is_open_to_everybody_and_names_nobody(
    dataset: Dataset, base: str, admin: User, willing: User
) -> None:
    empty = Client().get("/loop/")
    assert (empty.status_code, "It has not turned yet" in empty.content.decode()) == (200, True)
    promoted(dataset, base, admin)
    page = Client().get("/loop/").content.decode()
    assert "Generation 1" in page
    assert "fewer than five people" in page
    assert willing.email not in page
    assert "Deals, and what they taught" not in page


# --- the champion -------------------------------------------------------------------------------------
@pytest.fixture
def offered(settings: Any) -> Adapter:
    """A champion whose server does not answer."""
    settings.MODEL_URL, settings.MODEL_STYLE = f"http://127.0.0.1:{free_port()}/v1", "brief"
    return Adapter.objects.create(
        name="generation-1", title="Generation 1", path="x", sha256="0" * 64, status="offered",
        rating=1600, deviation=40, certificate="/generations/1/", loaded_at=timezone.now(),
    )  # fmt: skip


def test_without_a_champion_the_debrief_says_so(over: Game, signed_in: Callable[[User], Client]) -> None:
    page = signed_in(over.player).get(f"/deals/{over.pk}/champion/")
    assert "No trained model plays here now" in page.content.decode()
    assert not ChampionReplay.objects.exists()


def test_a_server_that_is_away_is_said_and_asked_again(
    over: Game, offered: Adapter, signed_in: Callable[[User], Client]
) -> None:
    desk = signed_in(over.player)
    assert 'data-status="waiting"' in desk.get(f"/deals/{over.pk}/champion/").content.decode()
    replay = ChampionReplay.objects.get()
    assert owed.do(champion.REPLAY, replay.pk)
    replay.refresh_from_db()
    assert replay.is_away
    assert not owed.do(champion.REPLAY, replay.pk)
    assert 'data-status="waiting"' in desk.get(f"/deals/{over.pk}/champion/").content.decode()
    assert ChampionReplay.objects.count() == 1


def test_the_last_answer_is_shown_when_the_server_is_gone(
    over: Game, offered: Adapter, settings: Any, signed_in: Callable[[User], Client]
) -> None:
    from coaching.cases.services import expert_replay

    ChampionReplay.objects.create(
        game=over, model="generation-1", title="Generation 1", state="done", data=expert_replay(game=over)
    )
    settings.MODEL_URL = ""
    page = signed_in(over.player).get(f"/deals/{over.pk}/champion/").content.decode()
    assert 'data-status="done"' in page
    assert "Generation 1" in page


def test_nobody_else_reads_how_the_champion_played_a_deal(
    over: Game, signed_in: Callable[[User], Client]
) -> None:
    other = signed_in(user_create(email="nosy@example.com", password="correct horse"))
    assert other.get(f"/deals/{over.pk}/champion/").status_code == 404


def test_a_deal_against_a_rated_model_moves_a_rating(over: Game, offered: Adapter) -> None:
    Game.objects.filter(pk=over.pk).update(opponent="negotiator", opponent_model="generation-1")
    over.refresh_from_db()
    found = opponent_of(over)
    assert found is not None
    assert (found.rating, found.deviation) == (1600, 40)
    assert Game.objects.filter(rating_moved(), pk=over.pk).exists() == (not over.assisted)
    Adapter.objects.update(rating=None, deviation=None)
    assert opponent_of(over) is None
    assert not Game.objects.filter(rating_moved(), pk=over.pk).exists()
