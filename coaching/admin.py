"""Links and their views in the admin: to read."""

from django.contrib import admin

from coaching.models import LinkView, SpectatorLink
from coaching.room.models import Attempt, PersonRating
from negotiation.admin import ReadOnlyAdmin
from negotiation.models import Redaction


@admin.register(SpectatorLink)
class SpectatorLinkAdmin(ReadOnlyAdmin):
    """Without the hash: nobody needs it."""

    list_display = ("game_id", "scope", "created_by", "created_at", "expires_at", "revoked_at")
    list_filter = ("scope",)
    exclude = ("token_hash",)


@admin.register(LinkView)
class LinkViewAdmin(ReadOnlyAdmin):
    """Who looked when."""

    list_display = ("link", "viewer", "kind", "at")


@admin.register(Redaction)
class RedactionAdmin(ReadOnlyAdmin):
    """Which logs lost their words, when and why: the audit of ADR 0007."""

    list_display = ("table_id", "reason", "by", "rows", "at")
    list_filter = ("reason",)


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    """Attempts and how they were judged."""

    list_display = ("assignment", "user", "number", "outcome", "late", "judged_at")
    list_filter = ("outcome", "late")


@admin.register(PersonRating)
class PersonRatingAdmin(ReadOnlyAdmin):
    """Ratings as they stand."""

    list_display = ("user", "pool", "rating", "deviation", "games", "rated_at")
    list_filter = ("pool",)
