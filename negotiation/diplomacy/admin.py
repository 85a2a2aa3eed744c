"""Games of the board in the admin: to read, never to write."""

from __future__ import annotations

from django.contrib import admin

from negotiation.admin import ReadOnlyAdmin
from negotiation.diplomacy.models import BoardGame


@admin.register(BoardGame)
class BoardGameAdmin(ReadOnlyAdmin):
    """The seed stays hidden: with it anyone could compute what the bots mean to do."""

    list_display = ("id", "host", "phase", "years", "seconds", "status", "deadline", "updated_at")
    list_filter = ("status",)
    exclude = ("seed",)
