"""Patience ends what waits inside it once nothing was heard for long enough, and never before or after."""

from __future__ import annotations

import asyncio

import pytest

from negotiation.openenv.patience import Patience

SECONDS = 600.0


class Clock:
    """The loop's time, which passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    async def pass_by(self, seconds: float) -> None:
        """Let time pass, and whatever is due then happen."""
        self.now += seconds
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: made.now)
    return made


async def bear(until: asyncio.Event, patiences: list[Patience]) -> None:
    async with Patience(SECONDS) as patience:
        patiences.append(patience)
        await until.wait()


async def test_silence_is_borne_so_long_and_no_longer(clock: Clock) -> None:
    waiting = asyncio.create_task(bear(asyncio.Event(), []))
    await clock.pass_by(0)
    await clock.pass_by(SECONDS - 1)
    assert not waiting.done()
    await clock.pass_by(1)
    with pytest.raises(TimeoutError):
        await waiting


async def test_who_is_heard_in_time_is_borne_for_as_long_as_it_likes_and_no_longer_than_once_more(
    clock: Clock,
) -> None:
    patiences: list[Patience] = []
    waiting = asyncio.create_task(bear(asyncio.Event(), patiences))
    await clock.pass_by(0)
    for _ in range(30):
        await clock.pass_by(SECONDS - 1)
        patiences[0].renew()
    assert not waiting.done()
    await clock.pass_by(1)
    assert not waiting.done()
    await clock.pass_by(SECONDS - 1)
    with pytest.raises(TimeoutError):
        await waiting


async def test_nothing_is_ended_once_it_is_over(clock: Clock) -> None:
    over = asyncio.Event()
    waiting = asyncio.create_task(bear(over, []))
    await clock.pass_by(0)
    over.set()
    await waiting
    await clock.pass_by(2 * SECONDS)


async def test_what_goes_wrong_inside_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError):
        async with Patience(SECONDS):
            raise KeyError("a fault")
