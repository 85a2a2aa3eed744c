"""Whether somebody may still do what they were let in for: asked with every write, in the writing statement itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User

_SESSION, _USER = Session._meta.db_table, User._meta.db_table
_HOLDS = (
    f"EXISTS (SELECT 1 FROM {_SESSION} WHERE session_key = %s AND session_data = %s AND expire_date > %s)"  # noqa: S608
    f" AND EXISTS (SELECT 1 FROM {_USER} WHERE id = %s AND is_active AND password = %s)"
)


@dataclass(frozen=True, slots=True)
class Permit:
    """What somebody was let in with. As long as the database holds the very same, so does the verdict.

    Signing out, a changed password, a blocked account and time all end it.
    """

    user_id: int
    session_key: str
    session_data: str
    password: str

    def holds(self, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """A condition in SQL, with its parameters, that is true while the permit is."""
        now = Session._meta.get_field("expire_date").get_db_prep_value(timezone.now(), connection)
        return _HOLDS, [self.session_key, self.session_data, now, self.user_id, self.password]


def let_in(session_key: str | None) -> tuple[User, Permit] | None:
    """The active user whom a session cookie stands for now, and what says so."""
    if not session_key:
        return None
    session = Session.objects.filter(session_key=session_key, expire_date__gt=timezone.now()).first()
    if session is None:
        return None
    data = session.get_decoded()
    user_id: str | None = data.get(SESSION_KEY)
    user = User.objects.filter(pk=user_id, is_active=True).first() if user_id else None
    if user is None or not constant_time_compare(
        data.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()
    ):
        return None
    return user, Permit(user.pk, session_key, session.session_data, user.password)
