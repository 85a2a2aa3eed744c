"""Games and their logs in the admin: to read, never to write."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from negotiation.models import Event, Game
from negotiation.scenario_admin import AuthoredScenarioAdmin

__all__ = ["AuthoredScenarioAdmin", "EventAdmin", "GameAdmin", "ReadOnlyAdmin"]


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    """The seed stays hidden: with it anyone could compute a live game's truth."""

    list_display = (
        "id",
        "player",
        "scenario",
        "persona",
        "seat",
        "status",
        "turns",
        "efficiency",
        "assisted",
    )
    list_filter = ("status", "scenario", "persona", "assisted")
    search_fields = ("id", "player__email")
    date_hierarchy = "created_at"
    exclude = ("seed",)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """The log, row by row."""

    list_display = ("game_id", "seq", "type", "created_at")
    list_filter = ("type",)
    search_fields = ("game__id",)
