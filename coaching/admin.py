"""Links and their views in the admin: to read."""

from django.contrib import admin

from coaching.models import LinkView, SpectatorLink
from negotiation.admin import ReadOnlyAdmin


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
