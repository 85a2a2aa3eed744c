"""From the engine's objects to the rows of the log of a deal between two people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from negotiation.engine.deal import Action
from negotiation.engine.deal.law import LAW
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import Observation, Seat
from negotiation.engine.deal.wire import to_json
from negotiation.pairs.events import Closed, Ended, EventType, Moved, Started
from negotiation.record import limit_moved, news, own_sheet

Row = tuple[EventType, Any]
SEATS: tuple[Seat, Seat] = ("seller", "buyer")


def started(table: PairTable, names: dict[Seat, str], move_by: datetime) -> Iterator[Row]:
    """Who sits where, the set-up, and the table before the first move."""
    for seat in SEATS:
        yield "seated", {"seat": seat, "name": names[seat]}
    views = {seat: table.observe(seat) for seat in SEATS}
    data: Started = {
        "scenario": table.scenario.id,
        "opens": table.opens,
        "horizon": table.horizon,
        "law": LAW,
        "own": {seat: _sheet_of(table, seat, view) for seat, view in views.items()},
    }
    if table.case is not None:
        data["case"] = table.case.scenario
    yield "started", data
    yield from (("news", news(headline)) for headline in views["seller"].headlines)
    yield "closed", closed(table, move_by)


def played(table: PairTable, seat: Seat, action: Action, action_id: str, move_by: datetime) -> Iterator[Row]:
    """Play a move on ``table`` and yield all that it adds to the log."""
    known = {headline.id for headline in table.observe(seat).headlines}
    sheets = {each: table.observe(each).sheet for each in SEATS}
    turn = table.turn
    table.play(seat, action)
    yield "moved", moved(turn, seat, action, action_id)
    if table.end is not None:
        yield "ended", ended(table, turn)
        return
    for headline in table.observe(seat).headlines:
        if headline.id not in known:
            yield "news", news(headline)
    changed = [each for each in SEATS if table.observe(each).sheet != sheets[each]]
    yield "closed", closed(table, move_by, sheets=changed)


def moved(turn: int, seat: Seat, action: Action, action_id: str) -> Moved:
    """A move exactly as it was bound."""
    own: dict[str, Any] = {"belief": to_json(action.belief) if action.belief else None}
    if action.talk:
        own["talk"] = to_json(action.talk)
    return {
        "turn": turn,
        "seat": seat,
        "text": action.text,
        "offer": action.offer,
        "terms": None if action.terms is None else dict(action.terms),
        "accept": action.accept,
        "walk_away": action.walk_away,
        "action_id": action_id,
        "own": {seat: own},
    }


def closed(table: PairTable, move_by: datetime, sheets: Iterable[Seat] = ()) -> Closed:
    """What either sees of the table now.

    Args:
        sheets: the seats whose own facts are not as they were.
    """
    views = {seat: table.observe(seat) for seat in SEATS}
    public = views["seller"]
    on_turn = table.on_turn or table.opens
    just_closed = table.moves % len(SEATS) == 0
    own: dict[Seat, dict[str, Any]] = {
        seat: _own_now(view, moved=just_closed) for seat, view in views.items()
    }
    for seat in sheets:
        own[seat] |= {"sheet": _sheet_of(table, seat, views[seat])["sheet"]}
    return {
        "turn": table.moves // len(SEATS),
        "move": table.moves,
        "on_turn": on_turn,
        "move_by": move_by.isoformat(),
        "tension": public.tension,
        "tension_band": public.tension_band,
        "zopa_width_pct_remaining": public.zopa_width_pct_remaining,
        "packages": {
            seat: {"price": view.own_offer, "terms": dict(view.own_terms)} for seat, view in views.items()
        },
        "own": own,
    }


def ended(table: PairTable, turn: int) -> Ended:
    """How a deal ended at the table."""
    end = table.end
    assert end is not None  # noqa: S101  # the caller has seen it
    own: dict[Seat, dict[str, Any]] = {}
    if end.price is not None:
        own = {seat: {"worth": _worth(table, seat, end.by)} for seat in SEATS}
    return {
        "turn": turn,
        "reason": end.reason,
        "by": end.by,
        "price": end.price,
        "agreed": dict(end.terms),
        "own": own,
        "sealed": sealed(table),
    }


def left(table: PairTable | None, by: Seat, turn: int) -> Ended:
    """One of them left for good.

    Args:
        table: as it stands; ``None`` where its log can't be replayed any more.
    """
    return {
        "turn": turn,
        "reason": "left",
        "by": by,
        "price": None,
        "agreed": {},
        "own": {},
        "sealed": {} if table is None else sealed(table),
    }


def sealed(table: PairTable) -> dict[str, Any]:
    """Both seats' truth, at the start and at the end, their facts, and what the deal came to for each."""
    found: dict[str, Any] = {
        "zone": table.original_zone,
        "start": {seat: to_json(table.truth_at_start(seat)) for seat in SEATS},
        "close": {seat: to_json(table.truth(seat)) for seat in SEATS},
        "facts": {seat: to_json(table.facts(seat)) for seat in SEATS},
    }
    if table.end is not None:
        counted = ("efficiency", "left_on_the_table", "floor_breached")
        for seat, outcome in table.end.outcomes.items():
            found.setdefault("counted", {})[seat] = {name: getattr(outcome, name) for name in counted}
        either = table.end.outcomes["seller"]
        whole = ("nash_price", "joint_surplus", "best_joint_surplus", "erosion_cost")
        found |= {name: getattr(either, name) for name in whole}
        found["nash_terms"] = dict(either.nash_terms)
    return found


def _own_now(view: Observation, *, moved: bool) -> dict[str, Any]:
    """A seat's own figures; what moved its limit is told once, when the turn has closed."""
    return {
        "own": to_json(view.own),
        "own_worth": view.own_worth,
        "standing_worth": view.standing_worth,
        "limit_moves": [limit_moved(view, each) for each in view.limit_moves] if moved else [],
    }


def _sheet_of(table: PairTable, seat: Seat, view: Observation) -> dict[str, Any]:
    found: dict[str, Any] = {"own": to_json(view.own)}
    if table.case is not None and view.sheet is not None:
        found["sheet"] = own_sheet(view.sheet, table.case.seats[seat])
    return found


def _worth(table: PairTable, seat: Seat, by: Seat | None) -> float | None:
    """What the package that was agreed on is worth to a seat, as a price on the first terms."""
    view = table.observe(seat)
    return view.standing_worth if seat == by else view.own_worth
