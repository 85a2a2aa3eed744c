"""Asking how the champion would have played, and working it out, off the path of every request.

The champion reads the table as the player's seat sees it, with the player's own limit and nothing of the other side's;
it meets the same persona with the same luck. What it says goes through the same guard as at any table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from coaching.cases.services import played_again
from coaching.champion.models import ChampionReplay
from negotiation import seating
from negotiation.engine.deal import Action, ActionRefused, Negotiation
from negotiation.engine.personas import USUAL
from negotiation.models import Game
from negotiation.opponents.guest import Guest
from negotiation.serving.selectors import champion
from negotiation.table.errors import LogDiverged

if TYPE_CHECKING:
    from negotiation.opponents import Account

log = structlog.get_logger(__name__)

STALLED = timedelta(minutes=3)
"""A replay that has not moved for so long has lost its worker."""
CHARACTER = USUAL
"""In whose words the champion's decisions are said where its own words may not be."""
Status = ChampionReplay.Status


def replay_request(*, game: Game) -> ChampionReplay | None:
    """Have the worker let the present champion play this deal. What is known already is not worked out again.

    Returns:
        The replay; without a champion or a server the latest that was ever worked out, else ``None``.
    """
    playing = champion() if settings.MODEL_URL else None
    if playing is None:
        known = ChampionReplay.objects.filter(game=game, status=Status.DONE)
        return known.order_by("-updated_at").first()
    noted = {"title": playing.title, "certificate": playing.certificate}
    asked, new = ChampionReplay.objects.get_or_create(game=game, model=playing.name, defaults=noted)
    row = ChampionReplay.objects.filter(pk=asked.pk)
    late = timezone.now() - STALLED
    again = asked.status == Status.AWAY or (
        asked.status in (Status.WAITING, Status.RUNNING) and asked.updated_at < late
    )
    if again:
        row.update(status=Status.WAITING, updated_at=timezone.now())
        asked.refresh_from_db()
    if new or again:
        transaction.on_commit(lambda: _enqueue(asked.pk), robust=True)
    return asked


def _enqueue(replay_id: int) -> None:
    # The task's module imports these services.
    from coaching.champion.tasks import replay_champion

    try:
        replay_champion.delay(replay_id)
    except OperationalError:  # the next look at the debrief asks again
        log.exception("champion_not_enqueued", replay=replay_id)


def replay_run(*, replay_id: int) -> bool:
    """Play the deal and keep what came of it. False when somebody else has it, or nobody can."""
    row = ChampionReplay.objects.filter(pk=replay_id)
    if not settings.MODEL_URL or not row.filter(status=Status.WAITING).update(
        status=Status.RUNNING, updated_at=timezone.now()
    ):
        return False
    found = row.select_related("game").get()
    accounts: list[Account] = []
    try:
        case = played_again(found.game, lambda table: _moves(table, found.model, accounts))
    except (LogDiverged, ActionRefused):
        row.update(status=Status.FAILED, updated_at=timezone.now())
        return False
    except Exception:
        row.update(status=Status.FAILED, updated_at=timezone.now())
        raise
    stood_in = sum(account.stand_in for account in accounts)
    if stood_in == len(accounts):
        row.update(status=Status.AWAY, updated_at=timezone.now())
        return False
    row.update(status=Status.DONE, data=case, stand_ins=stood_in, updated_at=timezone.now())
    return True


def _moves(table: Negotiation, model: str, accounts: list[Account]) -> Iterator[tuple[int, Action]]:
    """The model's moves from the player's chair, over a connection of its own that ends with them."""
    from negotiation.opponents.negotiator import NegotiatorOpponent

    client = seating.new_client()
    guest = Guest(NegotiatorOpponent(client, model, settings.MODEL_STYLE), CHARACTER, table)
    with asyncio.Runner() as runner:
        try:
            while not table.done:
                turn = table.turn
                action, account = runner.run(guest.act())
                if account is not None:
                    accounts.append(account)
                yield turn, action
        finally:
            runner.run(client.close())


def champion_shown(game: Game) -> dict[str, Any]:
    """What the debrief's page needs of it."""
    replay = replay_request(game=game)
    return {"replay": replay, "case": replay.data if replay and replay.status == Status.DONE else None}
