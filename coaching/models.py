"""A link through which a game may be watched, and who looked through it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from coaching.cases import models as cases  # noqa: F401  # its tables belong to this app, as those below
from coaching.champion import models as champion  # noqa: F401
from coaching.live import models as live  # noqa: F401
from coaching.reviews import models as reviews  # noqa: F401  # its tables and the room's belong to this app
from coaching.room import models as room  # noqa: F401
from coaching.skills import models as skills  # noqa: F401  # and those of practice
from negotiation.models import Game


class SpectatorLink(models.Model):
    """A secret URL, stored as a hash. It can be watched, not guessed and not read out of the database."""

    class Scope(models.TextChoices):
        """Live without the hidden truth; live with it; the finished game with it."""

        WATCH = "watch", "Live"
        COACH = "coach", "Live with the hidden truth"
        REPLAY = "replay", "Replay of the finished game"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=8, choices=Scope.choices)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=["watch", "coach", "replay"]), name="link_scope_known"
            ),
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at")), name="link_expires_after_creation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} link to {self.game_id}"


class LinkView(models.Model):
    """Somebody looked: a page or a socket was opened through the link."""

    class Kind(models.TextChoices):
        """What was opened."""

        PAGE = "page", "Page"
        SOCKET = "socket", "Socket"

    link = models.ForeignKey(SpectatorLink, on_delete=models.CASCADE, related_name="views")
    viewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%F %T}"
