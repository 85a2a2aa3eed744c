"""A deal for three over its socket: the whole log, resumed without a gap; turns answered by their id, once."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Team, User
from accounts.permits import let_in
from negotiation.coalitions import links, selectors, sessions
from negotiation.coalitions.kind import COALITIONS
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.coalitions.services import deal_act, deal_create
from negotiation.coalitions.swift import turn_at_once
from negotiation.engine.coalition import SEATS, Action
from negotiation.table.forgetting import redact
from negotiation.table.models import RedactionReason
from tests.web.conftest import OpenSocket, Socket
from tests.web.test_diplomacy_sockets import sent, until_seq

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
CAST = {"seller": "shark", "buyer_a": "diplomat"}


@pytest.fixture
def deal(rep: User, team: Team) -> CoalitionDeal:
    return deal_create(player=rep, team=team, scenario="cold_store", seat="buyer_b", opponents=CAST, seed=11)


def stored(deal: CoalitionDeal) -> CoalitionDeal:
    return CoalitionDeal.objects.select_related("player").get(pk=deal.pk)


def address(deal: CoalitionDeal, since: int = 0) -> str:
    return f"/ws/coalitions/{deal.pk}/?since={since}"


async def table_after(socket: Socket, round_: int) -> dict[str, Any]:
    """The first word of how the table stands in that round or later."""
    while True:
        table: dict[str, Any] = (await socket.until("table"))["data"]
        if table["round"] >= round_:
            return table


async def test_the_socket_sends_the_log_as_the_seat_sees_it_and_again_on_asking(
    deal: CoalitionDeal, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(address(deal), session=session)
    hello = await socket.until("hello")
    assert (hello["data"]["role"], hello["data"]["last_seq"]) == ("buyer_b", deal.last_seq)
    assert await until_seq(socket, deal.last_seq) == await sync_to_async(selectors.frames_after)(deal, 0)
    assert (await socket.until("table"))["data"] == await sync_to_async(selectors.table_of)(deal)
    await socket.send_json_to({"id": str(uuid.uuid4()), "type": "resume", "data": {"since": 1}})
    assert [frame["seq"] for frame in await until_seq(socket, deal.last_seq)] == list(
        range(2, deal.last_seq + 1)
    )


async def test_a_turn_is_acknowledged_first_and_then_all_that_it_led_to_comes(
    deal: CoalitionDeal, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(address(deal, deal.last_seq), session=session)
    await socket.until("table")
    pays = {"buyer_a": 110_000, "buyer_b": 90_000}
    data = {"text": "Let us share.", "proposal": {"members": list(SEATS), "pays": pays}}
    answer = await sent(socket, "act", data)
    assert (answer["type"], answer["seq"]) == ("ack", deal.last_seq + 1)
    moved = await sync_to_async(stored)(deal)
    frames = await until_seq(socket, moved.last_seq)
    assert frames == await sync_to_async(selectors.frames_after)(moved, deal.last_seq)
    assert frames[0]["data"]["proposal"]["pays"] == pays
    table = await table_after(socket, 2)
    assert {offer["by"] for offer in table["standing"]} >= {"buyer_b"}


async def test_a_turn_that_is_sent_again_after_a_cut_is_acknowledged_again_and_taken_once(
    deal: CoalitionDeal, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(address(deal, deal.last_seq), session=session)
    frame_id = str(uuid.uuid4())
    first = await sent(socket, "act", {"text": "Anyone?"}, frame_id)
    await socket.disconnect()
    back = await open_socket(address(deal, deal.last_seq), session=session)
    again = await sent(back, "act", {"text": "Anyone?"}, frame_id)
    assert first["type"] == again["type"] == "ack"
    assert first["seq"] == again["seq"] == deal.last_seq + 1
    own = CoalitionEvent.objects.filter(deal=deal, type="acted", data__seat="buyer_b")
    assert await own.acount() == 1


async def test_what_another_process_wrote_comes_too_and_without_a_gap(
    deal: CoalitionDeal, rep: User, session: str, open_socket: OpenSocket
) -> None:
    first = await open_socket(address(deal, deal.last_seq), session=session)
    second = await open_socket(address(deal, deal.last_seq), session=session)
    await second.until("table")

    def elsewhere() -> int:
        sessions.kept.forget_all()
        action = Action(text="From my other window.")
        return deal_act(deal_id=deal.pk, player=rep, action_id=uuid.uuid4(), action=action).last_seq

    last = await sync_to_async(elsewhere)()
    for socket in (first, second):
        assert [frame["seq"] for frame in await until_seq(socket, last)] == list(
            range(deal.last_seq + 1, last + 1)
        )
    assert (await sent(second, "act", {"text": "And from this one."}))["seq"] == last + 1


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        ({}, "empty_action", None),
        ({"text": 5}, "bad_text", "text"),
        ({"text": "a", "to": "waiter"}, "unknown_seat", "to"),
        ({"proposal": "all"}, "bad_proposal", "proposal"),
        (
            {"proposal": {"members": list(SEATS), "pays": {"buyer_a": 1.0, "buyer_b": 300_000}}},
            "below_outside",
            "proposal",
        ),
        ({"support": 99}, "no_such_proposal", "support"),
    ],
)
async def test_a_turn_that_cannot_be_taken_is_refused_in_words_and_the_next_one_is_taken(
    deal: CoalitionDeal,
    session: str,
    open_socket: OpenSocket,
    data: dict[str, Any],
    code: str,
    field: str | None,
) -> None:
    socket = await open_socket(address(deal, deal.last_seq), session=session)
    answer = await sent(socket, "act", data)
    assert (answer["type"], answer["data"]["code"]) == ("error", code)
    assert await CoalitionEvent.objects.filter(deal=deal).acount() == deal.last_seq
    assert (await sent(socket, "act", {"text": "Still here."}))["type"] == "ack"


async def test_permission_is_asked_with_every_write(
    deal: CoalitionDeal, rep: User, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(address(deal, deal.last_seq), session=session)
    assert (await sent(socket, "act", {"text": "Hello."}))["type"] == "ack"
    await User.objects.filter(pk=rep.pk).aupdate(is_active=False)
    await socket.send_json_to({"id": str(uuid.uuid4()), "type": "act", "data": {"text": "Still me?"}})
    assert await socket.close_code() == 4401
    own = CoalitionEvent.objects.filter(deal=deal, type="acted", data__seat="buyer_b")
    assert await own.acount() == 1


async def test_the_end_comes_over_the_socket_and_nothing_can_be_done_after_it(
    deal: CoalitionDeal, session: str, open_socket: OpenSocket
) -> None:
    socket = await open_socket(address(deal, deal.last_seq), session=session)
    assert (await sent(socket, "act", {"text": "Good luck.", "walk_away": True}))["type"] == "ack"
    assert (await socket.until("ended"))["data"]["outcome"]["payoffs"]["buyer_b"] == 0
    assert (await socket.until("table"))["data"]["status"] == "finished"
    assert (await sent(socket, "act", {"text": "Wait."}))["data"]["code"] == "game_over"


async def test_a_flood_is_refused(deal: CoalitionDeal, session: str, open_socket: OpenSocket) -> None:
    socket = await open_socket(address(deal, deal.last_seq), session=session)
    await socket.until("table")
    for _ in range(60):
        await socket.send_json_to({"id": str(uuid.uuid4()), "type": "ping", "data": {}})
    assert (await socket.until("error"))["data"]["code"] == "too_many_frames"


async def test_a_deal_whose_words_are_gone_has_no_socket(
    deal: CoalitionDeal, rep: User, session: str, open_socket: OpenSocket
) -> None:
    def forget() -> None:
        deal_act(
            deal_id=deal.pk, player=rep, action_id=uuid.uuid4(), action=Action(text="Bye.", walk_away=True)
        )
        redact(COALITIONS, deal.pk, reason=RedactionReason.REQUEST, by=rep)

    await sync_to_async(forget)()
    socket = await open_socket(address(deal), session=session)
    assert await socket.close_code() == 4404


def test_a_turn_at_hand_is_one_transaction_of_four_statements(deal: CoalitionDeal, session: str) -> None:
    found = let_in(session)
    assert found is not None
    with CaptureQueriesContext(connection) as asked:
        taken = turn_at_once(
            deal_id=deal.pk, permit=found[1], action_id=uuid.uuid4(), action=Action(text="Anyone?")
        )
    assert taken is not None
    assert [row.seq for row in taken.rows] == list(range(deal.last_seq + 1, taken.rows[-1].seq + 1))
    verbs = [query["sql"].split()[0] for query in asked.captured_queries]
    assert verbs == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]
    now = stored(deal)
    assert (now.moves, now.last_seq, now.round) == (1, taken.rows[-1].seq, 2)
    sessions.kept.forget_all()
    assert selectors.table_of(now)["round"] == 2, "the log replays"


# -- who watches -----------------------------------------------------------------------------------


def linked(client: Client, deal: CoalitionDeal, scope: str) -> str:
    """A link of this scope, made by its page; its token."""
    url: str = client.post(f"/coalitions/{deal.pk}/links/", {"scope": scope}).json()["url"]
    return url.rstrip("/").rsplit("/", 1)[-1]


async def test_a_coach_sees_every_card_the_deal_is_marked_and_the_player_is_told_at_once(
    deal: CoalitionDeal,
    rep: User,
    manager: User,
    session: str,
    signed_in: SignIn,
    open_socket: OpenSocket,
) -> None:
    lead = await sync_to_async(signed_in)(manager)
    token = await sync_to_async(linked)(lead, deal, "coach")
    player = await open_socket(address(deal, deal.last_seq), session=session)
    assert (await player.until("table"))["data"]["watchers"] == []
    coach = await open_socket(f"/ws/coalition-watch/{token}/", session=lead.cookies["sessionid"].value)
    assert (await coach.until("hello"))["data"]["role"] == "reveal"
    told = await player.until("table")
    assert told["data"]["watchers"] == [{"by": "Morgan Lee", "maker": "Morgan Lee"}]
    assert "stakes" not in told["data"]
    assert (await sync_to_async(stored)(deal)).assisted
    table = (await coach.until("table"))["data"]
    game = await sync_to_async(sessions.rebuild)(deal)
    assert table["stakes"]["seller"]["shared"] == game.table.own["seller"].shared
    for number in range(3):
        await sent(player, "act", {"text": f"And now, {number}?"})
    last = (await sync_to_async(stored)(deal)).last_seq
    frames = await until_seq(coach, last)
    assert all("data" in frame for frame in frames), "no private turn is kept from a coach"
    again = await open_socket(f"/ws/coalition-watch/{token}/", session=lead.cookies["sessionid"].value)
    await until_seq(again, last)
    assert (await sync_to_async(stored)(deal)).last_seq == last, "marked once a viewer"


async def test_a_watcher_is_sent_what_the_player_is_sent_and_marks_nothing(
    deal: CoalitionDeal, rep: User, signed_in: SignIn, open_socket: OpenSocket
) -> None:
    def private_word() -> CoalitionDeal:
        """Until the other two have said something behind the player's back."""
        for _ in range(10):
            now = deal_act(
                deal_id=deal.pk, player=rep, action_id=uuid.uuid4(), action=Action(text="What next?")
            )
            if any("data" not in frame for frame in selectors.frames_after(now, 0)):
                break
        return stored(deal)

    token = await sync_to_async(linked)(await sync_to_async(signed_in)(rep), deal, "watch")
    now = await sync_to_async(private_word)()
    socket = await open_socket(f"/ws/coalition-watch/{token}/")
    assert (await socket.until("hello"))["data"]["role"] == "buyer_b"
    assert await until_seq(socket, now.last_seq) == await sync_to_async(selectors.frames_after)(now, 0)
    assert "stakes" not in (await socket.until("table"))["data"]
    assert not (await sync_to_async(stored)(deal)).assisted


