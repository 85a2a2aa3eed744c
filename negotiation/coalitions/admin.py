"""Deals for three in the admin: to read, never to write."""

from __future__ import annotations

from django.contrib import admin

from negotiation.admin import ReadOnlyAdmin
from negotiation.coalitions.models import CoalitionDeal


@admin.register(CoalitionDeal)
class CoalitionDealAdmin(ReadOnlyAdmin):
    """The seed stays hidden: with it anyone could compute a live deal's truth."""

    list_display = ("id", "player", "scenario", "seat", "status", "formed", "payoff", "shapley", "updated_at")
    list_filter = ("status", "seat")
    exclude = ("seed",)
