"""Reads of deals for three: whose they are, their logs redacted, what the table and the debrief show."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from accounts.models import User
from accounts.selectors import leads_team, teams_led_by
from negotiation.coalitions import sessions
from negotiation.coalitions.events import REVEAL, Frame, redact
from negotiation.coalitions.models import (
    CoalitionDeal,
    CoalitionEvent,
    CoalitionLink,
    CoalitionLinkView,
)
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
from negotiation.engine.coalition.reveal import reveal
from negotiation.engine.coalition.review import review
from negotiation.engine.coalition.wire import standing_to_json
from negotiation.engine.coalition.worth import own_payoff
from negotiation.engine.deal import personas
from negotiation.table.links import LinkRefused, link_of
from negotiation.table.log import seq_of


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


def deal_to_share(deal_id: uuid.UUID, user: User) -> CoalitionDeal | None:
    """The deal, if this person may make links to it: as for its debrief, while its words are there."""
    deal = deal_to_debrief(deal_id, user)
    return deal if deal is not None and deal.kept_debrief is None else None


@dataclass(frozen=True, slots=True)
class Opened:
    """A link that opens, and as whom one sees through it."""

    link: CoalitionLink
    role: str

    @property
    def reveals(self) -> bool:
        """Whether it shows the truth of a deal that is on."""
        return self.role == REVEAL and self.link.deal.is_live


def link_opened(token: str, viewer: User | None) -> Opened:
    """The link that a token opens for this viewer now, or ``LinkRefused``: nobody sees the truth of a deal that they
    play."""
    link = link_of(CoalitionLink, token, "deal__player")
    deal = link.deal
    if deal.kept_debrief is not None:
        raise LinkRefused("forgotten")
    if link.scope == CoalitionLink.Scope.WATCH:
        return Opened(link, deal.seat)
    if deal.is_live and viewer is not None and deal.player_id == viewer.pk:
        raise LinkRefused("own_live_game")
    return Opened(link, REVEAL)


def deals_of(user: User, *, status: CoalitionDeal.Status, limit: int = 20) -> list[CoalitionRow]:
    """A player's own deals for three, latest first."""
    deals = CoalitionDeal.objects.filter(player=user, status=status).order_by("-updated_at")[:limit]
    return [_row(deal) for deal in deals]


class WatchableRow(TypedDict):
    """A live deal of somebody's team."""

    id: str
    title: str
    player_name: str
    round: int


def team_deals(user: User, *, limit: int = 20) -> list[WatchableRow]:
    """Live deals of others in the teams that somebody leads, latest first."""
    led = teams_led_by(user)
    live = CoalitionDeal.objects.filter(team__in=led, status=CoalitionDeal.Status.LIVE).exclude(player=user)
    return [
        {
            "id": str(deal.id),
            "title": coalition_scenarios()[deal.scenario].title,
            "player_name": deal.player.get_full_name(),
            "round": deal.round,
        }
        for deal in live.select_related("player").order_by("-updated_at")[:limit]
    ]


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


def frames_after(deal: CoalitionDeal, seq: int, role: str | None = None) -> list[Frame]:
    """The events past ``seq`` as ``role`` may see them, the player where none is named."""
    rows = CoalitionEvent.objects.filter(deal=deal, seq__gt=seq).order_by("seq")
    return [
        redact(seq=number, kind=kind, data=data, role=role or deal.seat)  # type: ignore[arg-type]  # a choice of the model
        for number, kind, data in rows.values_list("seq", "type", "data")
    ]


def written_at(deal: CoalitionDeal, action_id: uuid.UUID) -> int:
    """Where a turn that was taken stands in the log."""
    return seq_of(CoalitionEvent, deal.pk, action_id) or deal.last_seq


def table_of(deal: CoalitionDeal, role: str | None = None) -> dict[str, Any]:
    """What ``role`` sees on the table now: a seat's own observation and nothing else, or all of it for ``REVEAL``."""
    game = sessions.kept.take(deal)
    try:
        seat = seat_of(deal)
        view = game.observe(seat)
        told = (
            reveal(game)
            if role == REVEAL
            else {
                "standing": [
                    {**standing_to_json(offer), "gain": own_payoff(view.own, seat, offer.proposal)}
                    for offer in view.standing
                ],
                "chart": chart(game.scenario, view),
            }
        )
    finally:
        # Held while it is looked at: a move on another thread would change it meanwhile.
        sessions.kept.keep(deal, game)
    return {
        "round": view.round,
        "to_move": view.to_move,
        "present": list(in_order(view.present)),
        "status": deal.status,
        "watchers": watchers_of(deal),
        **told,
    }


def watchers_of(deal: CoalitionDeal) -> list[dict[str, str]]:
    """Who saw the truth of this deal while it was on: by name, "" for who was not signed in, and who made the link."""
    if not deal.assisted:
        return []
    views = CoalitionLinkView.objects.filter(link__deal=deal).select_related("viewer", "link__created_by")
    return [
        {
            "by": view.viewer.get_full_name() if view.viewer else "",
            "maker": view.link.created_by.get_full_name(),
        }
        for view in views.order_by("at")
    ]


def table_now(deal_id: uuid.UUID, role: str) -> dict[str, Any] | None:
    """``table_of`` for an open socket; ``None`` where the words are gone, and a replay with them."""
    deal = CoalitionDeal.objects.filter(pk=deal_id).first()
    return table_of(deal, role) if deal is not None and deal.kept_debrief is None else None


def bootstrap_of(deal: CoalitionDeal, *, role: str | None = None, ws_url: str = "") -> dict[str, Any]:
    """What the page of a table starts from. The truth is never on a page; who may see it hears it over the socket."""
    scenario = coalition_scenarios()[deal.scenario]
    watching = role is not None
    open_cards = role == REVEAL
    return {
        "id": str(deal.id),
        "seat": None if watching else deal.seat,
        "player": deal.seat,
        "ws_url": ws_url or f"/ws/coalitions/{deal.id}/",
        "scenario": {
            "currency": scenario.currency,
            "low": scenario.low,
            "high": scenario.high,
            "step": scenario.step,
            "per_label": scenario.per_label,
            "horizon": scenario.horizon,
            "depot_cost": scenario.depot_cost,
        },
        "seats": seats_of(deal, scenario, watching=watching),
        "coalitions": [
            {"members": list(in_order(members)), "arrangement": arrangement_of(members)}
            for members in COALITIONS
        ],
        "frames": [] if open_cards else frames_after(deal, 0),
        "table": None if open_cards else table_of(deal),
    }


def seats_of(
    deal: CoalitionDeal, scenario: CoalitionScenario, *, watching: bool = False
) -> dict[str, dict[str, str]]:
    """Who sits where, in words; the player's own seat has no persona, and is "You" to the player alone."""
    person = (deal.player.get_full_name() or "The player") if watching else "You"
    seats: dict[str, dict[str, str]] = {}
    for seat in SEATS:
        spec = scenario.seats[seat]
        persona = deal.opponents.get(seat, "")
        name = personas()[persona].name if persona else person
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
