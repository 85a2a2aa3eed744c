"""The tail of a log that all sockets of a process share."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.utils import timezone

from negotiation.table import feed
from negotiation.table.models import Logged

GAME = uuid.uuid4()


def row(seq: int) -> Logged:
    return Logged(seq, "said", {"number": seq}, timezone.now())


@pytest.fixture
def written() -> list[Logged]:
    """What the database holds."""
    return [row(seq) for seq in range(1, 6)]


@pytest.fixture
def tail(written: list[Logged]) -> Iterator[feed.Tail]:
    source = SimpleNamespace(
        roles=("player",),
        read=lambda _, after: written[after:],
        shown=lambda logged, role: {"seq": logged.seq, "type": logged.type, "data": logged.data},
    )
    opened = feed.open_tail(GAME, cast(Any, source))
    yield opened
    feed.close_tail(opened)


async def test_rows_that_follow_are_taken_unread_and_rows_behind_a_gap_are_read(
    tail: feed.Tail, written: list[Logged]
) -> None:
    feed.offer(GAME, written[:2])
    assert tail.head == 2
    assert tail.reads == 0
    feed.offer(GAME, written[3:])
    assert tail.head == 2, "the third is missing"
    feed.offer(GAME, written[:2])
    assert tail.head == 2, "these are known"
    await tail.reach(5)
    assert tail.reads == 1
    assert [each.seq for each in tail.rows] == [1, 2, 3, 4, 5]
    assert [each.seq for each in tail.after(3, "player")] == [4, 5]
