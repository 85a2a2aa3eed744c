"""What coaching keeps of people's words beside the log goes with them."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from accounts.models import User
from coaching.cases.models import CaseNote
from coaching.live import services as live
from coaching.room.models import CheckResult
from negotiation.models import Game


def deal_words_gone(sender: Any, table: Any, **_: Any) -> None:
    """The words of a deal are gone: so are notes on it beside another, and the words of comments and verdicts."""
    if isinstance(table, Game):
        CaseNote.objects.filter(Q(game=table) | Q(other=table)).delete()
        live.words_forget(game=table)


def notes_forget(*, author: User) -> None:
    """Ticks, comments and verdicts of a person who leaves stay with the deals that they are about, without a name."""
    CheckResult.objects.filter(by=author).update(by=None)
    live.author_forget(author=author)
