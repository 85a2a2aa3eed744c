"""Inviting people into a team: reading a list, making links, taking them back, letting people in."""

from __future__ import annotations

import csv
import hashlib
import io
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Invitation, Membership, Team, User
from accounts.services import guest_keep, membership_set, user_create

LIFETIME = timedelta(days=7)
MAX_LINES = 500
MAX_BYTES = 200_000
COLUMNS = ("email", "name", "role")


class InvitationRefused(Exception):
    """This invitation does not open, now or for this person; the message is for them."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.message = message


@dataclass(slots=True)
class InvitationLine:
    """One line of a list: what it says, and what is wrong with it."""

    number: int
    raw: str
    email: str = ""
    name: str = ""
    role: str = Membership.Role.REP
    problems: list[str] = field(default_factory=list)

    @property
    def role_label(self) -> str:
        """The role in words."""
        return Membership.Role(self.role).label if self.role in Membership.Role.values else self.role


@dataclass(frozen=True, slots=True)
class InvitationList:
    """A list as read. ``trouble`` is about the list as a whole, and then there are no lines."""

    lines: list[InvitationLine]
    header: str = "email,name,role"
    trouble: str = ""

    @property
    def good(self) -> list[InvitationLine]:
        """Lines that can be invited."""
        return [line for line in self.lines if not line.problems]

    @property
    def bad(self) -> list[InvitationLine]:
        """Lines that can't, yet."""
        return [line for line in self.lines if line.problems]

    @property
    def leftover(self) -> str:
        """The list again with only the lines that have problems, as they were written."""
        return "\n".join([self.header, *(line.raw for line in self.bad)]) if self.bad else ""


def read_list(text: str, *, team: Team, by: User) -> InvitationList:
    """Read a list of people and say what is wrong with each line. Nothing is written."""
    physical = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff").strip("\n").split("\n")
    if not text.strip():
        return InvitationList([], trouble="The list is empty.")
    if len(physical) > MAX_LINES + 1:
        return InvitationList([], trouble=f"A list has at most {MAX_LINES} people. Split it.")
    delimiter = max(",;\t", key=physical[0].count)
    columns = [cell.strip().lower() for cell in next(csv.reader([physical[0]], delimiter=delimiter))]
    if "email" not in columns:
        return InvitationList(
            [], trouble="The first line names the columns: email, name, role. There is no email in it."
        )
    unknown = [column for column in columns if column not in COLUMNS]
    if unknown:
        return InvitationList(
            [], trouble=f"There is no column “{unknown[0]}”. The columns are email, name, role."
        )
    rows = [
        _line(number, raw, columns, delimiter) for number, raw in enumerate(physical[1:], 2) if raw.strip()
    ]
    if not rows:
        return InvitationList([], trouble="There is nobody on the list.")
    _check_against_team(rows, team, by)
    return InvitationList(rows, header=physical[0])


def _line(number: int, raw: str, columns: list[str], delimiter: str) -> InvitationLine:
    line = InvitationLine(number, raw)
    if raw.count('"') % 2:
        line.problems.append("A quotation mark is not closed.")
        return line
    cells = [cell.strip() for cell in next(csv.reader(io.StringIO(raw), delimiter=delimiter))]
    if len(cells) > len(columns) and any(cells[len(columns) :]):
        line.problems.append(f"It has {len(cells)} columns, the first line {len(columns)}.")
        return line
    said = dict(zip(columns, cells, strict=False))
    line.email = said.get("email", "").lower()
    line.name = said.get("name", "")
    line.role = said.get("role", "").lower() or Membership.Role.REP
    if not line.email:
        line.problems.append("There is no email.")
    else:
        try:
            validate_email(line.email)
        except ValidationError:
            line.problems.append(f"“{line.email}” is not an email address.")
    if len(line.name) > 80:
        line.problems.append("A name has at most 80 characters.")
    if line.role not in Membership.Role.values:
        line.problems.append(f"“{line.role}” is not a role: rep, manager or admin.")
    return line


def _check_against_team(lines: Iterable[InvitationLine], team: Team, by: User) -> None:
    members = {email.lower() for email in team.members.values_list("email", flat=True)}
    waiting = {email.lower() for email in open_invitations(team).values_list("email", flat=True)}
    seen: dict[str, int] = {}
    admin = may_invite(by, team, Membership.Role.ADMIN)
    for line in lines:
        if not line.email:
            continue
        if line.email in seen:
            line.problems.append(f"The same address stands on line {seen[line.email]}.")
        seen.setdefault(line.email, line.number)
        if line.email in members:
            line.problems.append("Is on the team already.")
        elif line.email in waiting:
            line.problems.append("Is invited already; send the invitation again instead.")
        if line.role == Membership.Role.ADMIN and not admin:
            line.problems.append("Only an admin of the team can invite an admin.")


