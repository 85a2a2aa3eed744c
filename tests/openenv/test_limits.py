"""How much a guest may ask for, by a clock that stands still until it is told to move."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from negotiation.openenv.limits import House, Limits, TooMany, address_name


class Clock:
    """Time moves by sleeping, and by nothing else."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    return clock


async def test_a_guest_waits_for_its_rate_and_another_does_not(clock: Clock) -> None:
    house = House(Limits(rate=10), clock=clock)
    for _ in range(30):
        await house.visit(["address a"]).wait_turn()
    assert clock.now == pytest.approx(2.0)  # ten at once, twenty more at ten a second
    await house.visit(["address b"]).wait_turn()
    assert clock.now == pytest.approx(2.0)


async def test_a_token_shares_its_rate_among_all_its_addresses(clock: Clock) -> None:
    house = House(Limits(rate=10), clock=clock)
    for number in range(30):
        await house.visit([f"address {number}", "token t"]).wait_turn()
    assert clock.now == pytest.approx(2.0)


def test_a_request_beyond_the_rate_may_not_ask(clock: Clock) -> None:
    house = House(Limits(rate=3), clock=clock)
    assert [house.visit(["address a"]).may_ask() for _ in range(4)] == [True, True, True, False]


def test_workers_share_a_rate(clock: Clock) -> None:
    house = House(Limits(rate=6), workers=2, clock=clock)
    assert [house.visit(["address a"]).may_ask() for _ in range(4)] == [True, True, True, False]


def test_sessions_are_counted_by_guest_and_together_and_given_back() -> None:
    house = House(Limits(sessions=3, per_guest=2))
    with ExitStack() as held:
        held.enter_context(house.session(["a"]))
        held.enter_context(house.session(["a"]))
        with pytest.raises(TooMany, match="You hold 2"), house.session(["a"]):
            pass
        held.enter_context(house.session(["b"]))
        with pytest.raises(TooMany, match="All 3"), house.session(["c"]):
            pass
        assert house.sessions == 3
    assert house.sessions == 0
    with house.session(["a"]):
        assert house.sessions == 1


def test_a_session_that_ends_badly_is_given_back_too() -> None:
    house = House(Limits())
    with pytest.raises(RuntimeError), house.session(["a", "b"]):
        raise RuntimeError
    assert house.sessions == 0


def test_guests_who_ask_for_nothing_more_are_forgotten(clock: Clock) -> None:
    house = House(Limits(rate=1000), clock=clock)
    busy = house.visit(["busy"])
    for _ in range(1000):
        assert busy.may_ask()
    for number in range(10_000):
        house.visit([f"passer-by {number}"])
    assert len(house._allowances) < 5000
    assert not house.visit(["busy"]).may_ask()


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix", "unix"),
    ],
)
def test_an_address_stands_for_a_household(host: str, name: str) -> None:
    assert address_name(host) == name
