"""Deleting an account: the person goes, the figures of their games stay without a name."""

from __future__ import annotations

import secrets

import structlog
from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts import second_factor
from accounts.models import LEADING_ROLES, Invitation, Membership, Team, User
from coaching.models import SpectatorLink
from coaching.room.models import Attempt, PersonRating
from coaching.room.redaction import notes_forget
from coaching.services import link_revoke
from coaching.skills.services import practice_forget
from negotiation.table.forgetting import person_leaves

log = structlog.get_logger(__name__)

GONE_NAME = "Former member"


class CantLeave(ValueError):
    """The account is still needed; the message says for what."""


def left_leaderless(user: User) -> list[Team]:
    """Teams with other members that nobody would lead without this person."""
    led = Team.objects.filter(memberships__user=user, memberships__role__in=LEADING_ROLES)
    found = []
    for team in led:
        others = Membership.objects.filter(team=team, user__is_active=True).exclude(user=user)
        if others.exists() and not others.filter(role__in=LEADING_ROLES).exists():
            found.append(team)
    return found


def account_delete(*, user: User) -> None:
    """Take the person out: words, name, address, memberships, ratings. Their games stay as figures.

    The row of the user stays, empty, because figures of a team refer to it; nobody can sign in with it again.
    """
    alone = left_leaderless(user)
    if alone:
        names = " and ".join(team.name for team in alone)
        raise CantLeave(f"Nobody else leads {names}. Make somebody there a manager first.")
    person_leaves(user)
    _empty(user)
    log.info("account_deleted", user=user.pk)


@transaction.atomic
def _empty(user: User) -> None:
    for link in SpectatorLink.objects.filter(
        game__player=user, revoked_at=None
    ) | SpectatorLink.objects.filter(created_by=user, revoked_at=None):
        link_revoke(link=link)
    Invitation.objects.filter(email__iexact=user.email).delete()
    EmailAddress.objects.filter(user=user).delete()
    Attempt.objects.filter(user=user, outcome=Attempt.Outcome.PLAYING).update(
        outcome=Attempt.Outcome.VOID, judged_at=timezone.now()
    )
    PersonRating.objects.filter(user=user).delete()
    practice_forget(user=user)
    notes_forget(author=user)
    second_factor.forget(user)
    user.memberships.all().delete()
    user.consents.all().delete()
    user.data_exports.all().delete()
    user.assignments.clear()
    user.groups.clear()
    user.user_permissions.clear()
    user.email = f"gone-{secrets.token_hex(8)}@deleted.invalid"
    user.display_name = GONE_NAME
    user.visibility = User.Visibility.PRIVATE
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.save()
