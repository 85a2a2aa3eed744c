"""The sockets of a deal for three: its player's, and a spectator's by link. Everything else is the kernel's."""

from __future__ import annotations

from typing import ClassVar

import structlog

from accounts.models import User
from accounts.permits import Permit
from negotiation.coalitions import links, selectors, services, swift
from negotiation.coalitions.forms import action_from
from negotiation.coalitions.kind import COALITIONS
from negotiation.engine.deal.errors import ActionRefused
from negotiation.table import wire
from negotiation.table.at_once import Taken
from negotiation.table.errors import LogDiverged
from negotiation.table.feed import Source, Tail
from negotiation.table.sockets import Access, Denied, GameSocket, PlayerSocket
from negotiation.table.threads import in_database
from negotiation.table.watching import LinkSocket
from negotiation.table.wire import ClientFrame

log = structlog.get_logger(__name__)


class CoalitionView(GameSocket):
    """Onto a deal for three, whoever looks."""

    source: ClassVar[Source] = COALITIONS
    refusals_of = (*GameSocket.refusals_of, ActionRefused)

    async def connect(self) -> None:
        """As every socket; how the table stands comes along."""
        await super().connect()
        await self._send_table()

    async def fed(self, tail: Tail) -> None:
        """After new rows: how the table stands, which is drawn from the log and no part of it."""
        await self._send_table()

    async def _send_table(self) -> None:
        if self.access is None:
            return
        try:
            found = await in_database(selectors.table_now, self.access.game_id, self.access.role)
        except LogDiverged:
            # What was said can still be read; a move is refused in words.
            log.exception("log_diverged", game=str(self.access.game_id))
            return
        if found is not None:
            await self._send({"type": "table", "data": found})


class CoalitionSocket(CoalitionView, PlayerSocket):
    """``/ws/coalitions/<id>/``: open to the one who plays the deal."""

    accepts: ClassVar[frozenset[str]] = frozenset({"act", "resume", "ping"})

    def authorize(self) -> Access:
        """The player alone. Whether somebody else's deal exists is not told."""
        deal = selectors.deal_of_player(self.game_id, self.user())
        if deal is None or deal.kept_debrief is not None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_game", "There is no such deal of yours.")
        return Access(deal.pk, deal.seat, False, over=not deal.is_live)

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """A turn is acknowledged once it and the turns after it are in the log."""
        if frame.type != "act":
            await super().handle(frame, received)
            return
        async with self.acknowledging:
            if not await self.taken_at_once(frame, received):
                await self._send(wire.ack(frame.id, await in_database(self._act, frame)))

    def at_once(self, frame: ClientFrame, permit: Permit) -> Taken | None:
        """Unless it is refused, or ends the deal."""
        action = action_from(frame.data)
        return swift.turn_at_once(deal_id=self.game_id, permit=permit, action_id=frame.id, action=action)

    def _act(self, frame: ClientFrame) -> int:
        deal = services.deal_act(
            deal_id=self.game_id, player=self.user(), action_id=frame.id, action=action_from(frame.data)
        )
        return selectors.written_at(deal, frame.id)


class CoalitionWatchSocket(CoalitionView, LinkSocket):
    """``/ws/coalition-watch/<token>/``: the link is the permission, and says how much is seen."""

    def found(self, token: str, viewer: User | None) -> selectors.Opened:
        """Nobody watches the truth of a deal that they play."""
        return selectors.link_opened(token, viewer)

    def authorize(self) -> Access:
        """Ask the link again each time."""
        opened, viewer = self.opened()
        links.link_view(opened=opened, viewer=viewer)
        deal = opened.link.deal
        return Access(deal.pk, opened.role, False, over=not deal.is_live)
