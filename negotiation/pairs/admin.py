"""Deals between two people in the admin: to read, never to write."""

from __future__ import annotations

from django.contrib import admin

from negotiation.admin import ReadOnlyAdmin
from negotiation.pairs.models import PairDeal


@admin.register(PairDeal)
class PairDealAdmin(ReadOnlyAdmin):
    """The seed stays hidden: with it anyone could compute both sides' truth."""

    list_display = ("id", "seller", "buyer", "scenario", "status", "turn", "price", "updated_at")
    list_filter = ("status",)
    exclude = ("seed",)
