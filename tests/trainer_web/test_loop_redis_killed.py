"""Redis is killed while an example is made, a run is asked for, a run's page is watched, and a model is promoted, with the
real workers and web server around it. Once it is back everything is there exactly once, and nobody was told a failure."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients import Line, Person, line
from tests.trainer_web.house import DECISIONS, GENERATIONS, PLAY, House, copy_of, until
from tests.trainer_web.test_whole_way import end, worker
from tests.trainer_web.things import stand_in

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]

STEPS = 150
PATIENCE = 120
RUNS = "SELECT state, starts FROM trainer_trainingrun WHERE recipe = "
SWEEP = "from trainer.flywheel.tasks import harvest_what_is_owed\nharvest_what_is_owed.delay()\n"
"""What beat asks for every two minutes."""
FREEZE = """
from trainer.flywheel.datasets import dataset_freeze
from trainer.flywheel.filters import Filters
dataset_freeze(name="D", note="", filters=Filters(validation=0), by=None)
"""


@pytest.fixture
def house(tmp_path: Path, played: Path) -> Iterator[House]:
    """The product with both of its workers; its trainer is the stand-in, which takes its time."""
    built = copy_of(played, tmp_path, TRAINER_PYTHON=str(stand_in(tmp_path)), PUPIL_MOMENT="0.1")
    workers: list[subprocess.Popen[bytes]] = []
    try:
        built.start_redis()
        built.start_web()
        workers += [worker(built), worker(built, "training")]
        yield built
    finally:
        end(workers)
        built.stop()


@pytest.fixture
def admin(house: House) -> Person:
    return Person(house.url).login("admin@demo.local")


def harvested_while_redis_dies(house: House) -> None:
    """The worker has written the file and waits for the database when Redis goes; a second deal ends without it."""
    with house.database_held():
        assert house.run(SWEEP) == 0
        until("a file", PATIENCE, lambda: len(house.files()), 1)
        house.stop_redis()
    until("an example", PATIENCE, lambda: house.rows("SELECT state FROM trainer_episode"), [("taken",)])
    assert house.run(PLAY.replace("play_well(rep)", "play_well(rep, 9)")) == 0
    house.start_redis()
    assert house.run(SWEEP) == 0
    until(
        "both",
        PATIENCE,
        lambda: house.rows("SELECT COUNT(*), COUNT(DISTINCT game_id) FROM trainer_episode"),
        [(2, 2)],
    )
    assert len(house.files()) == 2


def run_asked_for_without_redis(house: House, admin: Person) -> str:
    """Its row waits; beat tells the training worker once Redis is back."""
    assert house.run(FREEZE) == 0
    (house.directory / "base").mkdir()
    house.stop_redis()
    page = admin.post(
        "/trainer/runs/new/", name="R", recipe="sft", dataset="1", base=str(house.directory / "base"),
        sft_steps=str(STEPS), grpo_steps="1", seed="0",
    )  # fmt: skip
    assert (page.status, "/trainer/runs/" in page.url) == (200, True)
    assert house.rows(RUNS + "'sft'") == [("waiting", 0)]
    house.start_redis()
    until("a start", PATIENCE, lambda: house.rows(RUNS + "'sft'"), [("running", 1)])
    return page.url.rstrip("/").rsplit("/", 1)[-1]


async def watched_while_redis_dies(house: House, admin: Person, run: str) -> None:
    """The page goes on without Redis, and with it again, to the end of the run."""
    async with line(house.url, f"/ws/trainer/runs/{run}/", cookies=admin.cookies()) as page:
        assert await drawn(page)
        house.stop_redis()
        assert [await drawn(page) for _ in range(2)] == [True, True]
        house.start_redis()
        while await drawn(page):
            pass
    assert house.rows(RUNS + "'sft'") == [("done", 1)]
    (steps,) = (house.directory / "flywheel" / "runs").glob("*/sft/steps.txt")
    assert [int(each.split()[1]) for each in steps.read_text().splitlines()] == list(range(STEPS))


async def drawn(page: Line) -> bool:
    """Wait for the page to be drawn anew; whether anything is still to happen."""
    frame = await page.next()
    assert frame["type"] == "now", frame
    return bool(frame["data"]["open"])


def promoted_without_redis(house: House, admin: Person, run: str) -> None:
    admin.post(f"/trainer/runs/{run}/judge/")
    until("a verdict", PATIENCE, lambda: house.rows(RUNS + "'gate'"), [("done", 1)])
    promote = f"/trainer/runs/{house.gate()}/promote/"
    house.stop_redis()
    assert "New deals are played by Generation 1" in admin.post(promote, reason="Better.").text
    house.start_redis()
    assert "promoted already" in admin.post(promote, reason="Better.").text
    assert house.rows(GENERATIONS) == [(1, "champion")]
    assert house.rows(DECISIONS) == [("promote",)]


def test_redis_dies_at_every_stage_of_the_loop_and_all_of_it_is_there_once(
    house: House, admin: Person
) -> None:
    harvested_while_redis_dies(house)
    run = run_asked_for_without_redis(house, admin)
    asyncio.run(watched_while_redis_dies(house, admin, run))
    promoted_without_redis(house, admin, run)
    assert house.rows("SELECT COUNT(*) FROM trainer_episode") == [(2,)]
    assert house.rows("SELECT COUNT(*) FROM trainer_trainingrun") == [(2,)]
