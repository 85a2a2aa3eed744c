"""A model's reply on its way to the table: drafts through real sockets, the line that replaces them, the stand-in."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent
from tests.actor import OPENING, Actor
from tests.clients import Line, Person, line
from tests.opponents.model_double import PATIENCE, speaking_apart
from tests.servers import DAPHNE, ROOT, Stack

pytestmark = pytest.mark.slow
"""Of the guard that stops a line, tests/opponents/test_guard.py proves the most in the quick set."""


@pytest.fixture(scope="module")
def actor() -> Actor:
    return Actor()


@pytest.fixture(scope="module")
def stack(actor: Actor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A running product whose opponents may speak in free words."""
    with speaking_apart(actor) as double:
        running = Stack(
            tmp_path_factory.mktemp("models"),
            MODEL_URL=double.url,
            MODEL_NAME="base",
            MODEL_TURN_SECONDS=str(PATIENCE),
        )
        try:
            yield running.start()
        finally:
            running.stop()


@pytest.fixture
def second(stack: Stack) -> Iterator[str]:
    """The address of one more process of the same product."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, *DAPHNE, "-p", str(port), "parlay_web.asgi:application"],
        cwd=ROOT,
        env=stack.environment,
        preexec_fn=die_with_parent,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def rep(stack: Stack, actor: Actor) -> Person:
    actor.mood = "good"
    return Person(stack.url).login("rep@demo.local")


def drafts(heard: Line) -> list[dict[str, Any]]:
    return [frame["data"] for frame in heard.control if frame["type"] == "draft"]


def line_of(heard: Line) -> dict[str, Any]:
    """The opponent's last line as it was logged."""
    return next(f["data"] for f in reversed(heard.log) if f.get("type") == "opponent_moved")


async def test_a_reply_is_seen_to_grow_and_then_stands_in_the_log(stack: Stack, rep: Person) -> None:
    game = rep.sit_down(voice="narrated")
    watching = rep.share(game, "watch")
    async with (
        line(stack.url, f"/ws/deals/{game}/", cookies=rep.cookies()) as player,
        line(stack.url, f"/ws/watch/{watching}/") as watcher,
    ):
        answer = await player.turn(text="How does your team work today?")
        await watcher.until(lambda frame: frame.get("type") == "turn_closed" and frame["data"]["turn"] == 1)
    told = line_of(player)
    assert told["text"].startswith(OPENING)
    assert not told["stand_in"]
    for heard in (player, watcher):
        grown = [draft["text"] for draft in drafts(heard)]
        assert len(grown) > 2
        assert all(later.startswith(before) for before, later in itertools.pairwise(grown))
        assert told["text"].startswith(grown[-1])
        assert {draft["after"] for draft in drafts(heard)} == {answer["seq"]}
    assert not any("seq" in json.loads(raw) for raw in player.raw if '"draft"' in raw)


async def test_spectators_at_another_process_see_it_grow_too(stack: Stack, second: str, rep: Person) -> None:
    game = rep.sit_down(voice="narrated")
    watching = rep.share(game, "watch")
    async with (
        line(second, f"/ws/watch/{watching}/") as watcher,
        line(stack.url, f"/ws/deals/{game}/", cookies=rep.cookies()) as player,
    ):
        await watcher.until(lambda frame: frame.get("type") == "turn_closed")
        await player.turn(text="Where do you stand?")
        await watcher.until(lambda frame: frame.get("type") == "turn_closed" and frame["data"]["turn"] == 1)
    assert len(drafts(watcher)) > 2
    assert line_of(watcher)["text"].startswith(drafts(watcher)[-1]["text"])


async def test_what_the_guard_stops_is_taken_back_and_never_shown_whole(
    stack: Stack, rep: Person, actor: Actor
) -> None:
    game = rep.sit_down(voice="narrated")
    actor.mood = "out_of_part"
    async with line(stack.url, f"/ws/deals/{game}/", cookies=rep.cookies()) as player:
        await player.turn(text="Are you a machine?")
    shown = [draft["text"] for draft in drafts(player)]
    assert "" in shown
    assert not any("language model" in text for text in shown)
    assert line_of(player)["stand_in"]
    assert "answer_explained" not in "".join(player.raw)


async def test_a_server_that_fails_costs_nobody_a_turn(stack: Stack, rep: Person, actor: Actor) -> None:
    game = rep.sit_down(voice="narrated")
    actor.mood = "gone"
    async with line(stack.url, f"/ws/deals/{game}/", cookies=rep.cookies()) as player:
        for text in ("Where do you stand?", "Why is that?"):
            await player.turn(text=text)
            assert line_of(player)["stand_in"]
            assert line_of(player)["text"]
    kept = [json.loads(data) for (data,) in stack.rows(ACCOUNTS, game.replace("-", ""))]
    assert [(one["turn"], one["kind"], one["stand_in"]) for one in kept] == [
        (1, "narrated", True),
        (2, "narrated", True),
    ]
    assert all(one["why"] for one in kept)


ACCOUNTS = "select data from negotiation_event where type = 'answer_explained' and game_id = ? order by seq"


async def test_the_operators_see_how_it_went(stack: Stack, rep: Person) -> None:
    game = rep.sit_down(voice="narrated")
    async with line(stack.url, f"/ws/deals/{game}/", cookies=rep.cookies()) as player:
        await player.turn(text="Where do you stand?")
    told = rep.get("/metrics").text
    values = dict(entry.rsplit(" ", 1) for entry in told.splitlines() if entry.startswith("parlay_"))
    assert float(values["parlay_model_requests_total"]) >= 1
    assert float(values['parlay_model_breaker{state="closed"}']) == 1
    assert float(values["parlay_first_words_seconds_count"]) >= 1
    assert 'parlay_model_seconds{part="first_token",quantile="0.5"}' in values


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            Person(url).get("/healthz")
            return
        except OSError:
            assert time.monotonic() < deadline, url
            time.sleep(0.1)