async def test_a_link_that_is_withdrawn_shows_its_watchers_out(
    deal: CoalitionDeal, rep: User, signed_in: SignIn, open_socket: OpenSocket
) -> None:
    client = await sync_to_async(signed_in)(rep)
    token = await sync_to_async(linked)(client, deal, "watch")
    socket = await open_socket(f"/ws/coalition-watch/{token}/")
    await socket.until("table")
    answer = await sync_to_async(client.post)(f"/coalitions/{deal.pk}/links/revoke/")
    assert answer.json() == {"revoked": 1}
    assert await socket.close_code() == 4410
    assert (await sync_to_async(Client().get)(f"/coalition-watch/{token}/")).status_code == 410


def test_the_page_of_a_coach_holds_no_truth_and_marks_nothing_before_its_socket_opens(
    deal: CoalitionDeal, manager: User, signed_in: SignIn
) -> None:
    token = linked(signed_in(manager), deal, "coach")
    page = Client().get(f"/coalition-watch/{token}/")
    assert page["Referrer-Policy"] == "no-referrer"
    start = json.loads(
        page.text.split('<script id="bootstrap" type="application/json">')[1].split("</script>")[0]
    )
    assert (start["frames"], start["table"], start["seat"]) == ([], None, None)
    assert not stored(deal).assisted


