"""A small game over its socket: answered by id, taken once, the same in two windows."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from negotiation.smallgames.kind import SMALL
from negotiation.smallgames.models import SmallMatch, SmallMove
from negotiation.smallgames.services import match_act, match_create
from tests.web.conftest import OpenSocket
from tests.web.test_diplomacy_sockets import sent, until_seq

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match(rep: User) -> SmallMatch:
    """Against somebody to be guessed."""
    return match_create(player=rep, game="ipd", seed=7)


def address(match: SmallMatch, since: int = 0) -> str:
    return f"/ws/games/{match.pk}/?since={since}"


async def test_a_move_is_acknowledged_and_comes_to_every_window_and_a_resumed_one(
    match: SmallMatch, session: str, open_socket: OpenSocket
) -> None:
    here, there = [await open_socket(address(match), session=session) for _ in range(2)]
    answer = await sent(here, "act", {"after": "0", "action": "1"})
    assert (answer["type"], answer["seq"]) == ("ack", 1)
    rows = [SMALL.shown(row, "owner") for row in await sync_to_async(SMALL.read)(match.pk, 0)]
    assert await until_seq(here, 2) == rows
    assert await until_seq(there, 2) == rows
    back = await open_socket(address(match, 1), session=session)
    assert [frame["seq"] for frame in await until_seq(back, 2)] == [2]


async def test_what_is_sent_again_is_acknowledged_again_and_taken_once(
    match: SmallMatch, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(address(match), session=session)
    frame_id = str(uuid.uuid4())
    data = {"after": 0, "action": 0}
    first, again = [await sent(socket, "act", data, frame_id) for _ in range(2)]
    assert first == again
    assert await SmallMove.objects.filter(match=match, data__seat=0).acount() == 1


@pytest.mark.parametrize(
    ("kind", "data", "code"),
    [
        ("act", {"after": 0}, "bad_action"),
        ("act", {"after": 0, "action": True}, "bad_action"),
        ("act", {"action": 1}, "bad_after"),
        ("act", {"after": 4, "action": 1}, "moved_on"),
        ("act", {"after": 0, "action": 9}, "not_legal"),
        ("name", {"after": 0, "suspect": "tft"}, "too_early"),
        ("name", {"after": 0, "suspect": ["tft"]}, "unknown_suspect"),
    ],
)
async def test_what_cannot_be_done_is_refused_in_words_and_writes_nothing(
    match: SmallMatch, session: str, open_socket: OpenSocket, kind: str, data: dict[str, Any], code: str
) -> None:
    socket = await open_socket(address(match), session=session)
    answer = await sent(socket, kind, data)
    assert (answer["type"], answer["data"]["code"]) == ("error", code)
    assert not await SmallMove.objects.filter(match=match).aexists()


async def test_odds_and_the_name_go_over_the_socket_too(
    match: SmallMatch, rep: User, session: str, open_socket: OpenSocket
) -> None:
    def play() -> None:
        match_act(match_id=match.pk, player=rep, action_id=uuid.uuid4(), after=0, action=0)

    await sync_to_async(play)()
    socket = await open_socket(address(match, 2), session=session)
    assert (await sent(socket, "odds", {"after": 2}))["seq"] == 3
    assert (await sent(socket, "odds", {"after": 3}))["seq"] == 3, "asked once"
    assert (await sent(socket, "name", {"after": 3, "suspect": match.opponent}))["seq"] == 4