def may_invite(user: User, team: Team, role: str) -> bool:
    """Managers invite reps and managers; an admin is invited by an admin."""
    own = Membership.objects.filter(user=user, team=team).values_list("role", flat=True).first()
    if own == Membership.Role.ADMIN:
        return True
    return own == Membership.Role.MANAGER and role != Membership.Role.ADMIN


def open_invitations(team: Team) -> QuerySet[Invitation]:
    """Those that nobody has accepted and nobody took back, expired ones too: they can be sent again."""
    return Invitation.objects.filter(team=team, accepted_at=None, revoked_at=None)


def hash_of(token: str) -> str:
    """What is stored of a token. It is 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def invitations_create(
    *, team: Team, by: User, lines: Iterable[InvitationLine]
) -> list[tuple[Invitation, str]]:
    """Invitations with their tokens. A token is given out this once; only its hash is kept."""
    return [
        _invite(team=team, by=by, email=line.email, name=line.name, role=line.role)
        for line in lines
        if not line.problems
    ]


def _invite(*, team: Team, by: User, email: str, name: str, role: str) -> tuple[Invitation, str]:
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    invitation = Invitation.objects.create(
        team=team,
        email=email,
        name=name,
        role=role,
        created_by=by,
        token_hash=hash_of(token),
        sent_at=now,
        expires_at=now + LIFETIME,
    )
    return invitation, token


@transaction.atomic
def invitation_resend(*, invitation: Invitation) -> tuple[Invitation, str]:
    """A fresh link for the same person; the link sent before opens no more."""
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.accepted_at or locked.revoked_at:
        raise InvitationRefused("over", "This invitation is settled; invite anew.")
    token = secrets.token_urlsafe(32)
    locked.token_hash = hash_of(token)
    locked.sent_at = timezone.now()
    locked.expires_at = locked.sent_at + LIFETIME
    locked.save(update_fields=["token_hash", "sent_at", "expires_at"])
    return locked, token


def invitation_revoke(*, invitation: Invitation) -> None:
    """Take it back; the link opens no more."""
    open_invitations(invitation.team).filter(pk=invitation.pk).update(revoked_at=timezone.now())


def invitation_opened(token: str) -> Invitation:
    """The invitation that a token opens now, or ``InvitationRefused``. Looking uses nothing up."""
    found = Invitation.objects.select_related("team", "created_by").filter(token_hash=hash_of(token)).first()
    if found is None:
        raise InvitationRefused("unknown", "This link does not exist. Check that it was copied whole.")
    if found.revoked_at is not None:
        raise InvitationRefused("revoked", "This invitation was taken back. Ask for a new one.")
    if found.accepted_at is not None:
        raise InvitationRefused("used", "This invitation has been used. Sign in to find your team.")
    if found.expires_at <= timezone.now():
        raise InvitationRefused("expired", "This invitation has expired. Ask for a new one.")
    return found


def account_for(invitation: Invitation) -> User | None:
    """The account that the invited address belongs to, if there is one; a blocked one too."""
    return User.objects.filter(email__iexact=invitation.email).first()


@transaction.atomic
def invitation_accept(*, invitation: Invitation, user: User) -> Membership:
    """Put the person into the team. The link is used up; two who come at once can't both use it."""
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.accepted_at or locked.revoked_at or locked.expires_at <= timezone.now():
        raise InvitationRefused("used", "This invitation has been used or taken back.")
    if user.email.lower() != locked.email.lower():
        raise InvitationRefused("other", f"This invitation is for {locked.email}.")
    locked.accepted_at, locked.accepted_by = timezone.now(), user
    locked.save(update_fields=["accepted_at", "accepted_by"])
    there = Membership.objects.filter(user=user, team=locked.team).first()
    # Somebody who came in by another door meanwhile keeps the role given there.
    return there or membership_set(user=user, team=locked.team, role=locked.role)


@transaction.atomic
def account_by_invitation(*, invitation: Invitation, name: str, password: str, guest: User | None) -> User:
    """A new account for the invited address, in the team. A guest stays the same user and keeps the deals."""
    if guest is not None:
        user = guest_keep(guest=guest, email=invitation.email, password=password)
        user.display_name = name
        user.save(update_fields=["display_name"])
    else:
        user = user_create(email=invitation.email, password=password, display_name=name)
    invitation_accept(invitation=invitation, user=user)
    return user
