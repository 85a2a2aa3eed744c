"""Reads of deals for three: whose they are, their logs redacted, what the table and the debrief show."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, TypedDict

from accounts.models import User
from accounts.selectors import leads_team
from negotiation.coalitions import sessions
from negotiation.coalitions.events import Frame, redact
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.engine.coalition import (
    COALITIONS,
    SEATS,
    CoalitionScenario,
    Seat,
    arrangement_of,
    coalition_scenarios,
    in_order,
)
from negotiation.engine.coalition.chart import chart
from negotiation.engine.coalition.review import review
from negotiation.engine.coalition.wire import standing_to_json
from negotiation.engine.coalition.worth import own_payoff
from negotiation.engine.deal import personas


class CoalitionRow(TypedDict):
    """One line of a lobby."""

    id: str
    title: str
    role: str
    names: list[str]
    round: int
    currency: str
    payoff: float | None
    shapley: float | None
    signed: bool
    left_out: bool
    updated_at: datetime


def deal_of_player(deal_id: uuid.UUID, user: User) -> CoalitionDeal | None:
    """The deal, if this very person plays it."""
    return CoalitionDeal.objects.select_related("player").filter(pk=deal_id, player=user).first()


def deal_to_debrief(deal_id: uuid.UUID, user: User) -> CoalitionDeal | None:
    """The deal, if this person may read its debrief: the player, or who leads the team."""
    deal = CoalitionDeal.objects.select_related("player").filter(pk=deal_id).first()
    if deal is None or (deal.player_id != user.pk and not leads_team(user, deal.team_id)):
        return None
    return deal


def deals_of(user: User, *, status: CoalitionDeal.Status, limit: int = 20) -> list[CoalitionRow]:
    """A player's own deals for three, latest first."""
    deals = CoalitionDeal.objects.filter(player=user, status=status).order_by("-updated_at")[:limit]
    return [_row(deal) for deal in deals]


def _row(deal: CoalitionDeal) -> CoalitionRow:
    scenario = coalition_scenarios()[deal.scenario]
    return {
        "id": str(deal.id),
        "title": scenario.title,
        "role": scenario.seats[seat_of(deal)].company,
        "names": [personas()[who].name for who in deal.opponents.values()],
        "round": deal.round,
        "currency": scenario.currency,
        "payoff": deal.payoff,
        "shapley": deal.shapley,
        "signed": bool(deal.formed),
        "left_out": deal.seat not in deal.formed.split("+"),
        "updated_at": deal.updated_at,
    }


def seat_of(deal: CoalitionDeal) -> Seat:
    """Where the player sits."""
    return next(seat for seat in SEATS if seat == deal.seat)


def frames_after(deal: CoalitionDeal, seq: int) -> list[Frame]:
    """The events past ``seq`` as the player may see them."""
    rows = CoalitionEvent.objects.filter(deal=deal, seq__gt=seq).order_by("seq")
    return [
        redact(seq=number, kind=kind, data=data, seat=seat_of(deal))  # type: ignore[arg-type]  # a choice of the model
        for number, kind, data in rows.values_list("seq", "type", "data")
    ]


def table_of(deal: CoalitionDeal) -> dict[str, Any]:
    """What the player sees on the table now; made from the seat's own observation and nothing else."""
    game = sessions.kept.peek(deal)
    seat = seat_of(deal)
    view = game.observe(seat)
    return {
        "round": view.round,
        "to_move": view.to_move,
        "present": list(in_order(view.present)),
        "standing": [
            {**standing_to_json(offer), "gain": own_payoff(view.own, seat, offer.proposal)}
            for offer in view.standing
        ],
        "chart": chart(game.scenario, view),
    }


def update_of(deal: CoalitionDeal, since: int) -> dict[str, Any]:
    """What a page that has seen the log up to ``since`` needs to be up to date."""
    return {"frames": frames_after(deal, since), "table": table_of(deal), "status": deal.status}


def bootstrap_of(deal: CoalitionDeal) -> dict[str, Any]:
    """What the page of a table starts from."""
    scenario = coalition_scenarios()[deal.scenario]
    return {
        "id": str(deal.id),
        "seat": deal.seat,
        "scenario": {
            "currency": scenario.currency,
            "low": scenario.low,
            "high": scenario.high,
            "step": scenario.step,
            "per_label": scenario.per_label,
            "horizon": scenario.horizon,
            "depot_cost": scenario.depot_cost,
        },
        "seats": seats_of(deal, scenario),
        "coalitions": [
            {"members": list(in_order(members)), "arrangement": arrangement_of(members)}
            for members in COALITIONS
        ],
        **update_of(deal, 0),
    }


def seats_of(deal: CoalitionDeal, scenario: CoalitionScenario) -> dict[str, dict[str, str]]:
    """Who sits where, in words; the player's own seat has no persona."""
    seats: dict[str, dict[str, str]] = {}
    for seat in SEATS:
        spec = scenario.seats[seat]
        persona = deal.opponents.get(seat, "")
        name = personas()[persona].name if persona else "You"
        seats[seat] = {
            "company": spec.company,
            "short": spec.short,
            "role": spec.role,
            "persona": persona,
            "name": name,
        }
    return seats


def brief_of(deal: CoalitionDeal) -> dict[str, Any]:
    """The brief of the player's own seat, its own figures, and the memo that everybody has."""
    scenario = coalition_scenarios()[deal.scenario]
    seat = seat_of(deal)
    own = CoalitionEvent.objects.get(deal=deal, seq=1).data["own"]
    spec = scenario.seats[seat]
    memo = {
        s: dict(zip(("alone", "shared", "depot"), scenario.memo()[i], strict=True))
        for i, s in enumerate(SEATS)
    }
    return {
        "role": spec.role,
        "company": spec.company,
        "brief": spec.brief,
        "goals": list(spec.goals),
        "own": {key: abs(value) for key, value in own.items()},
        "memo": {s: {key: abs(float(value)) for key, value in row.items()} for s, row in memo.items()},
        "depot_cost": scenario.depot_cost,
    }


def debrief_of(deal: CoalitionDeal) -> dict[str, Any]:
    """The whole debrief of a finished deal: a replay of its log and what theory says of it."""
    if deal.kept_debrief is not None:
        return dict(deal.kept_debrief)
    return review(sessions.rebuild(deal), seat_of(deal))
