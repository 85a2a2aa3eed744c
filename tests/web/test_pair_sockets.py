"""A deal between two people over their sockets: moves reach the other, nothing is lost, nobody moves out of turn."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.permits import Permit, let_in
from accounts.services import user_create
from negotiation.messages import ActData
from negotiation.pairs import ending, links, selectors, services, sessions
from negotiation.pairs.models import PairDeal, PairEvent
from negotiation.pairs.swift import move_at_once
from tests.tables import pair_between
from tests.web.conftest import OpenSocket, Socket
from tests.web.test_diplomacy_sockets import sent, until_seq

pytestmark = pytest.mark.django_db(transaction=True)

SEED = 4


@pytest.fixture
def colleague(db: None) -> User:
    return user_create(email="colleague@example.com", password="correct horse", display_name="Kim Roe")


@pytest.fixture
def sessions_of(rep: User, colleague: User, signed_in: Callable[[User], Client]) -> dict[int, str]:
    return {user.pk: signed_in(user).cookies["sessionid"].value for user in (rep, colleague)}


@pytest.fixture
def deal(rep: User, colleague: User) -> PairDeal:
    return pair_between(rep, colleague, seed=SEED)


def stored(deal: PairDeal) -> PairDeal:
    return PairDeal.objects.select_related("seller", "buyer").get(pk=deal.pk)


def path(deal: PairDeal, since: int = 0) -> str:
    return f"/ws/pairs/{deal.pk}/?since={since}"


async def both(
    deal: PairDeal, open_socket: OpenSocket, keys: dict[int, str], since: int = 0
) -> tuple[Socket, Socket]:
    """The socket of who is to move first, and the other's."""
    now = await sync_to_async(stored)(deal)
    first, second = (now.seller, now.buyer) if now.on_turn == "seller" else (now.buyer, now.seller)
    assert first is not None
    assert second is not None
    one = await open_socket(path(deal, since), session=keys[first.pk])
    other = await open_socket(path(deal, since), session=keys[second.pk])
    return one, other


def says(text: str, offer: float | None = None) -> dict[str, Any]:
    return {"text": text, "offer": offer, "confirmed": True}


async def test_each_is_sent_the_log_from_their_own_seat_and_again_on_asking(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of)
    for socket, seat in ((first, deal.opens), (second, "buyer" if deal.opens == "seller" else "seller")):
        hello = await socket.until("hello")
        assert (hello["data"]["role"], hello["data"]["last_seq"]) == (seat, deal.last_seq)
        frames = await until_seq(socket, deal.last_seq)
        assert frames == await sync_to_async(selectors.frames_after)(deal.pk, 0, seat)
        await socket.send_json_to({"id": str(uuid.uuid4()), "type": "resume", "data": {"since": 2}})
        again = await until_seq(socket, deal.last_seq)
        assert [frame["seq"] for frame in again] == list(range(3, deal.last_seq + 1))


