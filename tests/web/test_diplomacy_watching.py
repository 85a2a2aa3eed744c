"""What a watcher's link shows of a live game on the board, and who is told of it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.models import User
from negotiation.diplomacy import services
from negotiation.diplomacy.events import REVEAL
from negotiation.diplomacy.kind import BOARD
from negotiation.diplomacy.models import BoardGame
from negotiation.diplomacy.selectors import archive_of, frames_of, log_after, sitting_of
from tests.web.conftest import OpenSocket
from tests.web.test_diplomacy_sockets import until_seq
from tests.web.test_diplomacy_table import PEACE, SEED, begin, order, play_out, rows_of, say

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


@pytest.fixture
def shared(rep: User, manager: User) -> BoardGame:
    """Two people at one table, with talk, tags, orders and plans."""
    game, tokens = services.game_create(host=rep, power="FRANCE", invited=["GERMANY"], seed=SEED)
    services.seat_take(token=tokens["GERMANY"], user=manager)
    say(game, manager, "ITALY", PEACE, bluff=True)
    say(game, rep, "GERMANY", PEACE)
    order(game, manager, "A MUN - BUR")
    return BoardGame.objects.get(pk=game.pk)


def linked(client: Client, game: BoardGame) -> str:
    url: str = client.post(f"/diplomacy/{game.pk}/links/").json()["url"]
    return url


def page_of(url: str, client: Client | None = None) -> dict[str, Any]:
    page = (client or Client()).get(url).content.decode()
    body = page.split('<script id="page" type="application/json">')[1].split("</script>")[0]
    found: dict[str, Any] = json.loads(body)
    return found


def test_a_link_made_among_people_shows_no_row_that_its_maker_is_not_shown(
    shared: BoardGame, rep: User, manager: User, signed_in: SignIn
) -> None:
    rows = log_after(shared.pk, 0)
    for maker, power in ((rep, "FRANCE"), (manager, "GERMANY")):
        page = page_of(linked(signed_in(maker), shared))
        assert page["role"] == power
        assert page["frames"] == frames_of(rows, power) != frames_of(rows, REVEAL)
    assert log_after(shared.pk, 0) == rows, "nothing was revealed, so nothing is told"


def test_a_link_while_a_seat_is_only_promised_shows_no_more(rep: User, signed_in: SignIn) -> None:
    game, _ = services.game_create(host=rep, power="FRANCE", invited=["GERMANY"], seed=SEED)
    assert page_of(linked(signed_in(rep), game))["role"] == "FRANCE"


def test_what_two_people_said_stays_closed_when_one_of_them_is_gone(
    shared: BoardGame, rep: User, manager: User, signed_in: SignIn
) -> None:
    url = linked(signed_in(rep), shared)
    BOARD.leave(manager)
    assert page_of(url)["role"] == "FRANCE"


async def test_the_sockets_of_such_a_link_are_cut_alike(
    shared: BoardGame, rep: User, signed_in: SignIn, open_socket: OpenSocket
) -> None:
    token = (
        (await sync_to_async(linked)(await sync_to_async(signed_in)(rep), shared))
        .rstrip("/")
        .rsplit("/", 1)[-1]
    )
    socket = await open_socket(f"/ws/board-watch/{token}/")
    assert (await socket.until("hello"))["data"]["role"] == "FRANCE"
    frames = await until_seq(socket, shared.last_seq)
    assert frames == frames_of(await sync_to_async(log_after)(shared.pk, 0), "FRANCE")


async def test_opening_the_truth_of_a_live_game_marks_it_and_the_table_is_told_at_once(
    rep: User, manager: User, session: str, signed_in: SignIn, open_socket: OpenSocket
) -> None:
    game = await sync_to_async(begin)(rep)
    url = await sync_to_async(linked)(await sync_to_async(signed_in)(rep), game)
    player = await open_socket(f"/ws/diplomacy/{game.pk}/?since={game.last_seq}", session=session)
    assert (await player.until("options"))["data"]["watchers"] == []
    second = await sync_to_async(signed_in)(manager)
    token = url.rstrip("/").rsplit("/", 1)[-1]
    watcher = await open_socket(f"/ws/board-watch/{token}/", session=second.cookies["sessionid"].value)
    assert (await watcher.until("hello"))["data"]["role"] == REVEAL
    told = await player.until("watched")
    assert told["data"] == {"power": "FRANCE"}
    assert (await player.until("options"))["data"]["watchers"] == ["Morgan Lee"]
    await game.arefresh_from_db()
    assert game.assisted
    assert [row["assisted"] for row in await sync_to_async(archive_of)(rep)] == [True]


def test_the_page_of_a_revealing_link_marks_too_once_a_viewer_and_play_goes_on(
    rep: User, signed_in: SignIn
) -> None:
    game = begin(rep, years=1)
    url = linked(signed_in(rep), game)
    assert rows_of(game, "watched") == []
    assert {page_of(url)["role"], page_of(url)["role"]} == {REVEAL}
    assert rows_of(game, "watched") == [{"power": "FRANCE"}]
    assert page_of(f"/diplomacy/{game.pk}/", signed_in(rep))["watchers"] == [""]
    assert sitting_of(game).state.phase == game.phase, "a replay of the log passes the mark over"
    play_out(game, rep)
    assert page_of(url)["role"] == REVEAL
    assert len(rows_of(game, "watched")) == 1, "once it is over nothing is revealed"


def test_at_the_end_of_a_shared_game_a_link_opens_all_of_it(
    shared: BoardGame, rep: User, manager: User, signed_in: SignIn
) -> None:
    url = linked(signed_in(rep), shared)
    for person in (rep, manager):
        services.seat_leave(game_id=shared.pk, user=person, action_id=uuid.uuid4())
    assert page_of(url)["role"] == REVEAL
