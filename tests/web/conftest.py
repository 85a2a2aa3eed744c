"""Fixtures of the web tests: a real Redis, people in a team, a game."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from channels.layers import channel_layers
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from accounts.models import Membership, Team, User
from accounts.services import membership_set, user_create
from negotiation import turns
from negotiation.models import Game
from negotiation.services import game_create, game_walk_away
from negotiation.table import pings, sessions
from negotiation.table.threads import close_threads
from parlay_web import redis_server
from parlay_web.processes import die_with_parent
from tests.noninterference.twins import Twin
from tests.remembering import remembered
from tests.reviewing import brief_reviews  # noqa: F401
from tests.web.moves import act, resolve, submit
from tests.web.world import World, make_world

SEED = 1_234_567_890_123
PATIENCE = 30
"""Seconds for what comes at once: a busy machine may keep anything waiting."""


@pytest.fixture(scope="session", autouse=True)
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bool]:
    """The Redis that the test settings point at. True when it is ours to empty, False when the environment names one."""
    port = urlsplit(settings.REDIS_URL).port or 6379
    if redis_server.answers(port):
        yield settings.REDIS_IS_OURS
        return
    process = redis_server.start(
        port=port, directory=tmp_path_factory.mktemp("redis"), keep=False, preexec_fn=die_with_parent
    )
    yield True
    process.kill()
    process.wait()


@pytest.fixture(autouse=True)
def nothing_remembered(redis: bool) -> Iterator[None]:
    """Every test gets the same keys of rows, so nothing counted for a key may outlive its test."""
    yield
    if redis:
        cache.clear()


@pytest.fixture(autouse=True)
def table_threads() -> Iterator[None]:
    """Table threads keep their connections open; a test's database must not outlive them."""
    yield
    sessions.forget_all()
    close_threads()


@pytest.fixture
def team(db: None) -> Team:
    return Team.objects.create(name="Northwind")


@pytest.fixture
def rep(team: Team) -> User:
    user = user_create(email="rep@example.com", password="correct horse", display_name="Robin Reyes")
    membership_set(user=user, team=team, role=Membership.Role.REP)
    return user


@pytest.fixture
def manager(team: Team) -> User:
    user = user_create(email="manager@example.com", password="correct horse", display_name="Morgan Lee")
    membership_set(user=user, team=team, role=Membership.Role.MANAGER)
    return user


@pytest.fixture
def stranger(db: None) -> User:
    return user_create(email="stranger@example.com", password="correct horse")


@pytest.fixture
def game(rep: User, team: Team) -> Game:
    return game_create(
        player=rep, team=team, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=SEED
    )


@pytest.fixture
def signed_in() -> Callable[[User], Client]:
    """A test client in which somebody is signed in."""

    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
        return client

    return sign_in


@pytest.fixture
def session(rep: User, signed_in: Callable[[User], Client]) -> str:
    """The rep's session key."""
    return signed_in(rep).cookies[settings.SESSION_COOKIE_NAME].value


class Socket(WebsocketCommunicator):
    """A socket of the real application, in this process."""

    async def frame(self) -> dict[str, Any]:
        answer: dict[str, Any] = await self.receive_json_from(timeout=PATIENCE)
        return answer

    async def until(self, kind: str) -> dict[str, Any]:
        """Read on to the first frame of a type."""
        while True:
            frame = await self.frame()
            if frame.get("type") == kind:
                return frame

    async def close_code(self) -> int:
        """Read on to the server's closing; its code."""
        while True:
            message = await self.receive_output(timeout=PATIENCE)
            if message["type"] == "websocket.close":
                return int(message["code"])


OpenSocket = Callable[..., Awaitable[Socket]]


@pytest.fixture
async def open_socket() -> AsyncIterator[OpenSocket]:
    """Open sockets of the real application; they are closed after the test."""
    from parlay_web.asgi import application

    async with AsyncExitStack() as stack:

        async def connect(path: str, *, session: str = "", origin: str = "http://testserver") -> Socket:
            headers = [(b"host", b"testserver"), (b"origin", origin.encode())]
            if session:
                headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()))
            socket = Socket(application, path, headers=headers)
            connected, _ = await socket.connect(timeout=PATIENCE)
            assert connected
            stack.push_async_callback(socket.disconnect)
            return socket

        yield connect
    await turns.settle()
    await pings.hub().close()
    # The layer's locks belong to this test's event loop; the next one gets a fresh layer.
    channel_layers.backends.clear()


@pytest.fixture
def over(game: Game) -> Game:
    """A game of two moves that the player has walked away from."""
    submit(game, act(180_000.0))
    resolve(game)
    submit(game, act(170_000.0, text="We moved. What can you do?"))
    resolve(game)
    game_walk_away(game_id=game.id, player=game.player, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    return game


@pytest.fixture
def world(db: None, request: pytest.FixtureRequest) -> World:
    """Two teams with all their people, and one of each thing that an address can name."""

    def make() -> World:
        over, rep, manager, team = map(request.getfixturevalue, ("over", "rep", "manager", "team"))
        return make_world(over, rep, manager, team)

    return remembered("world", make)


@pytest.fixture
def twins(signed_in: Callable[[User], Client]) -> list[Twin]:
    made = []
    for number in (1, 2):
        user = user_create(
            email=f"twin{number}@example.com", password="correct horse", display_name="Robin Reyes"
        )
        membership_set(
            user=user, team=Team.objects.create(name=f"Northwind {number}"), role=Membership.Role.REP
        )
        made.append(Twin(user, signed_in(user)))
    return made
