"""The sockets of a deal between two people: each player's, and who looks on by link. Everything else is the kernel's."""

from __future__ import annotations

from typing import Any, ClassVar

from accounts.models import User
from accounts.permits import Permit
from negotiation.engine.deal import Action
from negotiation.engine.deal.errors import ActionRefused
from negotiation.messages import parse_act, terms_of
from negotiation.pairs import hearing, links, selectors, services, swift
from negotiation.pairs.kind import PAIRS
from negotiation.pairs.models import PairDeal
from negotiation.pairs.services import Submitted
from negotiation.reading import Clarify
from negotiation.table import wire
from negotiation.table.at_once import Taken
from negotiation.table.feed import Source
from negotiation.table.sockets import Access, Denied, GameSocket, PlayerSocket
from negotiation.table.threads import in_database
from negotiation.table.watching import LinkSocket
from negotiation.table.wire import ClientFrame, number_of, text_of


class PairView(GameSocket):
    """Onto a deal between two people, whoever looks."""

    source: ClassVar[Source] = PAIRS
    refusals_of = (*GameSocket.refusals_of, ActionRefused)


class PairSocket(PairView, PlayerSocket):
    """``/ws/pairs/<id>/``: open to the two who sit there, each from their own seat."""

    accepts: ClassVar[frozenset[str]] = frozenset({"act", "accept", "walk_away", "preview", "resume", "ping"})

    def authorize(self) -> Access:
        """The two alone. Whether somebody else's deal exists is not told."""
        deal = self._deal()
        seat = selectors.seat_of(deal, self.user()) or "seller"
        over = not deal.is_live and deal.status != PairDeal.Status.WAITING
        return Access(deal.pk, seat, False, over=over)

    def _deal(self) -> PairDeal:
        deal = selectors.deal_of_player(self.game_id, self.user())
        if deal is None or deal.status == PairDeal.Status.WITHDRAWN:
            raise Denied(wire.NO_SUCH_GAME, "no_such_game", "There is no such deal of yours.")
        return deal

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """A move is acknowledged once it is in the log; the other side then answers in its own time."""
        if frame.type == "preview":
            reading = await in_database(self._preview, text_of(frame.data))
            await self._send({"type": "reading", "id": str(frame.id), "data": reading})
            return
        if frame.type in ("resume", "ping"):
            await super().handle(frame, received)
            return
        async with self.acknowledging:
            if frame.type == "act" and await self.taken_at_once(frame, received):
                return
            answer = await in_database(self._submit, frame)
            if isinstance(answer, Clarify):
                await self._send({"type": "clarify", "id": str(frame.id), "data": answer.data()})
            else:
                await self._send(wire.ack(frame.id, answer.seq))

    def at_once(self, frame: ClientFrame, permit: Permit) -> Taken | None:
        """Unless it is refused, asked about, or ends the deal."""
        act = parse_act(frame.data)
        return swift.move_at_once(
            deal_id=self.game_id, permit=permit, action_id=frame.id, act=act, after=_seen(frame)
        )

    def _submit(self, frame: ClientFrame) -> Submitted | Clarify:
        move: dict[str, Any]
        if frame.type == "act":
            move = {"act": parse_act(frame.data), "after": _seen(frame)}
        elif frame.type == "accept":
            move = {
                "action": Action(accept=True),
                "seen": (number_of(frame.data, "offer"), terms_of(frame.data)),
            }
        else:
            move = {"action": Action(walk_away=True)}
        return services.pair_act(deal_id=self.game_id, player=self.user(), action_id=frame.id, **move)

    def _preview(self, text: str) -> dict[str, Any]:
        deal = self._deal()
        seat = selectors.seat_of(deal, self.user())
        if seat is None or not deal.last_seq:
            raise Denied(wire.NO_SUCH_GAME, "no_such_game", "There is no such deal of yours.")
        return hearing.reading_at(deal, seat, text[:2000])


class PairWatchSocket(PairView, LinkSocket):
    """``/ws/pair-watch/<token>/``: the link is the permission, and says whose side is seen and how much of it."""

    def found(self, token: str, viewer: User | None) -> selectors.Opened:
        """Nobody looks on at a table that they sit at."""
        return selectors.link_opened(token, viewer)

    def authorize(self) -> Access:
        """Ask the link again each time."""
        opened, viewer = self.opened()
        links.link_view(opened=opened, viewer=viewer)
        deal = opened.link.deal
        return Access(deal.pk, opened.role, False, over=not deal.is_live)


def _seen(frame: ClientFrame) -> int | None:
    """How many moves the sender of a frame had seen, where the frame says so."""
    return wire.int_of(frame.data, "after") if "after" in frame.data else None
