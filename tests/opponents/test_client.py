"""Asking a server over real HTTP: pieces as they come, limits on every wait, and who waits for whom."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from negotiation.opponents.client import Enough, ModelClient, Question, Server, Unavailable
from negotiation.opponents.resilience import Breaker, FairGate, QueueFull, RetryBudget
from tests.neutral import NEUTRAL
from tests.opponents.model_double import PATIENCE, Body, Brain, Said, speaking

CHAT = ({"role": "user", "content": "Hello"},)


def question(table: str = "one", **more: Any) -> Question:
    return Question("base", CHAT, table=table, **more)


def client_of(url: str, **more: Any) -> ModelClient:
    return ModelClient(Server(url, **{"turn_seconds": PATIENCE, **more}))


async def test_pieces_are_heard_as_they_come() -> None:
    heard: list[str] = []
    async with speaking(lambda body: Said(("We ", "can ", "do it."), pause=0.01)) as double:
        client = client_of(double.url)
        said = await client.ask(question(), until=client.deadline(), hear=heard.append)
        await client.close()
    assert heard == ["We ", "can ", "do it."]
    assert (said.text, said.tokens, said.whole) == ("We can do it.", 3, True)
    assert said.first_token is not None
    assert said.first_token <= said.seconds


async def test_a_schema_and_an_adapter_reach_the_server() -> None:
    async with speaking(lambda body: "{}") as double:
        client = client_of(double.url)
        asked = Question("adapter-7", CHAT, schema={"type": "object"}, seed=4)
        await client.ask(asked, until=client.deadline())
        await client.close()
    (body,) = double.asked
    assert (body["model"], body["seed"], body["stream"]) == ("adapter-7", 4, True)
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}


async def test_every_question_states_how_to_sample() -> None:
    async with speaking(lambda body: "{}") as double:
        client = client_of(double.url)
        await client.ask(question(temperature=0.7), until=client.deadline())
        await client.close()
    (body,) = double.asked
    assert {
        name: body[name] for name in body if name not in ("model", "messages", "max_tokens", "stream_options")
    } == {
        "stream": True,
        "temperature": 0.7,
        **NEUTRAL,
        "chat_template_kwargs": {"enable_thinking": False},
    }


async def test_a_server_that_knows_only_the_protocol_is_asked_within_it() -> None:
    async with speaking(lambda body: Said((), status=400) if "top_k" in body else "Fine.") as double:
        client = client_of(double.url)
        for _ in range(2):
            assert (await client.ask(question(), until=client.deadline())).text == "Fine."
        await client.close()
    assert ["top_k" in body for body in double.asked] == [True, False, False]
    assert all(body["top_p"] == 1.0 for body in double.asked)


async def test_a_server_that_refuses_a_question_for_itself_hears_the_next_in_full() -> None:
    async with speaking(lambda body: Said((), status=400) if len(double.asked) < 3 else "Fine.") as double:
        client = client_of(double.url)
        with pytest.raises(Unavailable, match="400"):
            await client.ask(question(), until=client.deadline())
        assert (await client.ask(question(), until=client.deadline())).text == "Fine."
        await client.close()
    assert ["top_k" in body for body in double.asked] == [True, False, True]


async def test_a_listener_that_has_enough_stops_the_model() -> None:
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        if len(heard) == 2:
            raise Enough

    async with speaking(lambda body: Said(("a ",) * 500, pause=0.01)) as double:
        client = client_of(double.url)
        said = await client.ask(question(), until=client.deadline(), hear=hear)
        await client.close()
        assert said.text == "a a "
        assert not said.whole
        await double.until_open(0)


def failing_then(answer: str, times: int, status: int = 503) -> Brain:
    left = [times]

    def brain(body: Body) -> Said | str:
        if left[0]:
            left[0] -= 1
            return Said((), status=status)
        return answer

    return brain


async def test_a_failure_before_the_first_word_is_tried_again() -> None:
    async with speaking(failing_then("Fine.", 2)) as double:
        client = client_of(double.url)
        assert (await client.ask(question(), until=client.deadline())).text == "Fine."
        assert client.health().retried == 2
        await client.close()


async def test_what_was_half_said_is_not_asked_again() -> None:
    async with speaking(lambda body: Said(("Well ", "now ", "then"), hangs_up_after=2)) as double:
        client = client_of(double.url)
        with pytest.raises(Unavailable, match=r"hung up|reached"):
            await client.ask(question(), until=client.deadline())
        await client.close()
    assert len(double.asked) == 1


async def test_an_answer_that_never_came_to_an_end_is_no_answer() -> None:
    async with speaking(lambda body: Said(("We ", "can"), unfinished=True)) as double:
        client = client_of(double.url)
        with pytest.raises(Unavailable, match="mid-sentence"):
            await client.ask(question(), until=client.deadline())
        await client.close()


async def test_retries_are_paid_from_one_purse() -> None:
    async with speaking(lambda body: Said((), status=500)) as double:
        client = client_of(double.url)
        client.breaker = Breaker(asyncio.get_running_loop().time, failures=1000)
        for _ in range(8):
            with pytest.raises(Unavailable):
                await client.ask(question(), until=client.deadline())
        await client.close()
    assert len(double.asked) == 8 + 5, "half a purse of ten is spent, then nobody asks twice"


@pytest.mark.parametrize(
    "slow", [Said(("late",), wait=30), Said(("a", "b"), pause=30)], ids=["silent", "stuck"]
)
async def test_a_slow_server_costs_no_more_than_the_deadline(slow: Said) -> None:
    async with speaking(lambda body: slow) as double:
        client = client_of(double.url, turn_seconds=0.4)
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(Unavailable, match="too slow"):
            await client.ask(question(), until=client.deadline())
        assert loop.time() - began < 5
        await client.close()


async def test_a_server_that_is_not_there_is_told_in_words() -> None:
    client = client_of("http://127.0.0.1:9/v1")
    with pytest.raises(Unavailable, match="could not be reached"):
        await client.ask(question(), until=client.deadline())
    await client.close()


async def test_the_breaker_leaves_an_ailing_server_alone_and_comes_back() -> None:
    ill = [True]
    async with speaking(lambda body: Said((), status=500) if ill[0] else "Well again.") as double:
        client = client_of(double.url)
        now = [0.0]
        client.breaker = Breaker(lambda: now[0], failures=3, rest=5.0)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await client.ask(question(), until=client.deadline())
        asked = len(double.asked)
        with pytest.raises(Unavailable, match="left alone"):
            await client.ask(question(), until=client.deadline())
        assert len(double.asked) == asked
        assert client.health().breaker == "open"
        now[0], ill[0] = 6.0, False
        assert client.health().breaker == "half_open"
        assert (await client.ask(question(), until=client.deadline())).text == "Well again."
        assert client.health().breaker == "closed"
        await client.close()


async def test_an_unknown_adapter_does_not_trip_the_breaker() -> None:
    async with speaking(lambda body: Said((), status=404)) as double:
        client = client_of(double.url)
        for _ in range(9):
            with pytest.raises(Unavailable, match="does not know"):
                await client.ask(question(), until=client.deadline())
        assert client.health().breaker == "closed"
        assert len(double.asked) == 9
        await client.close()


async def test_a_player_who_leaves_stops_the_model() -> None:
    async with speaking(lambda body: Said(("word ",) * 500, pause=0.01)) as double:
        client = client_of(double.url)
        asking = asyncio.create_task(client.ask(question(), until=client.deadline()))
        await double.until_open(1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await double.until_open(0)
        assert client.health().under_way == 0
        assert client.health().called_off == 1
        assert client.health().breaker == "closed"
        await client.close()


async def test_no_more_are_under_way_than_agreed() -> None:
    async with speaking(lambda body: Said(("a", "b"), pause=0.02)) as double:
        client = client_of(double.url, concurrency=3)
        asked = [client.ask(question(str(n)), until=client.deadline()) for n in range(12)]
        await asyncio.gather(*asked)
        assert double.most_open == 3
        assert client.health().waiting == client.health().under_way == 0
        await client.close()


async def test_a_full_queue_says_so_at_once() -> None:
    gate = FairGate(1, longest=1)
    async with gate.place("a"):
        waiting = asyncio.create_task(_through(gate, "b", []))
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            async with gate.place("c"):
                pass
    await waiting


async def _through(gate: FairGate, table: str, order: list[str]) -> None:
    async with gate.place(table):
        order.append(table)
        await asyncio.sleep(0)


async def test_nobody_waits_for_the_second_turn_of_another_table() -> None:
    gate = FairGate(1, longest=99)
    order: list[str] = []
    async with gate.place("busy"):
        waiting = [asyncio.create_task(_through(gate, "busy", order)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting += [asyncio.create_task(_through(gate, table, order)) for table in ("b", "c", "d")]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order[:3] == ["b", "c", "d"] or set(order[:4]) == {"b", "c", "d", "busy"}
    assert order.index("d") < len(order) - 2
    assert order[-2:] == ["busy", "busy"]


async def test_a_queue_that_is_never_idle_forgets_the_tables_of_the_past() -> None:
    gate = FairGate(3, longest=9)
    async with gate.place("always here"):
        for number in range(4_000):
            async with gate.place(f"table {number}"), gate.place("always here"):
                pass
    assert len(gate._last) <= 1_100


async def test_who_is_called_off_while_waiting_loses_no_place_for_others() -> None:
    gate = FairGate(1, longest=9)
    order: list[str] = []
    async with gate.place("a"):
        waiting = [asyncio.create_task(_through(gate, table, order)) for table in ("b", "c", "d")]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
    await asyncio.gather(*waiting, return_exceptions=True)
    assert order == ["c", "d"]
    assert (gate.inside, gate.waiting) == (0, 0)


async def test_who_is_called_off_in_the_moment_of_being_let_in_passes_the_place_on() -> None:
    gate = FairGate(1, longest=9)
    order: list[str] = []
    place = gate.place("a")
    await place.__aenter__()
    first = asyncio.create_task(_through(gate, "b", order))
    second = asyncio.create_task(_through(gate, "c", order))
    await asyncio.sleep(0)
    await place.__aexit__(None, None, None)
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert order == ["c"]
    assert (gate.inside, gate.waiting) == (0, 0)


def test_a_probe_that_fails_doubles_the_rest() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0], failures=1, rest=2.0, longest=5.0)
    breaker.failed()
    assert not breaker.lets_through()
    now[0] = 2.0
    assert breaker.lets_through()
    assert not breaker.lets_through(), "one probe at a time"
    breaker.failed()
    now[0] = 5.9
    assert not breaker.lets_through()
    now[0] = 6.0
    assert breaker.lets_through()
    breaker.gave_up()
    assert breaker.lets_through(), "a probe that was called off proves nothing"
    breaker.succeeded()
    assert breaker.state == "closed"


def test_successes_fill_the_purse_of_retries() -> None:
    budget = RetryBudget(tokens=4, refund=0.5)
    assert [budget.take() for _ in range(4)] == [True, True, False, False]
    budget.succeeded()
    assert budget.take()
