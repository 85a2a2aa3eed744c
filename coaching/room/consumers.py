"""The socket of a team's lobby: each move at a table of the team is on the manager's page at once."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qs

from django.template.loader import render_to_string

from accounts.models import User
from accounts.selectors import teams_led_by
from coaching.room.lobby import LiveDeal, around, live_deals, live_deals_again, with_held
from negotiation.table import pings, wire
from negotiation.table.parts import Drawn, PartSocket
from negotiation.table.sockets import Denied


class LobbySocket(PartSocket):
    """``/ws/team/<id>/?have=MARK,MARK``: open to who leads the team. Of tables that the page shows as they are, those that
    ``have`` names and those that were sent, only their places are sent."""

    look_seconds: ClassVar[float] = 15.0
    """Tables also get stuck, and deadlines near, without anybody's doing."""
    pause_seconds: ClassVar[float] = 1.0

    shown: tuple[str, ...] = ()
    """The marks of the rows that were sent, in their order."""
    deals: tuple[LiveDeal, ...] = ()
    beside: Mapping[str, Any] | None = None
    looked = -math.inf
    html = ""

    def draw(self, user: User, session_key: str, pinged: frozenset[uuid.UUID] | None) -> Drawn:
        """The moving part of the lobby; tables that were pinged are read anew, and all of them where one was laid."""
        team = teams_led_by(user).filter(pk=self.scope["url_route"]["kwargs"]["team_id"]).first()
        if team is None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_team", "There is no such team of yours.")
        laid = pings.tables_of(team.pk)
        anew = pinged is None or laid in pinged
        deals = live_deals(team) if anew else live_deals_again(team, self.deals, pinged or ())
        ended = {each.id for each in self.deals} - {each.id for each in deals}
        beside = self.beside
        if beside is None or anew or ended or time.monotonic() - self.looked > self.look_seconds:
            beside, self.looked = around(team), time.monotonic()
        marks = tuple(deal.mark for deal in deals)
        if marks != self.shown or beside != self.beside:
            had = self.shown if self.beside is not None else self._had()
            self.html = render_to_string("room/_live.html", {**beside, "deals": with_held(deals, had)})
        self.deals, self.shown, self.beside = tuple(deals), marks, beside
        return Drawn(self.html, True, frozenset({laid, *(uuid.UUID(deal.id) for deal in deals)}))

    def _had(self) -> set[str]:
        """The rows that the page came with."""
        query = parse_qs(self.scope.get("query_string", b"").decode("latin1"))
        return set(query.get("have", [""])[0].split(","))
