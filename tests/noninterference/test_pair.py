"""Between two people nothing at all that one seat is shown hangs on what the other hides: there is no choice of a persona's
that could tell, so equal histories look equal to the last byte, refusals and the end included."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from negotiation.engine.deal import Action, ActionRefused, scenarios
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import OTHER_SEAT, Belief, Seat
from negotiation.pairs import record
from negotiation.pairs.events import redact
from negotiation.pairs.hearing import heard
from tests.effort import few, matrix
from tests.noninterference.deal import LINES, world

WORLDS = (None, 7_001, 7_002)
SEATS: tuple[Seat, ...] = ("seller", "buyer")
BY = datetime(2026, 11, 23, tzinfo=UTC)


def tables(seat: Seat, name: str, seed: int, *, case: bool) -> list[PairTable]:
    """The same deal in several worlds of whoever sits across from ``seat``."""
    made = []
    for number in WORLDS:
        with world(number, seat):
            made.append(PairTable(scenarios()[name], seed, SEATS[seed % 2], case=case))
    return made


def move_of(table: PairTable, chance: random.Random) -> Action:
    """Some move, by what is public alone."""
    scenario = table.scenario
    low, high = scenario.plausible_low, scenario.plausible_high
    view = table.observe(table.on_turn or "seller")
    if view.standing_offer is not None and table.turn > 6 and chance.random() < 0.05:
        return Action(accept=True)
    offer = scenario.round(low + chance.random() * (high - low)) if chance.random() < 0.7 else None
    terms = {issue.id: chance.choice(issue.options).id for issue in scenario.issues}
    return Action(
        text=chance.choice(LINES),
        offer=offer,
        terms=terms if offer is not None and terms else None,
        belief=Belief(walk_away=scenario.round((low + high) / 2)) if chance.random() < 0.3 else None,
    )


def allowed(table: PairTable, chance: random.Random) -> Action:
    while True:
        action = move_of(table, chance)
        try:
            table.check(table.on_turn or "seller", action)
        except ActionRefused:
            continue
        return action


def refusal(table: PairTable, seat: Seat, action: Action) -> str:
    try:
        table.check(seat, action)
    except ActionRefused as refused:
        return f"{refused.code} {refused.message}"
    return ""


def shown(table: PairTable, seat: Seat, action: Action) -> str:
    """Play a move; all that ``seat`` and who looks on from its side are shown of it."""
    mover = table.on_turn
    assert mover is not None
    rows = list(record.played(table, mover, heard(action, table, mover), "id", BY))
    frames = [
        redact(seq=number, kind=kind, data=data, role=role)
        for role in (seat, f"watch-{seat}")
        for number, (kind, data) in enumerate(rows)
    ]
    tries = (Action(accept=True), Action(), Action(offer=-1.0), Action(text="And now?", offer=1e12))
    return repr((frames, table.observe(seat), [refusal(table, seat, each) for each in tries]))


@pytest.mark.parametrize(
    ("name", "seat", "case"), matrix(sorted(scenarios()), SEATS, (False, True), one_in=5)
)
def test_equal_histories_look_equal_whatever_the_other_person_hides(
    name: str, seat: Seat, case: bool
) -> None:
    if case and name not in cases():
        pytest.skip("no case")
    seen: Counter[str] = Counter()
    for seed in range(few(3, 8)):
        several = tables(seat, name, seed, case=case)
        hidden = {table.truth(OTHER_SEAT[seat]).walk_away for table in several}
        assert len(hidden) > 1, "the worlds are the same"
        assert len({table.truth(seat) for table in several}) == 1
        opened = [
            repr([redact(seq=1, kind=kind, data=data, role=seat) for kind, data in _started(table)])
            for table in several
        ]
        assert len(set(opened)) == 1
        chance = random.Random(seed)
        while several[0].end is None:
            action = allowed(several[0], chance)
            first, *others = (shown(table, seat, action) for table in several)
            assert all(other == first for other in others)
            seen["moves"] += 1
        seen["hot"] += several[0].observe(seat).zopa_width_pct_remaining < 100
        seen["news"] += bool(several[0].observe(seat).headlines)
    assert seen["moves"] > 10


def _started(table: PairTable) -> list[Any]:
    return list(record.started(table, {"seller": "A", "buyer": "B"}, BY))


def test_the_pairs_of_games_can_tell_a_leak_when_there_is_one() -> None:
    """The other seat's own frames do differ: what is compared is not blind."""
    name = sorted(scenarios())[0]
    several = tables("seller", name, 1, case=False)
    theirs = {
        repr([redact(seq=1, kind=kind, data=data, role="buyer") for kind, data in _started(table)])
        for table in several
    }
    assert len(theirs) == len(several)
