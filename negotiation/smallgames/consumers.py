"""The socket of a small game: authenticate, call one service, shape the answer. Everything else is the kernel's.

Practice is its player's alone, so there is nobody who watches and no link. The page is drawn on the server; the log says
when to draw it anew, in this window and in any other.
"""

from __future__ import annotations

from typing import ClassVar

from negotiation.smallgames import selectors, services
from negotiation.smallgames.forms import action_of, whole_of
from negotiation.smallgames.kind import SMALL
from negotiation.table import wire
from negotiation.table.feed import Source
from negotiation.table.sockets import Access, Denied, PlayerSocket
from negotiation.table.threads import in_database
from negotiation.table.wire import ClientFrame


class SmallSocket(PlayerSocket):
    """``/ws/games/<id>/``: open to the one who plays the match."""

    accepts: ClassVar[frozenset[str]] = frozenset({"act", "name", "odds", "resume", "ping"})
    source: ClassVar[Source] = SMALL

    def authorize(self) -> Access:
        """The player alone. Whether somebody else's match exists is not told."""
        match = selectors.match_of(self.game_id, self.user())
        if match is None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_match", "There is no such match of yours.")
        return Access(match.pk, "owner", False, over=not match.is_live)

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """What the player does is acknowledged once it and its answer are in the log."""
        if frame.type not in ("act", "name", "odds"):
            await super().handle(frame, received)
            return
        async with self.acknowledging:
            await self._send(wire.ack(frame.id, await in_database(self._take, frame)))

    def _take(self, frame: ClientFrame) -> int:
        player, after = self.user(), whole_of(frame.data, "after")
        if frame.type == "act":
            action = action_of(frame.data)
            match = services.match_act(
                match_id=self.game_id, player=player, action_id=frame.id, after=after, action=action
            )
        elif frame.type == "name":
            suspect = str(frame.data.get("suspect", ""))
            match = services.match_name(
                match_id=self.game_id, player=player, action_id=frame.id, after=after, suspect=suspect
            )
        else:
            match = services.match_ask_odds(
                match_id=self.game_id, player=player, action_id=frame.id, after=after
            )
        return selectors.written_at(match, frame.id)
