"""People, teams, and who is what in which team."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.functional import cached_property

LEADING_ROLES = ("manager", "admin")
"""The roles that watch and coach a team."""


class UserManager(BaseUserManager["User"]):
    """Makes users by email; an email is compared without regard to case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """A user with a normalised email; without a password no login by password is possible."""
        if not email:
            raise ValueError("a user needs an email")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """For ``manage.py createsuperuser``."""
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})


class User(AbstractBaseUser, PermissionsMixin):
    """A person who plays, watches or runs the house. A guest has no password and lives in one browser."""

    class Visibility(models.TextChoices):
        """Who sees this person's figures on a leaderboard. Those who lead the person's team always see them."""

        PRIVATE = "private", "Only I and those who lead my team"
        TEAM = "team", "My team"
        PUBLIC = "public", "Everybody who signs in here"

    email = models.EmailField(unique=True)
    display_name = models.CharField(max_length=80, blank=True)
    is_guest = models.BooleanField(default=False)
    kept_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When a guest became this account; null for who never was one."""
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    visibility = models.CharField(max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="one_user_per_email"),
            models.CheckConstraint(
                condition=models.Q(visibility__in=["private", "team", "public"]), name="user_visibility_known"
            ),
        ]

    def __str__(self) -> str:
        return self.get_full_name()

    def get_full_name(self) -> str:
        """The name shown to others: never the whole address."""
        return self.display_name or self.email.split("@")[0]

    def get_short_name(self) -> str:
        """The first word of the name."""
        return self.get_full_name().split(" ")[0]

    @cached_property
    def leads_a_team(self) -> bool:
        """Whether the pages of a team open to this person; asked once per request, by the navigation."""
        return self.memberships.filter(role__in=LEADING_ROLES).exists()


class Team(models.Model):
    """A sales team. ``retention_days`` is how long the words of its deals are kept; empty, as the house keeps them."""

    name = models.CharField(max_length=80, unique=True)
    retention_days = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(3650)]
    )
    members = models.ManyToManyField(User, through="Membership", related_name="teams")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person's role in one team."""

    class Role(models.TextChoices):
        """A rep plays; a manager watches and coaches the team; an admin also runs it."""

        REP = "rep", "Rep"
        MANAGER = "manager", "Manager"
        ADMIN = "admin", "Admin"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.REP)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "team"], name="one_membership_per_team"),
            models.CheckConstraint(
                condition=models.Q(role__in=["rep", "manager", "admin"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team} ({self.role})"


class Consent(models.Model):
    """Somebody's yes or no to the training use of their deals. Rows are added, never changed: the latest counts.

    ``wording`` is the version of the text that was shown; a yes holds for that text only.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="consents")
    granted = models.BooleanField()
    wording = models.PositiveSmallIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.user}: {'yes' if self.granted else 'no'} to wording {self.wording}"


class Invitation(models.Model):
    """A place in a team, kept for one address. The link's token is stored as a hash and works once."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()
    name = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=8, choices=Membership.Role.choices, default=Membership.Role.REP)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                "team",
                name="one_open_invitation_per_address",
                condition=models.Q(accepted_at__isnull=True, revoked_at__isnull=True),
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["rep", "manager", "admin"]), name="invitation_role_known"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at__isnull=True) | models.Q(revoked_at__isnull=True),
                name="invitation_accepted_or_revoked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.team} ({self.role})"

    @property
    def has_expired(self) -> bool:
        """Whether its link opens no more for its age alone."""
        return self.expires_at <= timezone.now()
