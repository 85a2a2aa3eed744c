"""Reads of deals between two people: whose they are, what a seat sees, who may look at whose side."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, cast

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.selectors import leads_team, teams_led_by
from negotiation import catalogue
from negotiation.engine.deal.scenario_file import ScenarioError
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.events import Frame, Snapshot, fold
from negotiation.pairs.events import WATCHES, redact
from negotiation.pairs.models import PairDeal, PairEvent, PairLink, PairLinkView
from negotiation.pairs.record import SEATS
from negotiation.pairs.sessions import scenario_of
from negotiation.public import case_sheet
from negotiation.selectors import money_frame
from negotiation.table import log
from negotiation.table.links import LinkRefused, hash_of, link_of

OVER = (PairDeal.Status.FINISHED, PairDeal.Status.ABANDONED)


def seat_of(deal: PairDeal, user: User | None) -> Seat | None:
    """Where somebody sits, if they do."""
    if user is None:
        return None
    return next((seat for seat in SEATS if getattr(deal, f"{seat}_id") == user.pk), None)


def deals_played_by(user: User) -> QuerySet[PairDeal]:
    """The deals at which somebody sits or sat."""
    return PairDeal.objects.filter(Q(seller=user) | Q(buyer=user))


def deal_of_player(deal_id: uuid.UUID, user: User) -> PairDeal | None:
    """The deal, if this very person sits there."""
    related = ("seller", "buyer", "scenario_version")
    return deals_played_by(user).select_related(*related).filter(pk=deal_id).first()


def name_of(deal: PairDeal, seat: Seat) -> str:
    """Who sits there; empty while nobody does."""
    person: User | None = getattr(deal, seat)
    return person.get_full_name() if person is not None else ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a deal, as somebody may look at it. ``own`` where it is their own."""

    deal: PairDeal
    seat: Seat
    own: bool


def sides_of(deal_id: uuid.UUID, user: User) -> list[Side]:
    """The sides of a deal that somebody may look at: their own; who leads a team, those that were played for it.

    Who plays at the table sees no other side, whatever they lead.
    """
    related = ("seller", "buyer", "scenario_version")
    deal = PairDeal.objects.select_related(*related).filter(pk=deal_id).first()
    if deal is None:
        return []
    own = seat_of(deal, user)
    if own is not None:
        return [Side(deal, own, own=True)]
    led = [seat for seat in SEATS if leads_team(user, getattr(deal, f"{seat}_team_id"))]
    return [Side(deal, seat, own=False) for seat in led if deal.status != PairDeal.Status.WAITING]


# -- the log ---------------------------------------------------------------------------------------


def frames_after(deal_id: uuid.UUID, seq: int, role: str) -> list[Frame]:
    """The events past ``seq`` as ``role`` may see them."""
    rows = log.after(PairEvent, deal_id, seq)
    return cast("list[Frame]", [redact(seq=row.seq, kind=row.type, data=row.data, role=role) for row in rows])


def snapshot_of(deal_id: uuid.UUID, role: str) -> Snapshot:
    """The whole deal as ``role`` may see it."""
    return fold(frames_after(deal_id, 0, role))


def bootstrap_of(deal: PairDeal, *, role: Seat, ws_url: str) -> dict[str, Any]:
    """What a player's page starts from, before its socket is open."""
    case = catalogue.case_on_texts(deal.case_text_id, deal.scenario_text_id)
    width = scenario_of(deal).nominal_width
    return {
        **_bootstrap(deal, role, role, ws_url, snapshot_of(deal.pk, role)),
        "case": case and {**case_sheet(case, role), "width": width},
    }


def watch_bootstrap_of(deal: PairDeal, *, role: str, ws_url: str, open_sheet: bool) -> dict[str, Any]:
    """What the page of who looks on starts from.

    A page that will show a sheet starts from the set-up alone, as who sees no sheet may have it: whatever fetches the
    address without opening the socket, such as a preview in a chat, gets nothing to show.
    """
    seat: Seat = "seller" if role.endswith("seller") else "buyer"
    frames = frames_after(deal.pk, 0, f"{WATCHES}{seat}")
    if open_sheet:
        snapshot = fold([frame for frame in frames if frame.get("type") == "game_started"])
        snapshot["last_seq"] = 0
    else:
        snapshot = fold(frames)
    if snapshot["game"] is not None:
        snapshot["game"]["player_name"] = name_of(deal, seat)
    return {**_bootstrap(deal, "watcher", seat, ws_url, snapshot), "case": None}


def _bootstrap(deal: PairDeal, role: str, seat: Seat, ws_url: str, snapshot: Snapshot) -> dict[str, Any]:
    return {
        "game_id": str(deal.pk),
        "ws_url": ws_url,
        "role": role,
        "snapshot": snapshot,
        "last_seq": snapshot["last_seq"],
        "head": deal.last_seq,
        "status": deal.status,
        "scenario": money_frame(scenario_of(deal)),
        "persona": {"id": "", "name": name_of(deal, OTHER_SEAT[seat])},
        "cards": [],
    }


def cards_shown(deal: PairDeal) -> tuple[set[Seat], dict[str, Any] | None]:
    """Who has agreed to lay the cards open, and what both see once both have."""
    rows = PairEvent.objects.filter(deal=deal, type__in=("opened", "revealed")).order_by("seq")
    agreed: set[Seat] = set()
    sealed = None
    for kind, data in rows.values_list("type", "data"):
        if kind == "opened":
            agreed.add(data["seat"])
        else:
            sealed = data["sealed"]
    return agreed, sealed


