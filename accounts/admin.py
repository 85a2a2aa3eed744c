"""People and teams in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import Consent, Membership, Team, User

# Nobody looks after somebody else's second factor in the browser: its keys would be there to read.
admin.site.unregister([StaticDevice, TOTPDevice])


class MembershipInline(admin.TabularInline):
    """Who is what in a team."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user", "team")


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """Passwords are changed through the account pages, never shown here."""

    list_display = ("email", "display_name", "is_guest", "is_staff", "is_active", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active")
    search_fields = ("email", "display_name")
    ordering = ("email",)
    exclude = ("password",)
    filter_horizontal = ("groups", "user_permissions")
    readonly_fields = ("last_login", "date_joined")
    inlines = (MembershipInline,)


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):
    """Teams and their members."""

    list_display = ("name", "created_at")
    search_fields = ("name",)
    inlines = (MembershipInline,)


@admin.register(Consent)
class ConsentAdmin(admin.ModelAdmin):
    """Who said what to training use, and when: to read."""

    list_display = ("user", "granted", "wording", "at")
    list_filter = ("granted", "wording")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody answers for somebody else."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Consent | None = None) -> bool:
        """An answer is never changed, only followed by another."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Consent | None = None) -> bool:
        """It goes with its account."""
        return False
