"""What the flywheel hears of: games that end, words that are deleted, consents that are given and taken back.

Each is acted on after the commit and never harms what it follows from. What is lost on the way, a sweep finds.
"""

from __future__ import annotations

from typing import Any

import structlog
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from kombu.exceptions import OperationalError

from accounts.models import Consent
from negotiation.kind import DEALS
from negotiation.models import Game
from negotiation.table.signals import table_ended, words_gone
from trainer.flywheel import withdrawal
from trainer.flywheel.tasks import harvest_game

log = structlog.get_logger(__name__)


def start() -> None:
    """Listen, once."""
    table_ended.connect(game_ended, sender=Game, dispatch_uid="harvest-game")
    words_gone.connect(words_deleted, sender=DEALS, dispatch_uid="harvest-redaction")
    post_save.connect(consent_changed, sender=Consent, dispatch_uid="harvest-consent")
    post_delete.connect(consent_changed, sender=Consent, dispatch_uid="harvest-consent-deleted")


def game_ended(sender: Any, table: Game, **_: Any) -> None:
    """A game that is over is looked at by the worker."""
    if table.status == Game.Status.FINISHED and not table.assisted:
        transaction.on_commit(lambda: _enqueue(str(table.pk)), robust=True)


def _enqueue(game_id: str) -> None:
    try:
        harvest_game.delay(game_id)
    except OperationalError:  # the sweep finds it when the broker is back
        log.exception("harvest_not_enqueued", game=game_id)


def words_deleted(sender: Any, table: Game, **_: Any) -> None:
    """Words that left the log leave the examples too."""
    transaction.on_commit(lambda: withdrawal.game_withdraw(game_id=table.pk), robust=True)


def consent_changed(sender: Any, instance: Consent, **_: Any) -> None:
    """A no takes back what a yes allowed."""
    user_id = instance.user_id
    transaction.on_commit(lambda: withdrawal.person_withdraw(user_id=user_id), robust=True)
