"""``manage.py demo``: a team to look around with. Running it again changes nothing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import Membership, Team, User
from accounts.services import membership_set, user_create

PASSWORD = "parlay-demo"  # noqa: S105  # public on purpose; production refuses demo data
TEAM = "Northwind Sales"
PEOPLE = [
    ("rep@demo.local", "Robin Reyes", Membership.Role.REP),
    ("manager@demo.local", "Morgan Lee", Membership.Role.MANAGER),
    ("admin@demo.local", "Alex Kim", Membership.Role.ADMIN),
]


class Command(BaseCommand):
    """Only where demo mode is on."""

    help = "Make the demo team and its three logins."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing."""
        if not settings.DEMO:
            raise CommandError("PARLAY_DEMO: demo data is off here")
        team, _ = Team.objects.get_or_create(name=TEAM)
        for email, name, role in PEOPLE:
            user = User.objects.filter(email=email).first() or user_create(
                email=email,
                password=PASSWORD,
                display_name=name,
                is_staff=role == Membership.Role.ADMIN,
            )
            membership_set(user=user, team=team, role=role)
        self.stdout.write(f"demo team {TEAM!r}: " + ", ".join(email for email, _, _ in PEOPLE))
