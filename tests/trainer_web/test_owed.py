"""What every kind of work promises: done once, by one worker, whatever dies on the way, and told where it fails."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from coaching.champion.services import replay_request
from coaching.reviews.models import MoveReview
from coaching.reviews.services import review_request
from coaching.room import mydata
from negotiation.diplomacy.lessons.services import lesson_request
from negotiation.diplomacy.models import BoardSeat
from negotiation.diplomacy.services import game_create, seat_leave
from negotiation.scenario_services import preview_request, scenario_create
from negotiation.serving.models import Adapter
from owed import kinds
from owed import services as owed
from owed.kinds import Work
from owed.models import OwedRow, OwedState
from tests.effort import matrix
from tests.opponents.model_double import PATIENCE, speaking_apart
from tests.web.test_talking_games import sociable
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import RunRefused, run_request

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pupil")]

Ask = Callable[[], OwedRow | None]


def review(request: pytest.FixtureRequest) -> Ask:
    game = request.getfixturevalue("over")
    MoveReview.objects.all().delete()  # asked for as the game ended
    return lambda: review_request(game=game)


def preview(request: pytest.FixtureRequest) -> Ask:
    # Few games: what a preview counts is told by its own tests.
    request.getfixturevalue("monkeypatch").setattr("negotiation.scenario_preview.ROUNDS", 1)
    authored = scenario_create(slug="lab_owed", start_from="saas_enterprise", author=None)
    return lambda: preview_request(authored=authored, author=None)


@pytest.fixture
def served(settings: Any) -> Iterator[None]:
    """A champion on a server that answers."""
    with speaking_apart(sociable) as double:
        settings.MODEL_URL, settings.MODEL_STYLE, settings.MODEL_TURN_SECONDS = double.url, "full", PATIENCE
        Adapter.objects.create(
            name="generation-1", title="Generation 1", path="x", sha256="0" * 64, status="offered",
            rating=1600, deviation=40, certificate="/generations/1/", loaded_at=timezone.now(),
        )  # fmt: skip
        yield


def champion(request: pytest.FixtureRequest) -> Ask:
    game = request.getfixturevalue("over")
    request.getfixturevalue("served")
    return lambda: replay_request(game=game)


def export(request: pytest.FixtureRequest) -> Ask:
    rep = request.getfixturevalue("rep")
    request.getfixturevalue("monkeypatch").setattr(mydata, "INLINE_GAMES", -1)
    return lambda: mydata.export_ask(user=rep)


def lesson(request: pytest.FixtureRequest) -> Ask:
    rep = request.getfixturevalue("rep")
    game, _ = game_create(host=rep, power="FRANCE", years=1)
    seat_leave(game_id=game.pk, user=rep, action_id=uuid.uuid4())
    return lambda: lesson_request(seat=BoardSeat.objects.get(game=game, user=rep))


def training(request: pytest.FixtureRequest) -> Ask:
    base = request.getfixturevalue("base")

    def ask() -> TrainingRun:
        with suppress(RunRefused):  # a name is given once
            run_request(name="Owed", by=None, recipe="grpo", base=base, grpo_steps=2)
        return TrainingRun.objects.get()

    return ask


ASKED: dict[str, Callable[[pytest.FixtureRequest], Ask]] = {
    "review": review,
    "preview": preview,
    "champion": champion,
    "export": export,
    "lesson": lesson,
    "training": training,
}
"""By kind of work: how somebody asks for a piece of it."""


class Desk:
    """One kind of work, its queue, and a way to ask for a piece."""

    def __init__(self, work: Work[Any], ask: Ask) -> None:
        self.queue: list[str] = []
        self.away = False
        self._ask = ask
        self.work = self.with_(work, tell=self._tell, also=None)

    def with_(self, work: Work[Any], **changed: Any) -> Work[Any]:
        self.work = kinds.register(replace(work, **changed))
        return self.work

    def _tell(self, pk: str) -> None:
        if self.away:
            raise OperationalError("no broker")
        self.queue.append(pk)

    def ask(self) -> OwedRow:
        row = self._ask()
        assert row is not None
        return self.fresh(row)

    def fresh(self, row: OwedRow) -> OwedRow:
        return self.work.model._default_manager.get(pk=row.pk)

    def deliver(self) -> list[bool]:
        messages, self.queue[:] = list(self.queue), []
        return [owed.do(self.work, pk) for pk in messages]

    def grow_old(self, row: OwedRow) -> None:
        late = timezone.now() - self.work.silent - timedelta(seconds=1)
        self.work.model._default_manager.filter(pk=row.pk).update(heartbeat_at=late)


@pytest.fixture(params=matrix(sorted(ASKED), one_in=3))
def desk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Desk:
    ask = ASKED[request.param](request)
    monkeypatch.setattr(kinds, "_works", dict(kinds._works))
    for work in kinds.every():  # nobody else's work is in the way of the sweep
        kinds.register(replace(work, also=None, tell=lambda pk: None))
    return Desk(kinds.named(request.param), ask)


def test_every_kind_of_work_of_the_house_is_tried_here() -> None:
    assert {work.name for work in kinds.every()} == set(ASKED)


def test_asked_for_twice_it_is_one_piece_of_work(desk: Desk) -> None:
    first, second = desk.ask(), desk.ask()
    assert (first.pk, first.state, len(desk.queue)) == (second.pk, OwedState.WAITING, 1)


def test_delivered_twice_it_is_done_once(desk: Desk) -> None:
    row = desk.ask()
    desk.queue *= 2
    assert desk.deliver() == [True, False]
    row = desk.fresh(row)
    assert (row.state, row.attempts, row.lease, row.reason) == (OwedState.DONE, 1, "", "")


def test_while_one_worker_has_it_no_other_gets_it(desk: Desk) -> None:
    row = desk.ask()
    assert owed.claim(desk.work, row.pk) is not None
    assert owed.claim(desk.work, row.pk) is None
    assert owed.owed(desk.work) == []


def test_the_work_of_a_dead_worker_is_taken_over_and_the_dead_write_nothing(desk: Desk) -> None:
    row = desk.ask()
    dead = owed.claim(desk.work, row.pk)
    desk.queue.clear()
    assert owed.sweep()[desk.work.name] == 0, "it may still be at it"
    desk.grow_old(row)
    assert owed.sweep()[desk.work.name] == 1
    taken = owed.claim(desk.work, row.pk)
    assert (taken.attempts, taken.lease != dead.lease) == (2, True)
    with pytest.raises(owed.LeaseLost):
        owed.progress(dead)
    assert owed.fail(dead, "too late") is False
    owed.progress(taken)
    desk.grow_old(row)
    assert desk.deliver() == [True]
    assert desk.fresh(row).state == OwedState.DONE


def test_work_that_kills_its_workers_fails_in_the_end(desk: Desk) -> None:
    if desk.work.most is None:
        pytest.skip("taken up as often as need be: it goes on from its checkpoints")
    row = desk.ask()
    for _ in range(desk.work.most):
        assert owed.claim(desk.work, row.pk) is not None
        desk.grow_old(row)
    assert owed.claim(desk.work, row.pk) is None
    assert desk.fresh(row).state == OwedState.FAILED
    assert "workers were lost" in desk.fresh(row).reason


def test_a_broker_that_was_away_loses_nothing(desk: Desk) -> None:
    desk.away = True
    row = desk.ask()
    assert row.state == OwedState.WAITING
    desk.grow_old(row)
    assert owed.sweep()[desk.work.name] == 0
    desk.away = False
    assert owed.sweep()[desk.work.name] == 1
    assert desk.deliver() == [True]
    assert desk.fresh(row).state == OwedState.DONE
    assert owed.sweep()[desk.work.name] == 0


def test_a_failure_is_told_and_it_can_be_asked_for_again(desk: Desk) -> None:
    row, whole = desk.ask(), desk.work

    def breaks(row: OwedRow) -> dict[str, Any]:
        raise owed.CannotBeDone("The well is dry.")

    desk.with_(whole, run=breaks)
    assert desk.deliver() == [True]
    row = desk.fresh(row)
    assert (row.state, row.reason, row.lease) == (OwedState.FAILED, "The well is dry.", "")
    desk.with_(whole)
    assert owed.again(row)
    assert owed.again(row) is False, "it waits already"
    assert desk.deliver() == [True]
    row = desk.fresh(row)
    assert (row.state, row.reason) == (OwedState.DONE, "")


def test_an_error_that_nobody_foresaw_is_a_failure_that_tells_no_words(desk: Desk) -> None:
    row = desk.ask()

    def breaks(row: OwedRow) -> dict[str, Any]:
        raise ZeroDivisionError("their limit is 120")

    desk.with_(desk.work, run=breaks)
    with pytest.raises(ZeroDivisionError):
        desk.deliver()
    assert (desk.fresh(row).state, desk.fresh(row).reason) == (OwedState.FAILED, "ZeroDivisionError")


def test_cancelled_while_it_waits_it_is_never_begun(desk: Desk) -> None:
    row = desk.ask()
    assert owed.cancel(row)
    assert desk.deliver() == [False]
    assert (desk.fresh(row).state, desk.fresh(row).attempts) == (OwedState.CANCELLED, 0)


def test_cancelled_while_it_runs_it_stops_at_its_next_progress(desk: Desk) -> None:
    row, whole = desk.ask(), desk.work

    def cancelled_on_the_way(row: OwedRow) -> dict[str, Any]:
        assert owed.cancel(row)
        owed.progress(row)
        return whole.run(row)

    desk.with_(whole, run=cancelled_on_the_way)
    assert desk.deliver() == [True]
    row = desk.fresh(row)
    assert (row.state, row.cancel, row.lease) == (OwedState.CANCELLED, False, "")
    desk.with_(whole)
    assert owed.again(row)
    assert desk.deliver() == [True]
    assert desk.fresh(row).state == OwedState.DONE
