"""Writes of the deals between two people. Nobody has to find an answer, so a move is one transaction."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from accounts.models import Team, User
from accounts.selectors import team_of
from negotiation import catalogue
from negotiation.engine.deal import Action
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.issues import Terms
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.messages import ActData, action_of
from negotiation.pairs import record, sessions
from negotiation.pairs.ending import clear
from negotiation.pairs.hearing import heard
from negotiation.pairs.kind import PAIRS
from negotiation.pairs.models import PairDeal, PairEvent, PairLink
from negotiation.pairs.record import SEATS
from negotiation.pairs.selectors import name_of, seat_of
from negotiation.reading import Clarify, question_before
from negotiation.record import bound
from negotiation.table import links
from negotiation.table.errors import MoveRefused
from negotiation.table.forgetting import house_days
from negotiation.table.log import append, locked, seq_of
from negotiation.table.seeds import draw_seed
from negotiation.table.signals import table_ended

INVITED_FOR = timedelta(days=7)
PACES = {15: "15 minutes", 24 * 60: "a day", 3 * 24 * 60: "three days"}
"""How long each may take for a move, in minutes, with the words for it."""


def pair_open(
    *,
    opener: User,
    scenario: str,
    seat: str,
    move_within: int = 24 * 60,
    seed: int | None = None,
) -> tuple[PairDeal, str]:
    """Lay a table for two people and sit down at it; the token of the invitation is given out this once."""
    listed = catalogue.find(scenario)
    if listed is None:
        raise MoveRefused("unknown_scenario", "There is no such scenario.", "scenario")
    if seat not in SEATS:
        raise MoveRefused("unknown_seat", "A seat is seller or buyer.", "seat")
    if move_within not in PACES:
        raise MoveRefused("unknown_pace", "There is no such pace.", "move_within")
    scenario_text, case_text = (catalogue.keep(text) for text in catalogue.texts_for_new(listed))
    drawn = draw_seed(PAIRS) if seed is None else seed
    deal = PairDeal(
        opener=opener,
        scenario=scenario,
        scenario_version=listed.version,
        scenario_text=scenario_text,
        case_text=case_text,
        horizon=listed.scenario.horizon,
        seed=drawn,
        opens=SEATS[int(np.random.default_rng(drawn).integers(len(SEATS)))],
        move_within=move_within,
        **{seat: opener, f"{seat}_team": team_of(opener)},
    )
    with transaction.atomic():
        deal.save(force_insert=True)
        token = _invite(deal)
    return deal, token


def _invite(deal: PairDeal) -> str:
    free: Seat = "buyer" if deal.seller_id else "seller"
    _link, token = links.link_create(
        PairLink,
        created_by=deal.opener,
        lifetime=INVITED_FOR,
        deal=deal,
        scope=PairLink.Scope.SIT,
        seat=free,
    )
    return token


@transaction.atomic
def invitation_renew(*, deal_id: uuid.UUID, opener: User) -> str:
    """A new invitation in place of the last, which opens no more. The token is given out this once."""
    deal = _waiting(deal_id, opener)
    links.links_revoke(PairLink.objects.filter(deal=deal, scope=PairLink.Scope.SIT))
    return _invite(deal)


@transaction.atomic
def pair_withdraw(*, deal_id: uuid.UUID, opener: User) -> None:
    """Nobody has come: the table is cleared."""
    clear(_waiting(deal_id, opener))


def _waiting(deal_id: uuid.UUID, opener: User) -> PairDeal:
    deal = locked(PairDeal, deal_id, opener=opener)
    if deal is None:
        raise MoveRefused("no_such_game", "This deal is not yours.")
    if deal.status != PairDeal.Status.WAITING:
        raise MoveRefused("not_waiting", "Somebody has sat down at this table already, or it was cleared.")
    return deal


@transaction.atomic
def pair_join(*, link: PairLink, user: User) -> PairDeal:
    """Take the seat that an invitation leads to. It opens once: who comes second is refused.

    Raises:
        LinkRefused: where somebody was faster, it was withdrawn meanwhile, or it is one's own.
    """
    deal = locked(PairDeal, link.deal_id)
    now = timezone.now()
    taken = PairLink.objects.filter(pk=link.pk, revoked_at=None, taken_by=None, expires_at__gt=now)
    if deal is None or deal.status != PairDeal.Status.WAITING:
        raise links.LinkRefused("taken" if link.taken_by_id or (deal and deal.is_live) else "revoked")
    if seat_of(deal, user) is not None:
        raise links.LinkRefused("own_invitation")
    if taken.update(taken_by=user, revoked_at=now) != 1:
        raise links.LinkRefused("revoked")
    setattr(deal, link.seat, user)
    setattr(deal, f"{link.seat}_team", team_of(user))
    deal.team = _stricter(deal.seller_team, deal.buyer_team)
    table = sessions.start(deal)
    deal.status = PairDeal.Status.LIVE
    _hand_over(deal, table, now)
    names = {seat: name_of(deal, seat) for seat in SEATS}
    append(PairEvent, deal, record.started(table, names, _move_by(deal, now)))
    deal.save()
    transaction.on_commit(lambda: sessions.kept.keep(deal, table))
    return deal


def _stricter(one: Team | None, other: Team | None) -> Team | None:
    """Of two teams the one that keeps words for the shorter time; ``None`` stands for the house's own time."""

    def days(team: Team | None) -> int:
        return house_days() if team is None or team.retention_days is None else team.retention_days

    return one if days(one) <= days(other) else other


