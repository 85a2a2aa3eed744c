"""Beyond their share people are refused in words, and nobody else is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import Team, User
from accounts.quotas import SHARED, open_sockets
from accounts.services import user_create
from negotiation.models import Game
from negotiation.table.wire import TOO_MANY_FRAMES
from tests.web.conftest import OpenSocket
from tests.web.test_diplomacy_table import begin

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
DEAL = {"scenario": "saas_enterprise", "persona": "diplomat", "seat": "seller"}


@pytest.fixture(autouse=True)
def few(settings: Settings) -> Iterator[None]:
    """Three of each, and nothing spent yet."""
    settings.QUOTAS = dict.fromkeys(settings.QUOTAS, 3)
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def staff(db: None) -> User:
    return user_create(email="boss@example.com", password="correct horse", is_staff=True)


def api_deal(client: Client, **more: Any) -> Any:
    return client.post("/api/deals", json.dumps(DEAL), content_type="application/json", **more)


def test_deals_of_one_person_end_and_anothers_go_on(rep: User, stranger: User, signed_in: SignIn) -> None:
    mine = signed_in(rep)
    assert [api_deal(mine).status_code for _ in range(4)] == [201, 201, 201, 429]
    assert api_deal(mine).json()["code"] == "too_much"
    page = mine.post(
        "/deals/new/", {**DEAL, "difficulty": "0.5", "voice": "strategic"}, headers={"Accept": "text/html"}
    )
    assert page.status_code == 429
    assert "You began many deals this hour" in page.content.decode()
    assert 0 < int(page.headers["Retry-After"]) <= 3600
    assert Game.objects.filter(player=rep).count() == 3
    assert mine.get("/").status_code == 200
    assert api_deal(signed_in(stranger)).status_code == 201


def test_guests_of_one_address_end_and_those_of_another_do_not() -> None:
    def arrive(address: str) -> int:
        return Client(REMOTE_ADDR=address).post("/guest/", headers={"Accept": "text/html"}).status_code

    assert [arrive("192.0.2.1") for _ in range(4)] == [302, 302, 302, 429]
    assert arrive("192.0.2.2") == 302
    assert User.objects.filter(is_guest=True).count() == 4


def test_an_address_has_a_share_of_its_own(rep: User, signed_in: SignIn) -> None:
    people = [User.objects.create_user(f"p{number}@example.com", None) for number in range(SHARED + 1)]
    answers = [
        api_deal(signed_in(person), REMOTE_ADDR="192.0.2.9").status_code
        for person in people
        for _ in range(3)
    ]
    assert answers == [201] * (3 * SHARED) + [429] * 3
    assert api_deal(signed_in(rep), REMOTE_ADDR="192.0.2.8").status_code == 201


def test_links_and_what_takes_long_have_their_end(
    rep: User, game: Game, over: Game, signed_in: SignIn
) -> None:
    client, board = signed_in(rep), begin(rep)
    made = [client.post(f"/deals/{game.pk}/links/", {"scope": "watch"}).status_code for _ in range(2)]
    made += [client.post(f"/diplomacy/{board.pk}/links/").status_code for _ in range(2)]
    assert made == [201, 201, 201, 429]
    asked = [client.post(f"/deals/{over.pk}/review/again/") for _ in range(4)]
    assert [answer.status_code for answer in asked] == [202, 202, 202, 429]
    assert "takes the server long" in asked[-1].json()["message"]


async def test_sockets_beyond_a_persons_share_are_closed_in_words(
    game: Game, manager: User, session: str, signed_in: SignIn, open_socket: OpenSocket
) -> None:
    path = f"/ws/deals/{game.pk}/"
    held = [await open_socket(path, session=session) for _ in range(3)]
    for socket in held:
        await socket.until("hello")
    more = await open_socket(path, session=session)
    assert "too many tables open" in (await more.until("closing"))["data"]["message"]
    assert await more.close_code() == TOO_MANY_FRAMES
    board = await sync_to_async(begin)(manager)
    theirs = (await sync_to_async(signed_in)(manager)).cookies["sessionid"].value
    other = await open_socket(f"/ws/diplomacy/{board.pk}/", session=theirs)
    await other.until("hello")
    await held.pop().disconnect()
    again = await open_socket(path, session=session)
    await again.until("hello")


def statuses(ask: Callable[[], Any]) -> list[int]:
    return [ask().status_code for _ in range(4)]


def test_exports_have_their_end(over: Game, rep: User, manager: User, team: Team, signed_in: SignIn) -> None:
    mine, leads = signed_in(rep), signed_in(manager)
    assert statuses(lambda: mine.get(f"/deals/{over.pk}/debrief/turns.csv")) == [200, 200, 200, 429]
    assert statuses(lambda: mine.post("/account/privacy/export/")) == [429] * 4, "one share for all of them"
    assert statuses(lambda: leads.get(f"/team/{team.pk}/export/games.csv")) == [200, 200, 200, 429]


def test_every_way_into_a_deal_and_every_long_answer_counts(over: Game, rep: User, signed_in: SignIn) -> None:
    client = signed_in(rep)
    assert statuses(lambda: client.post("/games/dilemma/", {"opponent": "somebody"})) == [302, 302, 302, 429]
    assert api_deal(client).status_code == 429
    assert statuses(lambda: client.get(f"/api/deals/{over.pk}/debrief")) == [200, 200, 200, 429]
    assert client.get(f"/deals/{over.pk}/compare/").status_code == 429
    assert client.post(f"/deals/{over.pk}/review/again/").status_code == 429


def test_what_is_refused_costs_nothing_of_ones_share(rep: User, over: Game, signed_in: SignIn) -> None:
    client = signed_in(rep)
    board = begin(rep)
    refused = (
        lambda: client.post("/games/dilemma/", {"opponent": "no-such-opponent"}),
        lambda: client.post("/diplomacy/", {"power": "ATLANTIS"}),
        lambda: client.post(f"/deals/{over.pk}/retry/", {"turn": "777"}),
        lambda: client.post(f"/diplomacy/{board.pk}/take-up/", {"number": "777"}),
        lambda: client.post(
            "/api/deals", json.dumps({**DEAL, "seat": "moon"}), content_type="application/json"
        ),
    )
    for ask in refused:
        assert 422 in statuses(ask)
        assert 429 not in statuses(ask)
    assert [api_deal(client).status_code for _ in range(4)] == [201, 201, 201, 429]


async def test_a_team_has_a_share_of_sockets_of_its_own(
    game: Game, team: Team, session: str, open_socket: OpenSocket
) -> None:
    held = {f"team:{team.pk}": 3 * SHARED}
    open_sockets.open.update(held)
    try:
        socket = await open_socket(f"/ws/deals/{game.pk}/", session=session)
        assert await socket.close_code() == TOO_MANY_FRAMES
    finally:
        open_sockets.open.subtract(held)
        del open_sockets.open[f"team:{team.pk}"]


async def test_the_sockets_of_runs_are_counted_too(
    staff: User, signed_in: SignIn, open_socket: OpenSocket
) -> None:
    client = await sync_to_async(signed_in)(staff)
    held = {f"user:{staff.pk}": 3}
    open_sockets.open.update(held)
    try:
        path = "/ws/trainer/runs/00000000-0000-4000-8000-000000000000/"
        socket = await open_socket(path, session=client.cookies["sessionid"].value)
        assert await socket.close_code() == TOO_MANY_FRAMES
    finally:
        del open_sockets.open[f"user:{staff.pk}"]


async def test_what_is_closed_is_counted_no_longer(game: Game, session: str, open_socket: OpenSocket) -> None:
    before = dict(open_sockets.open)
    socket = await open_socket(f"/ws/deals/{game.pk}/", session=session)
    await socket.until("hello")
    assert sum(open_sockets.open.values()) == sum(before.values()) + 3
    await socket.disconnect()
    assert dict(open_sockets.open) == before
