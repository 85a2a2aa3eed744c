"""People, teams, and who is what in which team."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


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

    email = models.EmailField(unique=True)
    display_name = models.CharField(max_length=80, blank=True)
    is_guest = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="one_user_per_email")]

    def __str__(self) -> str:
        return self.get_full_name()

    def get_full_name(self) -> str:
        """The name shown to others: never the whole address."""
        return self.display_name or self.email.split("@")[0]

    def get_short_name(self) -> str:
        """The first word of the name."""
        return self.get_full_name().split(" ")[0]


class Team(models.Model):
    """A sales team."""

    name = models.CharField(max_length=80, unique=True)
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
