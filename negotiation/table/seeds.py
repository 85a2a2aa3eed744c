"""The number from which all hidden truth of a table follows."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db.models import F

from negotiation.table.kinds import Kind
from negotiation.table.models import SeedsDrawn

_STRIDE = 0x1E3779B97F4A7C15
"""Odd and large: neighbouring tables get seeds that have nothing in common."""
_LINE = 1 << 40
_MOST = 1 << 62


def draw_seed(kind: Kind[Any]) -> int:
    """A seed nobody can guess; where the deployment asks for tables that repeat, the next of the kind's own row.

    No two tables get the same one, of whatever kind, though some be deleted meanwhile. Runs in the transaction that
    writes the table.
    """
    if settings.FIRST_SEED is None:
        return secrets.randbits(62)
    SeedsDrawn.objects.get_or_create(kind=kind.name)
    SeedsDrawn.objects.filter(kind=kind.name).update(count=F("count") + 1)
    return nth_seed(kind, int(settings.FIRST_SEED), SeedsDrawn.objects.get(kind=kind.name).count)


def nth_seed(kind: Kind[Any], first: int, number: int) -> int:
    """The seed of the table of this ``number``, from 1, where tables repeat from the seed ``first`` on."""
    return ((first + number) * _STRIDE + kind.seed_line * _LINE) % _MOST
