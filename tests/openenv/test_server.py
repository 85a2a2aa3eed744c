"""The server over real sockets, mostly through the official client as it comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

pytest.importorskip("openenv", reason="openenv is installed in .venv-train only")

import requests
from openenv.cli._validation import validate_running_environment
from openenv.core.generic_client import GenericEnvClient
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from negotiation.engine.deal import Action, Belief, Negotiation
from negotiation.openenv.limits import Limits
from tests.openenv.serving import serving

TOKEN, OTHER_TOKEN = "a-token-of-some-length", "another-token-of-length"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


async def ask(line, kind: str, data=None):
    await line.send(json.dumps({"type": kind, "data": data or {}}))
    return json.loads(await asyncio.wait_for(line.recv(), 10))


def socket_url(url: str) -> str:
    return url.replace("http", "ws", 1) + "/ws"


def test_the_official_client_plays_a_deal_to_its_end_as_the_engine_does(url: str) -> None:
    game = Negotiation("saas_enterprise", "shark", "buyer", 21, difficulty=0.3)
    with GenericEnvClient(base_url=url).sync() as client:
        result = client.reset(
            seed=21,
            episode_id="e-1",
            scenario="saas_enterprise",
            persona="shark",
            seat="buyer",
            difficulty=0.3,
        )
        assert result.observation["own"]["walk_away"] == game.observe().own.walk_away
        offer = 90_000.0
        while not result.done:
            text = f"We can pay {offer:,.0f}."
            action = {"text": text, "offer": offer, "belief": {"walk_away": 110_000.0}}
            result = client.step(action)
            played = game.step(Action(text=text, offer=offer, belief=Belief(walk_away=110_000.0)))
            assert result.reward == played.reward
            assert result.observation["standing_offer"] == played.observation.standing_offer
            assert result.observation["reply"]["text"] == played.reply.text
            offer = min(offer + 4_000, 160_000.0)
        state = client.state()
        assert (state["episode_id"], state["done"]) == ("e-1", True)
    assert game.done


async def test_a_message_that_is_too_long_ends_the_episode_and_the_official_client_starts_without_one() -> (
    None
):
    with serving(Limits(frame=65_536)) as url:
        async with connect(socket_url(url)) as line:
            assert (await ask(line, "reset", {"seed": 3}))["type"] == "observation"
            await line.send(json.dumps({"type": "step", "data": {"text": "x" * 66_000}}))
            with pytest.raises(ConnectionClosed) as closed:
                await asyncio.wait_for(line.recv(), 10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        async with GenericEnvClient(base_url=url) as client:
            await client.reset(seed=3)
            with pytest.raises(Exception):  # noqa: B017, PT011  # what it raises is the client's own affair
                await client.step({"text": "x" * 66_000})
            with pytest.raises(RuntimeError, match=r"code: no_episode"):
                await client.step({"text": "Well?"})
            result = await client.reset(seed=3)
            assert not result.done


async def test_the_official_client_is_told_codes_and_plays_on(url: str) -> None:
    async with GenericEnvClient(base_url=url) as client:
        with pytest.raises(RuntimeError, match=r"code: unknown_scenario"):
            await client.reset(scenario="lemonade")
        await client.reset(seed=3)
        with pytest.raises(RuntimeError, match=r"code: nothing_to_accept"):
            await client.step({"accept": True})
        with pytest.raises(RuntimeError, match=r"code: VALIDATION_ERROR"):
            await client.step({"acccept": True})
        result = await client.step({"walk_away": True})
        assert result.done
        with pytest.raises(RuntimeError, match=r"code: game_over"):
            await client.step({"offer": 1.0})


async def test_sessions_side_by_side_do_not_hear_each_other(url: str) -> None:
    async def play(seed: int) -> list[object]:
        async with GenericEnvClient(base_url=url) as client:
            heard = [(await client.reset(seed=seed)).observation]
            heard += [
                (await client.step({"offer": offer})).observation for offer in (200_000, 190_000, 180_000)
            ]
            return [{k: v for k, v in each.items() if k != "metadata"} for each in heard]

    together = await asyncio.gather(*(play(seed) for seed in range(12)))
    for seed in (0, 5, 11):
        assert await play(seed) == together[seed]


def test_the_live_checks_of_the_library_pass(url: str) -> None:
    report = validate_running_environment(url)
    assert report["passed"], report
    assert report["standard_profile"] == "openenv-http/1.x"


def test_behind_a_prefix_it_answers_whether_or_not_the_proxy_takes_it_off() -> None:
    with serving(root_path="/openenv") as address:
        for base in (address, f"{address}/openenv"):
            assert validate_running_environment(base)["passed"]
            with GenericEnvClient(base_url=base).sync() as client:
                assert client.reset(seed=1).done is False


def test_over_plain_http_refusals_have_codes_too(url: str) -> None:
    started = requests.post(f"{url}/reset", json={"seed": 4, "persona": "veteran"}, timeout=10)
    assert started.json()["observation"]["persona"] == "veteran"
    refused = requests.post(f"{url}/reset", json={"scenario": "lemonade"}, timeout=10)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "unknown_scenario")
    alone = requests.post(f"{url}/step", json={"action": {"offer": 5}}, timeout=10)
    assert (alone.status_code, alone.json()["error"]["code"]) == (422, "no_episode")
    wrong = requests.post(f"{url}/step", json={"action": {"ofer": 5}}, timeout=10)
    assert wrong.status_code == 422
    long = requests.post(f"{url}/reset", json={"episode_id": "x" * 70_000}, timeout=10)
    assert (long.status_code, long.json()["error"]["code"]) == (413, "too_long")


def test_http_opens_no_session_that_would_stay(url: str) -> None:
    for _ in range(3):
        answer = requests.post(
            f"{url}/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create", "params": {}},
            timeout=10,
        )
        assert "result" not in answer.json()


async def test_too_many_sessions_are_told_so_and_one_that_leaves_makes_room() -> None:
    with serving(Limits(sessions=2)) as address:
        async with GenericEnvClient(base_url=address) as first, GenericEnvClient(base_url=address) as second:
            await first.reset(seed=1)
            await second.reset(seed=2)
            third = GenericEnvClient(base_url=address)
            with pytest.raises(RuntimeError, match="code: CAPACITY_REACHED"):
                await third.reset(seed=3)
            await third.close()
            await first.step({"offer": 200_000})
        async with GenericEnvClient(base_url=address) as later:
            assert (await later.reset(seed=4)).done is False


async def test_one_address_may_hold_only_so_many_sessions() -> None:
    with serving(Limits(sessions=50, per_guest=1)) as address:
        async with connect(socket_url(address)) as first:
            assert (await ask(first, "reset"))["type"] == "observation"
            async with connect(socket_url(address)) as second:
                refused = json.loads(await second.recv())
                assert refused["data"]["code"] == "CAPACITY_REACHED"
                with pytest.raises(ConnectionClosed):
                    await second.recv()


async def test_with_tokens_only_those_who_show_one_get_in() -> None:
    with serving(tokens=(TOKEN, OTHER_TOKEN)) as address:
        for headers in (
            {},
            {"Authorization": "Bearer wrong-token-of-length"},
            {"Authorization": f"Basic {TOKEN}"},
        ):
            async with connect(socket_url(address), additional_headers=headers) as line:
                assert json.loads(await line.recv())["data"]["code"] == "unauthorized"
            answer = await asyncio.to_thread(requests.post, f"{address}/reset", json={}, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        for token in (TOKEN, OTHER_TOKEN):
            headers = {"Authorization": f"Bearer {token}"}
            async with GenericEnvClient(base_url=address, headers=headers) as client:
                assert (await client.reset(seed=1)).done is False
        assert validate_running_environment(address)["passed"]


async def test_a_token_has_a_limit_of_its_own_wherever_it_comes_from() -> None:
    with serving(Limits(per_guest=2), tokens=(TOKEN, OTHER_TOKEN)) as address:
        mine = {"Authorization": f"Bearer {TOKEN}"}
        async with connect(socket_url(address), additional_headers=mine) as first:
            await ask(first, "reset")
            async with connect(socket_url(address), additional_headers=mine) as second:
                await ask(second, "reset")
                async with connect(socket_url(address), additional_headers=mine) as third:
                    assert json.loads(await third.recv())["data"]["code"] == "CAPACITY_REACHED"


async def test_a_session_that_falls_silent_is_told_and_closed_and_makes_room() -> None:
    with serving(Limits(sessions=1, idle=0.3)) as address:
        async with connect(socket_url(address)) as line:
            await ask(line, "reset")
            farewell = json.loads(await asyncio.wait_for(line.recv(), 10))
            assert farewell["data"]["code"] == "idle_timeout"
            with pytest.raises(ConnectionClosed):
                await line.recv()
        async with connect(socket_url(address)) as line:
            assert (await ask(line, "reset"))["type"] == "observation"


async def test_who_asks_too_fast_is_answered_every_time_all_the_same() -> None:
    with serving(Limits(rate=50)) as address:
        async with connect(socket_url(address)) as line:
            for _ in range(70):
                assert (await ask(line, "state"))["type"] == "state"


async def test_a_frame_that_is_too_long_ends_the_session_and_nobody_elses(url: str) -> None:
    async with connect(socket_url(url)) as loud, connect(socket_url(url)) as quiet:
        await ask(quiet, "reset", {"seed": 1})
        await loud.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(loud.recv(), 10)
        assert (await ask(quiet, "step", {"offer": 200_000}))["type"] == "observation"


async def test_frames_of_bytes_are_read_as_text_and_close_is_answered_by_closing(url: str) -> None:
    async with connect(socket_url(url)) as line:
        await line.send(b'{"type": "state"}')
        assert json.loads(await line.recv())["type"] == "state"
        await line.send(b"\xff\xfe")
        assert json.loads(await line.recv())["data"]["code"] == "INVALID_JSON"
        await line.send('{"type": "close"}')
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(line.recv(), 10)
