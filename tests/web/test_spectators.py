"""The spectators' sockets: what each link shows, when it closes, and what watching does to a game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from coaching.models import LinkView, SpectatorLink
from coaching.services import link_create, link_revoke
from negotiation.models import Event, Game
from negotiation.table import wire
from negotiation.table.threads import in_database
from tests.web.conftest import OpenSocket
from tests.web.talking import ask, close_code_of, frame

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


def share(game: Game, scope: str, by: User) -> tuple[SpectatorLink, str]:
    return link_create(game=game, created_by=by, scope=scope)


async def test_a_watcher_sees_no_secret(open_socket: OpenSocket, game: Game, rep: User, session: str) -> None:
    _, token = await in_database(share, game, "watch", rep)
    watcher = await open_socket(f"/ws/watch/{token}/")
    assert (await watcher.frame())["data"]["role"] == "watcher"
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await ask(player, frame("act", text="Hello", offer=180_000, belief={"walk_away": 160_000}))
    seen = [await watcher.frame() for _ in range(game.last_seq + 4)]
    assert [one["seq"] for one in seen] == list(range(1, game.last_seq + 5))
    moved = next(one for one in seen if one.get("type") == "player_moved")
    assert moved["data"]["offer"] == 180_000
    assert "belief" not in moved["data"]
    assert not any("own" in one.get("data", {}) for one in seen)
    assert "turn_graded" not in [one.get("type") for one in seen]
    await in_database(game.refresh_from_db)
    assert not game.assisted


async def test_a_link_without_the_name_sends_none(
    open_socket: OpenSocket, game: Game, rep: User, session: str
) -> None:
    _, token = await in_database(lambda: link_create(game=game, created_by=rep, scope="watch", named=False))
    watcher = await open_socket(f"/ws/watch/{token}/")
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await ask(player, frame("act", text=f"{rep.get_full_name()} here: 180.", offer=180_000))
    started, moved = await watcher.until("game_started"), await watcher.until("player_moved")
    assert started["data"]["player_name"] == ""
    assert (moved["data"]["text"], moved["data"]["offer"]) == ("[name] here: 180.", 180_000)


async def test_a_coach_sees_truth_and_marks_the_game(
    open_socket: OpenSocket, game: Game, rep: User, manager: User, signed_in: SignIn
) -> None:
    _, token = await in_database(share, game, "coach", manager)
    client = await in_database(signed_in, manager)
    coach = await open_socket(
        f"/ws/watch/{token}/", session=client.cookies[settings.SESSION_COOKIE_NAME].value
    )
    graded = await coach.until("turn_graded")
    assert set(graded["data"]["truth"]) == {"player", "opponent", "zopa_low", "zopa_high", "zone", "nash"}
    assert (await coach.until("assisted"))["data"]["reason"] == "reveal_link_opened"
    await in_database(game.refresh_from_db)
    assert game.assisted
    note = frame("whisper", text="Ask for the deadline.")
    first = await ask(coach, note)
    assert first["type"] == "ack"
    assert await ask(coach, note) == first
    assert (await ask(coach, frame("whisper", text=" ")))["data"]["code"] == "empty_whisper"
    assert (await ask(coach, frame("whisper", text="x" * 501)))["data"]["code"] == "text_too_long"
    assert (await ask(coach, frame("act", text="Hi")))["data"]["code"] == "not_allowed"
    whispered = await in_database(lambda: Event.objects.get(game=game, type="whispered").data)
    assert whispered == {"turn": 0, "text": "Ask for the deadline.", "author": "Morgan Lee"}
    views = await in_database(lambda: list(LinkView.objects.values_list("kind", "viewer__email")))
    assert views == [("socket", "manager@example.com")]


async def test_the_table_is_told_at_once_who_opened_a_revealing_link(
    open_socket: OpenSocket, game: Game, rep: User, manager: User, session: str, signed_in: SignIn
) -> None:
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    _, token = await in_database(share, game, "coach", rep)
    named = (await in_database(signed_in, manager)).cookies[settings.SESSION_COOKIE_NAME].value
    for cookie, told in ((None, ""), (named, "Morgan Lee"), (None, None), (named, None)):
        coach = await open_socket(f"/ws/watch/{token}/", session=cookie or "")
        await coach.until("turn_graded")
        if told is not None:
            seen = await player.until("watched")
            assert seen["data"] == {"turn": 0, "by": told, "maker": "Robin Reyes"}
    rows = await in_database(lambda: list(Event.objects.filter(game=game).values_list("type", flat=True)))
    assert (rows.count("watched"), rows.count("assisted")) == (2, 1), "each viewer once, one mark"


async def test_who_watches_without_the_truth_is_not_told_of(
    open_socket: OpenSocket, game: Game, rep: User
) -> None:
    _, token = await in_database(share, game, "watch", rep)
    watcher = await open_socket(f"/ws/watch/{token}/")
    await watcher.until("turn_closed")
    assert not await in_database(Event.objects.filter(game=game, type="watched").exists)


async def test_a_watcher_may_not_whisper(open_socket: OpenSocket, game: Game, rep: User) -> None:
    _, token = await in_database(share, game, "watch", rep)
    watcher = await open_socket(f"/ws/watch/{token}/")
    assert (await ask(watcher, frame("whisper", text="psst")))["data"]["code"] == "not_allowed"


async def test_links_that_do_not_open(open_socket: OpenSocket, game: Game, rep: User, session: str) -> None:
    link, token = await in_database(share, game, "watch", rep)
    _, coach_token = await in_database(share, game, "coach", rep)
    _, replay_token = await in_database(share, game, "replay", rep)
    gone = wire.LINK_GONE
    assert await close_code_of(open_socket, "/ws/watch/forged/") == ("unknown", gone)
    assert await close_code_of(open_socket, f"/ws/watch/{token}x/") == ("unknown", gone)
    assert await close_code_of(open_socket, f"/ws/watch/{replay_token}/") == (
        "not_over_yet",
        wire.NOT_YOURS,
    )
    assert await close_code_of(open_socket, f"/ws/watch/{coach_token}/", session=session) == (
        "own_live_game",
        wire.NOT_YOURS,
    )
    await in_database(
        lambda: SpectatorLink.objects.filter(pk=link.pk).update(
            created_at=timezone.now() - timedelta(days=2), expires_at=timezone.now() - timedelta(days=1)
        )
    )
    assert await close_code_of(open_socket, f"/ws/watch/{token}/") == ("expired", gone)
    await in_database(game.refresh_from_db)
    assert not game.assisted, "a link that did not open marks nothing"


async def test_revoking_shows_watchers_out_at_once(open_socket: OpenSocket, game: Game, rep: User) -> None:
    link, token = await in_database(share, game, "watch", rep)
    watcher = await open_socket(f"/ws/watch/{token}/")
    await watcher.until("turn_closed")
    await in_database(lambda: link_revoke(link=link))
    assert await watcher.close_code() == wire.LINK_GONE


async def test_a_replay_opens_after_the_end(
    open_socket: OpenSocket, game: Game, rep: User, session: str
) -> None:
    _, token = await in_database(share, game, "replay", rep)
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await ask(player, frame("walk_away"))
    await player.until("game_ended")
    replay = await open_socket(f"/ws/watch/{token}/", session=session)
    assert (await replay.frame())["data"]["role"] == "coach"
    assert (await replay.until("turn_graded"))["data"]["truth"]
    assert (await ask(replay, frame("whisper", text="late")))["data"]["code"] == "game_over"
