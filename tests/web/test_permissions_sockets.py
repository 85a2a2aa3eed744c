"""Who may open which socket, and send what: the table of permissions for live connections."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async

from coaching.routing import sockets as coaching_sockets
from negotiation.coalitions.routing import sockets as coalition_sockets
from negotiation.diplomacy.routing import sockets as board_sockets
from negotiation.pairs.routing import sockets as pair_sockets
from negotiation.routing import sockets as deal_sockets
from negotiation.smallgames.routing import sockets as small_sockets
from tests.web.conftest import OpenSocket
from tests.web.world import PEOPLE, World, filled

pytestmark = pytest.mark.django_db(transaction=True)


SOCKETS = """
                      nobody guest rep    peer   manager foreign admin
/ws/deals/{live}/     4401   4404  player 4404   4404    4404    4404
/ws/deals/{over}/     4401   4404  player 4404   4404    4404    4404
/ws/watch/{watch}/    watcher watcher watcher watcher watcher watcher watcher
/ws/watch/{coach}/    coach  coach 4403   coach  coach   coach   coach
/ws/watch/{replay}/   coach  coach coach  coach  coach   coach   coach
/ws/watch/{shared}/   4410   4410  4410   4410   4410    4410    4410
/ws/watch/nothing/    4410   4410  4410   4410   4410    4410    4410
/ws/diplomacy/{board}/  4401 4404  FRANCE 4404   4404    4404    4404
/ws/diplomacy/{played}/ 4401 4404  reveal 4404   4404    4404    4404
/ws/board-watch/{eyes}/ FRANCE FRANCE 4403 FRANCE FRANCE FRANCE  FRANCE
/ws/board-watch/nothing/ 4410 4410 4410   4410   4410    4410    4410
/ws/coalitions/{three}/ 4401 4404  seller 4404   4404    4404    4404
/ws/coalition-watch/{three_watch}/ seller seller seller seller seller seller seller
/ws/coalition-watch/{three_coach}/ reveal reveal 4403 reveal reveal reveal reveal
/ws/coalition-watch/nothing/ 4410 4410 4410 4410 4410    4410    4410
/ws/pairs/{pair}/      4401  4404  seller 4404   4404    buyer   4404
/ws/pair-watch/{pair_watch}/ watch-seller watch-seller watch-seller watch-seller watch-seller watch-seller watch-seller
/ws/pair-watch/{pair_coach}/ seller seller 4403 seller seller 4403 seller
/ws/pair-watch/nothing/ 4410 4410  4410   4410   4410    4410    4410
/ws/games/{small}/     4401  4404  owner  4404   4404    4404    4404
/ws/team/{team}/       4401  4404  4404   4404   part    4404    part
"""
"""A number is the code that the socket is closed with; a word is the role one gets, ``part`` that of a page is sent."""

ACTIONS = {
    "player": {"act", "accept", "walk_away", "preview", "resume", "ping"},
    "watcher": {"resume", "ping"},
    "coach": {"whisper", "resume", "ping"},
    "FRANCE": {"say", "order", "withdraw", "preview", "due", "resume", "ping"},
    "reveal": {"resume", "ping"},
    "seller": {"act", "resume", "ping"},
    "buyer": {"act", "accept", "walk_away", "preview", "resume", "ping"},
    "watch-seller": {"resume", "ping"},
    "owner": {"act", "name", "odds", "resume", "ping"},
}
"""What each role may send; whatever else is refused with ``not_allowed``."""


def socket_rows() -> Iterator[tuple[str, dict[str, str]]]:
    for line in SOCKETS.strip().splitlines()[1:]:
        address, *expected = line.split()
        yield address, dict(zip(PEOPLE, expected, strict=True))


@pytest.mark.parametrize(("address", "expected"), list(socket_rows()), ids=lambda value: str(value)[:20])
async def test_every_socket_gives_everybody_the_role_of_the_table(
    world: World, open_socket: OpenSocket, address: str, expected: dict[str, str]
) -> None:
    got = {}
    for person in PEOPLE:
        session = await sync_to_async(world.session)(person)
        socket = await open_socket(filled(world, address), session=session)
        frame = await socket.frame()
        if frame["type"] == "now":
            got[person] = "part"
            continue
        got[person] = frame["data"]["role"] if frame["type"] == "hello" else str(await socket.close_code())
    assert got == expected


@pytest.mark.parametrize(
    ("address", "person", "role"),
    [
        ("/ws/deals/{live}/", "rep", "player"),
        ("/ws/watch/{watch}/", "manager", "watcher"),
        ("/ws/watch/{coach}/", "manager", "coach"),
        ("/ws/diplomacy/{board}/", "rep", "FRANCE"),
        ("/ws/board-watch/{eyes}/", "manager", "FRANCE"),
        ("/ws/coalitions/{three}/", "rep", "seller"),
        ("/ws/games/{small}/", "rep", "owner"),
        ("/ws/pairs/{pair}/", "foreign", "buyer"),
        ("/ws/pair-watch/{pair_watch}/", "manager", "watch-seller"),
        ("/ws/coalition-watch/{three_coach}/", "manager", "reveal"),
    ],
)
async def test_a_role_sends_what_it_may_and_nothing_else(
    world: World, open_socket: OpenSocket, address: str, person: str, role: str
) -> None:
    session = await sync_to_async(world.session)(person)
    socket = await open_socket(filled(world, address), session=session)
    await socket.until("hello")
    for kind in sorted({action for actions in ACTIONS.values() for action in actions} - ACTIONS[role]):
        await socket.send_json_to({"id": str(uuid.uuid4()), "type": kind, "data": {"text": "x"}})
        refused = await socket.until("error")
        assert refused["data"]["code"] == "not_allowed", kind


def test_every_socket_is_in_the_table() -> None:
    heads = {address.split("{")[0].strip("/").removesuffix("/nothing") for address, _ in socket_rows()}
    routes_there = {
        str(one.pattern).split("<")[0].strip("/")
        for one in [
            *deal_sockets,
            *coaching_sockets,
            *board_sockets,
            *coalition_sockets,
            *pair_sockets,
            *small_sockets,
        ]
    }
    assert routes_there == heads
