"""What a persona brings up first of what holds it back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negotiation.engine.deal import Action, Negotiation, personas
from negotiation.engine.deal.case.concerns import next_concern
from negotiation.engine.deal.case.drawn import draw_world
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.types import Seat

SEATS = [(case, seat) for case in sorted(cases()) for seat in ("buyer", "seller")]
SEEDS = range(40)


def order(case: str, seat: Seat, persona: str, seed: int, **world: object) -> tuple[str, ...]:
    """All that a seat may raise, in the order in which this persona would."""
    side = cases()[case].seats[seat]
    drawn = replace(draw_world(cases()[case], Chances.of_one(seed))[seat], **world)  # type: ignore[arg-type]
    found: list[str] = []
    while (concern := next_concern(side, drawn, personas()[persona].minds, found)) is not None:
        found.append(concern.id)
    return tuple(found)


@pytest.mark.parametrize(("case", "seat"), SEATS)
def test_each_persona_raises_everything_once_and_no_seat_has_one_order_for_all(case: str, seat: Seat) -> None:
    wanted = {each.id for each in cases()[case].seats[seat].objections}
    orders = {persona: tuple(order(case, seat, persona, seed) for seed in SEEDS) for persona in personas()}
    assert all(set(one) == wanted and len(one) == len(wanted) for found in orders.values() for one in found)
    assert len(set(orders.values())) > 1


@pytest.mark.parametrize(("case", "seat"), SEATS)
def test_the_order_hangs_on_persona_and_seed_and_on_nothing_hidden(case: str, seat: Seat) -> None:
    side = cases()[case].seats[seat]
    for persona in personas():
        for seed in (3, 4):
            other = {
                "mistaken": (True,) * len(side.facts),
                "weights": tuple(reversed(draw_world(cases()[case], Chances.of_one(seed))[seat].weights)),
            }
            assert order(case, seat, persona, seed) == order(case, seat, persona, seed, **other)


def test_who_holds_gives_the_reason_that_it_minds_most() -> None:
    first = {}
    for persona in personas():
        table = Negotiation("saas_enterprise", persona, "seller", 5, case=True)
        raised: tuple[str, ...] = ()
        while not raised and not table.done:
            table.step(Action("Here is my offer.", offer=230_000))
            sheet = table.observe().sheet
            assert sheet is not None
            raised = sheet.raised
        first[persona] = raised[:1]
    assert first["shark"] == ("dear",)
    assert first["auditor"] == ("renewal",)
    assert first["diplomat"] == ("shelf",)
