"""The socket of a team's lobby: each move at a table of the team is on the manager's page at once."""

from __future__ import annotations

import uuid
from typing import ClassVar
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

    deals: tuple[LiveDeal, ...] = ()
    places = ""
    """The part without its rows, as it was drawn last."""
    html = ""

    def draw(self, user: User, session_key: str, pinged: frozenset[uuid.UUID] | None) -> Drawn:
        """The moving part of the lobby; tables that were pinged are read anew, and all of them where one was laid."""
        team = teams_led_by(user).filter(pk=self.scope["url_route"]["kwargs"]["team_id"]).first()
        if team is None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_team", "There is no such team of yours.")
        laid = pings.tables_of(team.pk)
        anew = pinged is None or laid in pinged
        deals = live_deals(team) if anew else live_deals_again(team, self.deals, pinged or ())
        beside = around(team)
        marks = {deal.mark for deal in deals}
        places = render_to_string("room/_live.html", {**beside, "deals": with_held(deals, marks)})
        if places != self.places:
            shown = {deal.mark for deal in self.deals} if self.places else self._had()
            self.html = render_to_string("room/_live.html", {**beside, "deals": with_held(deals, shown)})
        self.deals, self.places = tuple(deals), places
        return Drawn(self.html, True, frozenset({laid, *(uuid.UUID(deal.id) for deal in deals)}))

    def _had(self) -> set[str]:
        """The rows that the page came with."""
        query = parse_qs(self.scope.get("query_string", b"").decode("latin1"))
        return set(query.get("have", [""])[0].split(","))
