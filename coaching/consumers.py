"""The spectator's socket."""

from __future__ import annotations

from typing import ClassVar

from accounts.models import User
from accounts.selectors import session_key_of, user_of_session
from coaching import attempts, services
from coaching.models import LinkView
from coaching.selectors import LinkRefused, Opened, link_opened
from negotiation import messages
from negotiation.messages import ClientFrame, FrameRefused, text_of
from negotiation.services import Submitted
from negotiation.sockets import Access, Denied, GameSocket
from negotiation.threads import in_database


class WatchSocket(GameSocket):
    """``/ws/watch/<token>/``: the link is the permission; who is signed in only adds a name."""

    accepts: ClassVar[frozenset[str]] = frozenset({"resume", "ping", "whisper"})
    viewed = False

    def authorize(self) -> Access:
        """Ask the link again each time, so that expiry and revocation end open sockets too."""
        opened, viewer = self._open()
        if not self.viewed:
            services.link_view(opened=opened, viewer=viewer, kind=LinkView.Kind.SOCKET)
            self.viewed = True
        game = opened.link.game
        return Access(game.id, opened.role, game.awaiting_reply, over=not game.is_live)

    def _open(self) -> tuple[Opened, User | None]:
        address = (self.scope.get("client") or ("unknown", 0))[0]
        if attempts.too_many(address):
            raise Denied(messages.TOO_MANY_FRAMES, "too_many_attempts", "Too many attempts. Wait a while.")
        viewer = user_of_session(session_key_of(self.scope.get("cookies", {})))
        try:
            return link_opened(self.scope["url_route"]["kwargs"]["token"], viewer=viewer), viewer
        except LinkRefused as refused:
            if refused.reason == "unknown":
                attempts.note_miss(address)
            gone = refused.reason in ("unknown", "expired", "revoked")
            code = messages.LINK_GONE if gone else messages.NOT_YOURS
            raise Denied(code, refused.reason, refused.message) from None

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """A coach may whisper; everyone may resume."""
        if frame.type != "whisper":
            await super().handle(frame, received)
            return
        answer = await in_database(self._whisper, frame)
        await self._send(messages.ack(frame.id, answer.seq))

    def _whisper(self, frame: ClientFrame) -> Submitted:
        opened, viewer = self._open()
        if opened.role != "coach":
            raise FrameRefused("not_allowed", "This link is for watching only.", field="type")
        return services.whisper(opened=opened, viewer=viewer, action_id=frame.id, text=text_of(frame.data))
