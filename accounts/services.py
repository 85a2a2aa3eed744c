"""Writes of people and teams."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from accounts.consent import CURRENT
from accounts.models import Consent, Membership, Team, User


@transaction.atomic
def user_create(*, email: str, password: str | None, display_name: str = "", is_staff: bool = False) -> User:
    """A user who logs in by email."""
    return User.objects.create_user(
        email, password, display_name=display_name, is_staff=is_staff, is_superuser=is_staff
    )


def guest_create() -> User:
    """Someone who tries a deal without signing up: no password, no team, an address that can't exist."""
    handle = secrets.token_hex(8)
    return User.objects.create_user(
        f"guest-{handle}@guest.invalid", None, display_name="Guest", is_guest=True
    )


@transaction.atomic
def membership_set(*, user: User, team: Team, role: str) -> Membership:
    """Put a person into a team, or change the role there."""
    membership, _ = Membership.objects.update_or_create(user=user, team=team, defaults={"role": role})
    membership.full_clean()
    return membership


def guest_keep(*, guest: User, email: str, password: str) -> User:
    """A guest becomes an account: the same user, and so the same deals, now with a login."""
    guest.email = email
    guest.display_name = ""
    guest.is_guest = False
    guest.kept_at = timezone.now()
    guest.set_password(password)
    guest.save()
    return guest


def consent_give(*, user: User, granted: bool) -> Consent:
    """Write down a yes or a no to the present wording. Earlier answers stay on record."""
    return Consent.objects.create(user=user, granted=granted, wording=CURRENT)


def visibility_set(*, user: User, visibility: str) -> None:
    """Who sees this person's figures on a leaderboard."""
    user.visibility = User.Visibility(visibility)
    user.save(update_fields=["visibility"])
