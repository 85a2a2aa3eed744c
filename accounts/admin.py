"""People and teams in the admin."""

from django.contrib import admin

from accounts.models import Membership, Team, User


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
