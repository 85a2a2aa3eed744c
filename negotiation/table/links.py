"""Secret links onto tables: made, opened, withdrawn. What a link shows is its kind's to say.

A token is given out once; only its hash is kept. Whoever tries many links that don't exist is told to wait.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal, TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from negotiation.table import attempts
from negotiation.table.models import LinkRow
from negotiation.table.pings import announce_access

L = TypeVar("L", bound=LinkRow)
T = TypeVar("T")

Refusal = Literal[
    "unknown",
    "expired",
    "revoked",
    "taken",
    "own_invitation",
    "at_your_table",
    "forgotten",
    "own_live_game",
    "not_over_yet",
    "too_many_attempts",
]

REFUSALS: dict[Refusal, str] = {
    "unknown": "This link does not exist. Check that it was copied whole.",
    "expired": "This link has expired. Ask for a new one.",
    "revoked": "This link was withdrawn. Ask for a new one.",
    "taken": "This link was used: somebody has taken the seat. It opens once only.",
    "own_invitation": "This is your own invitation. Send the link to whoever is to sit across.",
    "at_your_table": "This link is for somebody who looks on. You sit at this table yourself.",
    "forgotten": "What was said at this table is gone.",
    "own_live_game": "This link shows the hidden truth of a game that you are playing right now. "
    "It opens for you once the game is over.",
    "not_over_yet": "This link opens when the deal is over.",
    "too_many_attempts": "Too many links that don't exist. Wait ten minutes.",
}


class LinkRefused(Exception):
    """This link does not open, now or for this person."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason
        self.message = REFUSALS[reason]


def hash_of(token: str) -> str:
    """What is stored of a token. It is 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def link_create(links: type[L], *, created_by: User, lifetime: timedelta, **columns: Any) -> tuple[L, str]:
    """A new link and its token, which is given out this once.

    Args:
        columns: the table, and whatever else the kind adds.
    """
    token = secrets.token_urlsafe(32)
    expires_at = timezone.now() + lifetime
    link = links.objects.create(
        token_hash=hash_of(token), created_by=created_by, expires_at=expires_at, **columns
    )
    return link, token


def link_of(links: type[L], token: str, *related: str) -> L:
    """The link that a token opens now, with its maker and its table, or ``LinkRefused``."""
    found = links.objects.select_related(links.OF, "created_by", *related)
    link = found.filter(token_hash=hash_of(token)).first()
    if link is None:
        raise LinkRefused("unknown")
    if link.revoked_at is not None:
        raise LinkRefused("revoked")
    if link.expires_at <= timezone.now():
        raise LinkRefused("expired")
    return link


def links_revoke(links: QuerySet[L]) -> int:
    """Withdraw links; whoever watches through one is shown out once the transaction commits. How many were open."""
    valid = links.filter(revoked_at=None)
    tables = set(valid.values_list(f"{links.model.OF}_id", flat=True))
    gone = valid.update(revoked_at=timezone.now())
    for table_id in tables:
        announce_access(table_id)
    return gone


def guarded(address: str, opens: Callable[[], T]) -> T:
    """What ``opens`` finds. An address that tries too many links that don't exist is told to wait; a link that exists opens
    for everybody behind the same address all the same, since 256 random bits keep it, not the counting."""
    try:
        return opens()
    except LinkRefused as refused:
        if refused.reason != "unknown":
            raise
        if attempts.too_many(address):
            raise LinkRefused("too_many_attempts") from None
        attempts.note_miss(address)
        raise
