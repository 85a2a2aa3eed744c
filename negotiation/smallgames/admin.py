"""Matches in the admin: to read, never to write."""

from __future__ import annotations

from django.contrib import admin

from negotiation.admin import ReadOnlyAdmin
from negotiation.smallgames.models import SmallMatch


@admin.register(SmallMatch)
class SmallMatchAdmin(ReadOnlyAdmin):
    """The seed stays hidden: with it anyone could compute the cards of a live match."""

    list_display = ("id", "player", "game", "opponent", "mode", "status", "paid", "given_away", "updated_at")
    list_filter = ("game", "mode", "status")
    exclude = ("seed",)
