"""Writes of the tables for three. The personas answer at once, so a turn is one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Team, User
from negotiation.coalitions import sessions
from negotiation.coalitions.events import EventType
from negotiation.coalitions.kind import COALITIONS
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.engine.coalition import SEATS, Action, CoalitionGame, Entry, Seat, coalition_scenarios
from negotiation.engine.coalition.wire import entry_to_json, outcome_to_json
from negotiation.engine.deal import ActionRefused, personas
from negotiation.table.errors import MoveRefused
from negotiation.table.log import append, locked, seq_of
from negotiation.table.seeds import draw_seed
from negotiation.table.signals import table_ended

Row = tuple[EventType, dict[str, Any]]


def deal_create(
    *,
    player: User,
    scenario: str,
    seat: str,
    opponents: Mapping[str, str],
    team: Team | None = None,
    seed: int | None = None,
) -> CoalitionDeal:
    """Sit down at a table for three; those who sit before the player have had their first turn."""
    if scenario not in coalition_scenarios():
        raise MoveRefused("unknown_scenario", "There is no such scenario.", "scenario")
    own = next((one for one in SEATS if one == seat), None)
    if own is None:
        raise MoveRefused("unknown_seat", "There is no such seat.", "seat")
    others = {other: opponents.get(other, "") for other in SEATS if other != seat}
    if not set(others.values()) <= set(personas()):
        raise MoveRefused("unknown_persona", "There is no such persona.", "opponents")
    if len(set(others.values())) < len(others):
        raise MoveRefused("same_persona", "One person cannot sit in two seats. Choose two.", "opponents")
    deal = CoalitionDeal(
        player=player,
        team=team,
        scenario=scenario,
        seat=seat,
        opponents=others,
        seed=draw_seed(COALITIONS) if seed is None else seed,
    )
    game = sessions.start(deal)
    view = game.observe(own)
    started = {
        "scenario": scenario,
        "seat": seat,
        "opponents": others,
        "horizon": view.horizon,
        "player_name": player.get_full_name(),
        "own": asdict(view.own),
    }
    with transaction.atomic():
        deal.save(force_insert=True)
        append(CoalitionEvent, deal, [("started", started), *acted(game.table.entries)])
        deal.round = view.round
        deal.save()
    sessions.kept.keep(deal, game)
    return deal


@transaction.atomic
def deal_act(*, deal_id: uuid.UUID, player: User, action_id: uuid.UUID, action: Action) -> CoalitionDeal:
    """Take the player's turn and those of the personas after it. A repeated ``action_id`` changes nothing."""
    deal = locked(CoalitionDeal, deal_id, player=player)
    if deal is None:
        raise MoveRefused("no_such_game", "This deal is not yours to play.")
    if seq_of(CoalitionEvent, deal.pk, action_id) is not None:
        return deal
    if not deal.is_live:
        raise MoveRefused("game_over", "This deal is over.")
    game = sessions.kept.take(deal)
    seat: Seat = deal.seat  # type: ignore[assignment]
    try:
        game.check(seat, action)
    except ActionRefused:
        sessions.kept.keep(deal, game)
        raise
    entries = game.step(seat, action)
    deal.moves += 1
    deal.round = game.observe(seat).round
    ended = _ended(deal, game)
    append(CoalitionEvent, deal, [*acted(entries), *ended], action_id=action_id)
    deal.save()
    if ended:
        table_ended.send(CoalitionDeal, table=deal)
    else:
        transaction.on_commit(lambda: sessions.kept.keep(deal, game))
    return deal


def _ended(deal: CoalitionDeal, game: CoalitionGame) -> list[Row]:
    """What the log says of the end, if this is it; the deal's own columns are set."""
    outcome = game.outcome
    if outcome is None:
        return []
    seat: Seat = deal.seat  # type: ignore[assignment]
    data = outcome_to_json(outcome)
    deal.status = CoalitionDeal.Status.FINISHED
    deal.finished_at = timezone.now()
    deal.formed = "+".join(data["agreement"]["members"]) if data["agreement"] else ""
    deal.payoff = outcome.payoffs[seat]
    deal.shapley = outcome.shapley[seat]
    return [("ended", {"outcome": data})]


def acted(entries: Iterable[Entry]) -> list[Row]:
    """Turns as rows of the log."""
    return [("acted", entry_to_json(entry)) for entry in entries]