# -- links -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """A link that opens, and as whom one sees through it."""

    link: PairLink
    role: str

    @property
    def reveals(self) -> bool:
        """Whether it shows the sheet of somebody whose deal is on."""
        return not self.role.startswith(WATCHES) and self.link.deal.is_live


def invitation(token: str) -> PairLink:
    """The invitation that a token opens, or ``LinkRefused``."""
    link = PairLink.objects.filter(token_hash=hash_of(token), scope=PairLink.Scope.SIT).first()
    if link is not None and link.taken_by_id is not None:
        raise LinkRefused("taken")
    found = link_of(PairLink, token, "deal__seller", "deal__buyer", "deal__scenario_version")
    if found.scope != PairLink.Scope.SIT:
        raise LinkRefused("unknown")
    return found


def taken_by(token: str, user: User | None) -> PairDeal | None:
    """The deal whose seat this very person took by this invitation: who comes by it again goes to the table."""
    if user is None:
        return None
    link = PairLink.objects.filter(token_hash=hash_of(token), taken_by=user).select_related("deal").first()
    return link.deal if link is not None else None


def link_opened(token: str, viewer: User | None) -> Opened:
    """The link that a token opens for this viewer now, or ``LinkRefused``. Nobody sees a table that they sit at through
    the eyes of somebody who looks on: it would be the other side's, or a mark on one's own."""
    link = link_of(PairLink, token, "deal__seller", "deal__buyer", "deal__scenario_version")
    if link.scope == PairLink.Scope.SIT:
        raise LinkRefused("unknown")
    deal = link.deal
    if hasattr(deal, "redaction"):
        raise LinkRefused("forgotten")
    if link.scope == PairLink.Scope.WATCH:
        return Opened(link, f"{WATCHES}{link.seat}")
    if seat_of(deal, viewer) is not None:
        raise LinkRefused("at_your_table")
    return Opened(link, link.seat)


def watchers_of(deal: PairDeal, seat: Seat) -> list[dict[str, str]]:
    """Who saw a seat's own sheet while the deal was on: by name, "" for who was not signed in, and who made the link.
    For that seat's eyes."""
    views = PairLinkView.objects.filter(link__deal=deal, link__seat=seat)
    return [
        {
            "by": view.viewer.get_full_name() if view.viewer else "",
            "maker": view.link.created_by.get_full_name(),
        }
        for view in views.select_related("viewer", "link__created_by").order_by("at")
    ]


# -- lists -----------------------------------------------------------------------------------------


class PairRow(TypedDict):
    """One line of a lobby."""

    id: str
    title: str
    seat: Seat
    other: str
    status: str
    turn: int
    horizon: int
    yours: bool
    price: float | None
    currency: str
    reason: str
    move_by: datetime | None
    updated_at: datetime


def deals_of(user: User, *statuses: str, limit: int = 20) -> list[PairRow]:
    """Somebody's own deals with people, latest first."""
    found = deals_played_by(user).filter(status__in=statuses).order_by("-updated_at")
    return [_row(deal, seat_of(deal, user) or "seller") for deal in _joined(found)[:limit]]


class TeamRow(TypedDict):
    """A side of a deal that was played for a team that somebody leads."""

    id: str
    title: str
    seat: Seat
    player: str
    live: bool
    turn: int


def team_sides(user: User, *, limit: int = 20) -> list[TeamRow]:
    """Sides that others play, or have played, for the teams that somebody leads, latest first."""
    led = teams_led_by(user)
    found = PairDeal.objects.filter(Q(seller_team__in=led) | Q(buyer_team__in=led))
    found = found.filter(status__in=(PairDeal.Status.LIVE, *OVER)).exclude(Q(seller=user) | Q(buyer=user))
    ids = set(led.values_list("pk", flat=True))
    return [
        {
            "id": str(deal.pk),
            "title": title_of(deal),
            "seat": seat,
            "player": name_of(deal, seat),
            "live": deal.is_live,
            "turn": deal.turn,
        }
        for deal in _joined(found.order_by("-updated_at"))[:limit]
        for seat in SEATS
        if getattr(deal, f"{seat}_team_id") in ids
    ]


def _joined(deals: QuerySet[PairDeal]) -> QuerySet[PairDeal]:
    return deals.select_related("seller", "buyer", "scenario_version")


def title_of(deal: PairDeal) -> str:
    """The scenario's title; its id where this release can't read it any more."""
    try:
        return scenario_of(deal).title
    except (KeyError, ScenarioError):
        return deal.scenario


def _row(deal: PairDeal, seat: Seat) -> PairRow:
    try:
        currency = scenario_of(deal).currency
    except (KeyError, ScenarioError):
        currency = "$"
    return {
        "id": str(deal.pk),
        "title": title_of(deal),
        "seat": seat,
        "other": name_of(deal, OTHER_SEAT[seat]),
        "status": deal.status,
        "turn": deal.turn,
        "horizon": deal.horizon,
        "yours": deal.on_turn == seat,
        "price": deal.price,
        "currency": currency,
        "reason": deal.outcome_reason,
        "move_by": deal.move_by,
        "updated_at": deal.updated_at,
    }
