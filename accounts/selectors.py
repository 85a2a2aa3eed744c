"""Reads of people and teams."""

from __future__ import annotations

from django.conf import settings
from django.db.models import F, OuterRef, QuerySet, Subquery

from accounts.consent import CURRENT
from accounts.models import LEADING_ROLES, Consent, Membership, Team, User
from accounts.permits import let_in


def teams_led_by(user: User) -> QuerySet[Team]:
    """The teams that this person manages or runs."""
    return Team.objects.filter(memberships__user=user, memberships__role__in=LEADING_ROLES).distinct()


def leads_team(user: User, team_id: int | None) -> bool:
    """True for a manager or an admin of that very team."""
    if team_id is None:
        return False
    return Membership.objects.filter(user=user, team_id=team_id, role__in=LEADING_ROLES).exists()


def team_of(user: User) -> Team | None:
    """The team whose colours a new game of this person is played in: the one joined first."""
    membership = user.memberships.select_related("team").order_by("id").first()
    return membership.team if membership else None


def user_of_session(session_key: str | None) -> User | None:
    """The active user whom a session cookie stands for now: what a socket asks again and again.

    Reads the session afresh, so logging out, a changed password or a blocked account end open sockets.
    """
    found = let_in(session_key)
    return found[0] if found else None


def session_key_of(cookies: dict[str, str]) -> str | None:
    """The session key among a request's or a handshake's cookies."""
    return cookies.get(settings.SESSION_COOKIE_NAME)


def consent_of(user: User) -> Consent | None:
    """The latest answer about training use; None from somebody who never gave one."""
    return Consent.objects.filter(user=user).order_by("-id").first()


def consents_to_training(user: User) -> bool:
    """True only for a yes to the present wording that was not taken back. Silence is a no."""
    latest = consent_of(user)
    return latest is not None and latest.granted and latest.wording == CURRENT


def users_consenting() -> QuerySet[User]:
    """Everybody whose deals may be used for training now."""
    latest = Consent.objects.filter(user=OuterRef("pk")).order_by("-id").values("pk")[:1]
    return User.objects.annotate(latest_consent=Subquery(latest)).filter(
        is_active=True,
        consents__pk=F("latest_consent"),
        consents__granted=True,
        consents__wording=CURRENT,
    )
