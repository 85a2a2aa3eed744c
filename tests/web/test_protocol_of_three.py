"""A deal for three over real sockets, against a real server: a cut line, two windows, and a watcher."""

from __future__ import annotations

import json
import re
import uuid

from tests.clients import Person, line
from tests.servers import Stack


def sit_down_for_three(person: Person) -> str:
    """As a guest, in the second buyer's seat; the deal's id."""
    person.post("/guest/")
    page = person.post(
        "/coalitions/new/",
        scenario="cold_store",
        seat="buyer_b",
        persona_seller="shark",
        persona_buyer_a="diplomat",
    )
    found = re.search(r"/coalitions/([0-9a-f-]{36})/", page.url)
    assert found, (page.status, page.url)
    return found.group(1)


async def test_a_cut_line_resumes_without_a_gap_and_every_window_is_sent_the_same(server: Stack) -> None:
    person = Person(server.url)
    deal_id = sit_down_for_three(person)
    path, cookies = f"/ws/coalitions/{deal_id}/", person.cookies()
    sent = str(uuid.uuid4())
    async with line(server.url, path, cookies=cookies) as other:
        async with line(server.url, path, cookies=cookies) as first:
            hello = await first.until(lambda frame: frame.get("type") == "hello")
            began = hello["data"]["last_seq"]
            await first.until(lambda frame: frame.get("seq") == began)
            await first.send("act", sent, text="Shall we share it?")
        async with line(server.url, f"{path}?since={began}", cookies=cookies) as back:
            answer = await back.ask("act", sent, text="Shall we share it?")
            assert (answer["type"], answer["seq"]) == ("ack", began + 1)
            over = await back.ask("act", text="Then not.", walk_away=True)
            assert over["type"] == "ack"
            await back.until(lambda frame: frame.get("type") == "ended")
            await other.until(lambda frame: frame.get("type") == "ended")
            assert back.seqs == list(range(began + 1, back.seqs[-1] + 1))
            assert other.log[began:] == back.log
    own = [frame for frame in other.log if frame.get("data", {}).get("seat") == "buyer_b"]
    assert sum(frame["type"] == "acted" for frame in own) == 2
    assert person.get(f"/coalitions/{deal_id}/debrief/").status == 200


async def test_a_link_opens_for_a_stranger_and_the_player_is_told(server: Stack) -> None:
    person = Person(server.url)
    deal_id = sit_down_for_three(person)
    made = json.loads(person.post(f"/coalitions/{deal_id}/links/", scope="coach").text)
    token = made["url"].rstrip("/").rsplit("/", 1)[-1]
    async with line(server.url, f"/ws/coalitions/{deal_id}/", cookies=person.cookies()) as table:
        await table.until(lambda frame: frame.get("type") == "table")
        async with line(server.url, f"/ws/coalition-watch/{token}/") as watcher:
            shown = await watcher.until(lambda frame: frame.get("type") == "table")
            assert set(shown["data"]["stakes"]) == {"seller", "buyer_a", "buyer_b"}
            await table.until(lambda frame: frame.get("type") == "watched")
            told = await table.until(lambda frame: frame.get("type") == "table")
            assert [view["by"] for view in told["data"]["watchers"]] == [""]
    assert all("stakes" not in text for text in table.raw)
