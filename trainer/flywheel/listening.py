"""What the flywheel hears of: games that end, words that are deleted, consents that are given and taken back.

Each is acted on after the commit and never harms what it follows from. What is lost on the way, a sweep finds.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save

from accounts.models import Consent
from negotiation.kind import DEALS
from negotiation.models import Game
from negotiation.table.signals import table_ended, words_gone
from owed import services as owed
from trainer.flywheel import withdrawal
from trainer.flywheel.tasks import harvest_game


def start() -> None:
    """Listen, once."""
    table_ended.connect(game_ended, sender=Game, dispatch_uid="harvest-game")
    words_gone.connect(words_deleted, sender=DEALS, dispatch_uid="harvest-redaction")
    post_save.connect(consent_changed, sender=Consent, dispatch_uid="harvest-consent")
    post_delete.connect(consent_changed, sender=Consent, dispatch_uid="harvest-consent-deleted")


def game_ended(sender: Any, table: Game, **_: Any) -> None:
    """A game that is over is looked at by the worker."""
    if table.status == Game.Status.FINISHED and not table.assisted:
        owed.send(harvest_game.delay, str(table.pk))


def words_deleted(sender: Any, table: Game, **_: Any) -> None:
    """Words that left the log leave the examples too."""
    transaction.on_commit(lambda: withdrawal.game_withdraw(game_id=table.pk), robust=True)


def consent_changed(sender: Any, instance: Consent, **_: Any) -> None:
    """A no takes back what a yes allowed."""
    user_id = instance.user_id
    transaction.on_commit(lambda: withdrawal.person_withdraw(user_id=user_id), robust=True)
