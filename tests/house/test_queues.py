"""Who takes what, and in which order: by the routes that the house declares, over a real Redis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import settings

from owed import kinds, queues
from parlay_web import redis_server
from parlay_web.celery import app
from parlay_web.ports import free_port


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    redis = redis_server.start(port=port, directory=tmp_path / "redis")
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        redis.kill()
        redis.wait()


def test_what_has_a_route_is_a_task_and_each_queue_has_one_worker() -> None:
    app.loader.import_default_modules()
    assert set(queues.ROUTES) <= set(app.tasks)
    taken = [queue for each in queues.BY_WORKER.values() for queue in each]
    assert sorted(taken) == sorted((*queues.ORDER, queues.TRAINING))
    assert {work.queue for work in kinds.every()} <= set(taken)


def test_what_is_due_again_soon_does_not_pile_up() -> None:
    for name, due in settings.CELERY_BEAT_SCHEDULE.items():
        if isinstance(due["schedule"], float):
            assert due["options"]["expires"] == due["schedule"], name


def test_one_worker_takes_what_is_urgent_before_a_flood_of_reviews(broker: str) -> None:
    # Not as the current app: tasks of tests that follow would be sent to a broker that is gone.
    house = Celery("house", broker=broker, set_as_current=False)
    house.config_from_object(settings, namespace="CELERY")
    house.conf.broker_url = broker
    with house.connection_for_write() as line, line.Producer() as producer:
        for queue in reversed(queues.ORDER):
            for number in range(3):
                producer.publish([queue, number], routing_key=queue, declare=[house.amqp.queues[queue]])
    came: list[list[object]] = []

    def take(body: list[object], message: Any) -> None:
        came.append(body)
        message.ack()

    with house.connection_for_read() as line:
        reader = line.Consumer([house.amqp.queues[name] for name in queues.ORDER], prefetch_count=1)
        reader.register_callback(take)
        with reader:
            while len(came) < 3 * len(queues.ORDER):
                line.drain_events(timeout=10)
    assert came == [[queue, number] for queue in queues.ORDER for number in range(3)]
