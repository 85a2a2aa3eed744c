"""Patience ends what waits inside it once nothing was heard for long enough, and never before or after."""

from __future__ import annotations

import asyncio

import pytest

from negotiation.openenv.patience import Patience

SHORT = 0.05


async def test_silence_that_lasts_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError):
        async with Patience(SHORT):
            await asyncio.Event().wait()


async def test_who_is_heard_in_time_is_borne_for_as_long_as_it_likes() -> None:
    async with Patience(10 * SHORT) as patience:
        for _ in range(30):
            await asyncio.sleep(SHORT)
            patience.renew()


async def test_patience_that_was_renewed_once_runs_out_all_the_same() -> None:
    async def silent_after_a_word() -> None:
        async with Patience(SHORT) as patience:
            await asyncio.sleep(SHORT / 2)
            patience.renew()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await silent_after_a_word()


async def test_nothing_is_ended_once_it_is_over() -> None:
    async with Patience(SHORT):
        pass
    await asyncio.sleep(2 * SHORT)


async def test_what_goes_wrong_inside_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError):
        async with Patience(SHORT):
            raise KeyError("a fault")