def turn_columns(deal: PairDeal, table: PairTable, now: datetime) -> dict[str, Any]:
    """The row's columns that say who is to move, and until when."""
    return {
        "moves": table.moves,
        "turn": min(table.turn, deal.horizon),
        "on_turn": table.on_turn or "",
        "move_by": _move_by(deal, now) if table.on_turn else None,
    }


def _move_by(deal: PairDeal, now: datetime) -> datetime:
    return now + timedelta(minutes=deal.move_within)


def _hand_over(deal: PairDeal, table: PairTable, now: datetime) -> None:
    for name, value in turn_columns(deal, table, now).items():
        setattr(deal, name, value)


@dataclass(frozen=True, slots=True)
class Submitted:
    """The move is in the log at ``seq``. ``repeated`` when it already was: a retry after a lost ack."""

    seq: int
    repeated: bool


@transaction.atomic
def pair_act(
    *,
    deal_id: uuid.UUID,
    player: User,
    action_id: uuid.UUID,
    act: ActData | None = None,
    action: Action | None = None,
    seen: tuple[float | None, Terms | None] = (None, None),
    after: int | None = None,
) -> Submitted | Clarify:
    """Bind a move of somebody who is on turn, or ask what it means. A refusal changes nothing.

    Args:
        act: what was written, to be asked about where it is not clear; or else
        action: an acceptance or a walking away, which is clear.
        seen: the price and the terms that an acceptance is of; no others are taken.
        after: how many moves its maker had seen: one that was written before the other side's last is not taken for an
            answer to it.
    """
    deal = locked(PairDeal, deal_id)
    seat = None if deal is None else seat_of(deal, player)
    if deal is None or seat is None:
        raise MoveRefused("no_such_game", "This deal is not yours to play.")
    written = seq_of(PairEvent, deal.pk, action_id)
    if written is not None:
        return Submitted(written, repeated=True)
    if not deal.is_live:
        raise MoveRefused("game_over", "This deal is not on.")
    table = sessions.kept.take(deal)
    try:
        move = action_of(act) if act is not None else action or Action()
        table.check(seat, move)
        if after is not None and after != table.moves:
            raise MoveRefused(
                "table_moved", "The other side has moved since. Look again; your words are kept."
            )
        if move.accept:
            _refuse_other_offer(table, seat, *seen)
        view = table.observe(seat)
        move = bound(heard(move, table, seat), view)
        question = question_before(act, scenario=table.scenario, view=view) if act is not None else None
    except (ActionRefused, MoveRefused):
        sessions.kept.keep(deal, table)
        raise
    if question is not None:
        sessions.kept.keep(deal, table)
        return question
    now = timezone.now()
    rows = list(record.played(table, seat, move, str(action_id), _move_by(deal, now)))
    _hand_over(deal, table, now)
    _close_if_over(deal, table)
    append(PairEvent, deal, rows, action_id=action_id)
    seq = deal.last_seq - len(rows) + 1
    deal.save()
    if table.end is None:
        transaction.on_commit(lambda: sessions.kept.keep(deal, table))
    else:
        table_ended.send(PairDeal, table=deal)
    return Submitted(seq, repeated=False)


def _refuse_other_offer(table: PairTable, seat: Seat, price: float | None, terms: Terms | None) -> None:
    view = table.observe(seat)
    if price != view.standing_offer or (terms is not None and terms != view.standing_terms):
        raise MoveRefused("offer_changed", "The offer on the table is another one now. Look again.", "accept")


def _close_if_over(deal: PairDeal, table: PairTable) -> None:
    end = table.end
    if end is None:
        return
    deal.status = PairDeal.Status.FINISHED
    deal.finished_at = timezone.now()
    deal.outcome_reason = end.reason
    deal.ended_by = end.by or ""
    deal.price = end.price


@transaction.atomic
def cards_open(*, deal_id: uuid.UUID, player: User) -> bool:
    """After the end: agree to lay one's cards open. Once both have, both see both. True when they lie open now."""
    deal = locked(PairDeal, deal_id)
    seat = None if deal is None else seat_of(deal, player)
    if deal is None or seat is None:
        raise MoveRefused("no_such_game", "This deal is not yours.")
    if deal.status not in (PairDeal.Status.FINISHED, PairDeal.Status.ABANDONED):
        raise MoveRefused("not_over_yet", "Cards are laid open when the deal is over.")
    rows = PairEvent.objects.filter(deal=deal)
    agreed = set(rows.filter(type="opened").values_list("data__seat", flat=True))
    if seat in agreed:
        return OTHER_SEAT[seat] in agreed
    added: list[tuple[str, Any]] = [("opened", {"seat": seat})]
    if OTHER_SEAT[seat] in agreed:
        sealed = rows.get(type="ended").data["sealed"]
        added.append(("revealed", {"sealed": sealed}))
    append(PairEvent, deal, added)
    deal.save()
    return len(added) > 1
