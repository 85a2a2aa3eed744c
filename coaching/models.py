"""A link through which a game may be watched, and who looked through it."""

from __future__ import annotations

from django.db import models

from coaching.cases import models as cases  # noqa: F401  # its tables belong to this app, as those below
from coaching.champion import models as champion  # noqa: F401
from coaching.live import models as live  # noqa: F401
from coaching.reviews import models as reviews  # noqa: F401  # its tables and the room's belong to this app
from coaching.room import models as room  # noqa: F401
from coaching.skills import models as skills  # noqa: F401  # and those of practice
from negotiation.models import Game
from negotiation.table.models import LinkRow, LinkViewRow, link_constraints


class SpectatorLink(LinkRow):
    """A secret URL onto a deal for two."""

    class Scope(models.TextChoices):
        """Live without the hidden truth; live with it; the finished game with it; its debrief; only what was played."""

        WATCH = "watch", "Live"
        COACH = "coach", "Live with the hidden truth"
        REPLAY = "replay", "Replay of the finished game"
        DEBRIEF = "debrief", "The finished game, how it went and why"
        PLAYED = "played", "The finished game, only what was played"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="links")
    scope = models.CharField(max_length=8, choices=Scope.choices)
    named = models.BooleanField(default=True)
    """Whether it says whose deal it is, to those who could not read it without the link."""

    class Meta:
        constraints = link_constraints("link", ["watch", "coach", "replay", "debrief", "played"])

    def __str__(self) -> str:
        return f"{self.scope} link to {self.game_id}"


class LinkView(LinkViewRow):
    """Somebody looked: a page or a socket was opened through the link."""

    class Kind(models.TextChoices):
        """What was opened."""

        PAGE = "page", "Page"
        SOCKET = "socket", "Socket"

    link = models.ForeignKey(SpectatorLink, on_delete=models.CASCADE, related_name="views")
    kind = models.CharField(max_length=8, choices=Kind.choices)

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%F %T}"
