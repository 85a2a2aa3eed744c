"""The spectator's socket."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import ClassVar

import structlog

from accounts.models import User
from coaching import services
from coaching.live.hints import hints_after, last_graded
from coaching.models import LinkView
from coaching.selectors import OpenedLink, link_opened
from coaching.sharing.watching import left_out, nameless
from negotiation import catalogue
from negotiation.consumers import DealView
from negotiation.engine.deal import Scenario
from negotiation.services import Submitted
from negotiation.table import wire
from negotiation.table.feed import Tail
from negotiation.table.sockets import Access
from negotiation.table.threads import in_database
from negotiation.table.watching import LinkSocket
from negotiation.table.wire import ClientFrame, FrameRefused, text_of

log = structlog.get_logger(__name__)


class WatchSocket(DealView, LinkSocket):
    """``/ws/watch/<token>/``: the link is the permission; who is signed in only adds a name."""

    accepts: ClassVar[frozenset[str]] = frozenset({"resume", "ping", "whisper"})
    viewed = False
    scenario: Scenario | None = None
    names: Sequence[str] = ()
    """What the link leaves out of all that is sent."""
    hinted = 0
    """The grading that the last hints were for."""

    def authorize(self) -> Access:
        """Ask the link again each time, so that expiry and revocation end open sockets too."""
        opened, viewer = self.opened()
        if not self.viewed:
            services.link_view(opened=opened, viewer=viewer, kind=LinkView.Kind.SOCKET)
            self.viewed = True
        game = opened.link.game
        self.names = left_out(opened.link, viewer)
        self.scenario = self.scenario or catalogue.known_for_game(game)
        return Access(game.id, opened.role, game.awaiting_reply, over=not game.is_live)

    def found(self, token: str, viewer: User | None) -> OpenedLink:
        """What the link opens for this viewer now."""
        return link_opened(token, viewer=viewer)

    def outgoing(self, text: str) -> str:
        """Without the name, where the link is without."""
        return (
            json.dumps(nameless(json.loads(text), self.names), separators=(",", ":")) if self.names else text
        )

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """A coach may whisper; everyone may resume."""
        if frame.type != "whisper":
            await super().handle(frame, received)
            return
        answer = await in_database(self._whisper, frame)
        await self._send(wire.ack(frame.id, answer.seq))

    async def fed(self, tail: Tail) -> None:
        """After every whole turn a coach is told what could be whispered now."""
        graded = last_graded(tail.rows)
        coaches = self.access is not None and self.access.role == "coach"
        if not coaches or self.scenario is None or graded is None or graded.seq == self.hinted:
            return
        self.hinted = graded.seq
        try:
            found = await in_database(hints_after, tuple(tail.rows), self.scenario)
        except Exception:
            # A coach goes on watching without a hint.
            log.exception("hints_failed", game=str(tail.game_id))
            return
        if found is not None:
            await self._send({"type": "hints", "data": found})

    def _whisper(self, frame: ClientFrame) -> Submitted:
        opened, viewer = self.opened()
        if opened.role != "coach":
            raise FrameRefused("not_allowed", "This link is for watching only.", field="type")
        return services.whisper(opened=opened, viewer=viewer, action_id=frame.id, text=text_of(frame.data))