async def test_a_move_is_acknowledged_and_reaches_the_other_as_it_was_written(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    answer = await sent(first, "act", says("We can do 160.", 160_000.0))
    assert (answer["type"], answer["seq"]) == ("ack", deal.last_seq + 1)
    heard = await second.until("opponent_moved")
    assert (heard["data"]["text"], heard["data"]["offer"]) == ("We can do 160.", 160_000.0)
    assert "belief" not in heard["data"]
    assert "talk" not in heard["data"]
    table = await second.until("turn_closed")
    assert (table["data"]["on_turn"], table["data"]["standing_offer"]) == (True, 160_000.0)


async def test_who_is_not_on_turn_is_told_so_and_writes_nothing(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    for kind, data in (("act", says("Me first", 120_000.0)), ("accept", {"offer": 1.0}), ("walk_away", {})):
        answer = await sent(second, kind, data)
        assert (answer["type"], answer["data"]["code"]) == ("error", "not_your_turn")
    assert await PairEvent.objects.filter(deal=deal).acount() == deal.last_seq
    assert (await sent(first, "act", says("160.", 160_000.0)))["type"] == "ack"
    assert (await sent(second, "act", says("And 130.", 130_000.0)))["type"] == "ack"


async def test_both_writing_in_one_moment_write_one_move(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    now = await sync_to_async(stored)(deal)
    key = sessions_of[now.seller_id if now.on_turn == "seller" else now.buyer_id]  # type: ignore[index]
    twin = await open_socket(path(deal, deal.last_seq), session=key)
    answers = await asyncio.gather(
        sent(first, "act", {**says("One window", 160_000.0), "after": 0}),
        sent(twin, "act", {**says("Another window", 161_000.0), "after": 0}),
        sent(second, "act", {**says("And the other side", 130_000.0), "after": 0}),
    )
    assert sorted(answer["type"] for answer in answers) == ["ack", "error", "error"]
    codes = {answer["data"]["code"] for answer in answers if answer["type"] == "error"}
    assert codes <= {"not_your_turn", "table_moved"}
    assert await PairEvent.objects.filter(deal=deal, type="moved").acount() == 1


async def test_words_written_before_the_others_last_move_are_no_answer_to_it(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    assert (await sent(first, "act", {**says("160.", 160_000.0), "after": 0}))["type"] == "ack"
    assert (await sent(second, "act", {**says("130.", 130_000.0), "after": 1}))["type"] == "ack"
    late = await sent(first, "act", {**says("Another 161.", 161_000.0), "after": 0})
    assert (late["type"], late["data"]["code"]) == ("error", "table_moved")
    assert (await sent(first, "act", {**says("155.", 155_000.0), "after": 2}))["type"] == "ack"


async def test_a_move_sent_again_after_a_cut_counts_once(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, _ = await both(deal, open_socket, sessions_of, deal.last_seq)
    frame_id = str(uuid.uuid4())
    once = await sent(first, "act", says("Hello", 160_000.0), frame_id)
    again = await sent(first, "act", says("Hello", 160_000.0), frame_id)
    assert (once["type"], once["seq"]) == (again["type"], again["seq"]) == ("ack", deal.last_seq + 1)
    assert await PairEvent.objects.filter(deal=deal, type="moved").acount() == 1


async def test_a_move_that_another_process_took_is_seen_and_answered(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    """The session at hand here is overtaken: the move after it goes the long way, and stands."""
    _, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    await second.until("hello")

    def elsewhere() -> int:
        now = stored(deal)
        mover = now.seller if now.on_turn == "seller" else now.buyer
        assert mover is not None
        held = sessions.kept.pop(deal.pk)
        act = ActData("From another process", 160_000.0, None, None, None, None, None, confirmed=True)
        services.pair_act(deal_id=deal.pk, player=mover, action_id=uuid.uuid4(), act=act)
        sessions.kept.forget(deal.pk)
        if held is not None:
            sessions.kept.keep(*held)
        return stored(deal).last_seq

    last = await sync_to_async(elsewhere)()
    await until_seq(second, last)
    assert (await sent(second, "act", says("Seen. 130.", 130_000.0)))["seq"] == last + 1
    rebuilt = await sync_to_async(sessions.rebuild)(await sync_to_async(stored)(deal))
    assert rebuilt.moves == 2


async def test_words_are_read_for_their_writer_before_they_bind_and_off_turn_too(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    for socket in (first, second):
        reading = await sent(socket, "preview", {"text": "We offer 155,000 for the year."})
        assert (reading["type"], reading["data"]["kind"], reading["data"]["offer"]) == (
            "reading",
            "offer",
            155_000,
        )
    asked = await sent(first, "act", {"text": "We offer 155,000.", "offer": 150_000.0})
    assert (asked["type"], asked["data"]["reason"]) == ("clarify", "figure_differs")
    assert await PairEvent.objects.filter(deal=deal).acount() == deal.last_seq


async def test_permission_is_asked_with_every_write(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, _ = await both(deal, open_socket, sessions_of, deal.last_seq)
    await first.until("hello")
    now = await sync_to_async(stored)(deal)
    mover = now.seller_id if now.on_turn == "seller" else now.buyer_id
    assert mover is not None
    await User.objects.filter(pk=mover).aupdate(is_active=False)
    await first.send_json_to({"id": str(uuid.uuid4()), "type": "act", "data": says("Still me?")})
    assert await first.close_code() == 4401
    assert await PairEvent.objects.filter(deal=deal, type="moved").acount() == 0


async def test_the_end_reaches_both_and_a_coach_in_time(
    deal: PairDeal, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    first, second = await both(deal, open_socket, sessions_of, deal.last_seq)
    now = await sync_to_async(stored)(deal)
    assert now.seller is not None
    _, token = await sync_to_async(links.link_create)(
        deal=now, seat="seller", created_by=now.seller, scope="coach"
    )
    coach = await open_socket(f"/ws/pair-watch/{token}/")
    assert (await coach.until("game_started"))["data"]["own"]
    await sent(first, "act", says("158 and we sign.", 158_000.0))
    standing = (await second.until("turn_closed"))["data"]
    taken = {"offer": standing["standing_offer"], "terms": standing["standing_terms"]}
    assert (await sent(second, "accept", taken))["type"] == "ack"
    ends = [await socket.until("game_ended") for socket in (first, second, coach)]
    assert [end["data"]["outcome"]["price"] for end in ends] == [158_000.0] * 3
    assert (ends[0]["data"]["outcome"]["reason"], ends[1]["data"]["outcome"]["reason"]) == (
        "opponent_accepted",
        "player_accepted",
    )
    assert "sealed" not in json.dumps(ends)
    assert (await sent(first, "act", says("Wait.")))["data"]["code"] == "game_over"


async def test_who_waits_is_told_as_the_other_sits_down_or_leaves_for_good(
    rep: User, colleague: User, sessions_of: dict[int, str], open_socket: OpenSocket
) -> None:
    deal, token = await sync_to_async(services.pair_open)(
        opener=rep, scenario="saas_enterprise", seat="seller", seed=SEED
    )
    socket = await open_socket(path(deal), session=sessions_of[rep.pk])
    assert (await socket.until("hello"))["data"]["last_seq"] == 0
    link = await sync_to_async(selectors.invitation)(token)
    live = await sync_to_async(services.pair_join)(link=link, user=colleague)
    started = await socket.until("game_started")
    assert started["data"]["seat"] == "seller"
    assert live.move_by is not None
    await sync_to_async(ending.pairs_sweep)(live.move_by + timedelta(seconds=1))
    ended = (await socket.until("game_ended"))["data"]["outcome"]["reason"]
    assert ended == ("player_left" if live.opens == "seller" else "opponent_left")


def permit_of(key: str) -> Permit:
    found = let_in(key)
    assert found is not None
    return found[1]


def test_a_move_at_hand_is_one_transaction_of_four_statements(
    deal: PairDeal, sessions_of: dict[int, str]
) -> None:
    now = stored(deal)
    order = (now.seller_id, now.buyer_id) if now.on_turn == "seller" else (now.buyer_id, now.seller_id)
    waits, moves = permit_of(sessions_of[order[1]]), permit_of(sessions_of[order[0]])  # type: ignore[index]
    act = ActData("We ask for 160.", 160_000.0, None, None, None, None, None, confirmed=True)
    with CaptureQueriesContext(connection) as asked:
        assert move_at_once(deal_id=deal.pk, permit=waits, action_id=uuid.uuid4(), act=act) is None
    assert asked.captured_queries == [], "who is not on turn does not get as far as the database"
    with CaptureQueriesContext(connection) as asked:
        taken = move_at_once(deal_id=deal.pk, permit=moves, action_id=uuid.uuid4(), act=act)
    assert taken is not None
    verbs = [query["sql"].split()[0] for query in asked.captured_queries]
    assert verbs == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]
    after = stored(deal)
    assert (after.moves, after.last_seq) == (1, taken.rows[-1].seq)
    assert after.on_turn != now.on_turn
    assert sessions.rebuild(after).moves == 1