def test_whose_account_looked_is_forgotten_with_the_account(
    deal: CoalitionDeal, rep: User, manager: User
) -> None:
    _, token = links.link_create(deal=stored(deal), created_by=rep, scope="coach")
    links.link_view(opened=selectors.link_opened(token, manager), viewer=manager)
    assert selectors.watchers_of(stored(deal)) == [{"by": "Morgan Lee", "maker": "Robin Reyes"}]
    manager.delete()
    assert selectors.watchers_of(stored(deal)) == [{"by": "", "maker": "Robin Reyes"}]


def test_a_link_shows_no_scope_that_there_is_not(deal: CoalitionDeal, rep: User, signed_in: SignIn) -> None:
    answer = signed_in(rep).post(f"/coalitions/{deal.pk}/links/", {"scope": "everything"})
    assert (answer.status_code, answer.json()["field"]) == (422, "scope")


def test_who_leads_the_team_finds_its_live_deals_in_the_lobby_and_nobody_else_does(
    deal: CoalitionDeal, rep: User, manager: User, stranger: User, signed_in: SignIn
) -> None:
    door = f'data-watch-game="/coalitions/{deal.pk}/links/"'
    assert door in signed_in(manager).get("/").text
    for other in (rep, stranger):
        assert door not in signed_in(other).get("/").text
