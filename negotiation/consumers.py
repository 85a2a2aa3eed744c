"""The player's socket: authenticate, call one service, shape the answer."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Any, ClassVar

from accounts.permits import Permit
from negotiation import catalogue, services, sessions, turns
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.listening import Listening, get_ready
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.kind import DEALS
from negotiation.messages import parse_act, terms_of
from negotiation.read_by_model import read_by_model
from negotiation.reading import Clarify
from negotiation.selectors import game_of_player, reading_at, seat_of
from negotiation.services import Submitted
from negotiation.swift import turn_at_once
from negotiation.table import wire
from negotiation.table.at_once import Taken
from negotiation.table.errors import LogDiverged
from negotiation.table.feed import Source
from negotiation.table.sockets import Access, Denied, GameSocket, PlayerSocket
from negotiation.table.threads import in_database
from negotiation.table.wire import ClientFrame, number_of, text_of


class DealView(GameSocket):
    """Onto a deal for two, whoever looks."""

    source: ClassVar[Source] = DEALS
    refusals_of = (*GameSocket.refusals_of, ActionRefused)

    def overdue(self, table_id: uuid.UUID) -> None:
        """Have the opponent answer, should nobody be at it."""
        turns.resolve_soon(table_id)


class DealSocket(DealView, PlayerSocket):
    """``/ws/deals/<id>/``: open to the one who plays the game."""

    accepts: ClassVar[frozenset[str]] = frozenset({"act", "accept", "walk_away", "preview", "resume", "ping"})

    def authorize(self) -> Access:
        """The player alone. Whether somebody else's game exists is not told."""
        game = game_of_player(self.game_id, self.user())
        if game is None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_game", "There is no such deal of yours.")
        return Access(game.id, "player", game.awaiting_reply, over=not game.is_live)

    async def connect(self) -> None:
        """As every socket; a player who is here is waited for, and finds ready what another process may have laid."""
        await super().connect()
        if self.access is not None:
            turns.came(self.access.game_id)
        if self.access is not None and not self.access.over:
            with suppress(Denied, LogDiverged):  # told with the next look, and to who moves
                await in_database(self._get_ready)

    async def disconnect(self, code: int) -> None:
        """As every socket; nobody waits for a model on behalf of a player who has left."""
        if self.access is not None:
            turns.went(self.access.game_id)
        await super().disconnect(code)

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """A move is acknowledged once it is in the log; the opponent then answers on its own time."""
        if frame.type == "preview":
            reading = await in_database(self._preview, text_of(frame.data))
            await self._send({"type": "reading", "id": str(frame.id), "data": reading})
            return
        if frame.type in ("resume", "ping"):
            await super().handle(frame, received)
            return
        async with self.acknowledging:
            await self._act(frame, received)

    async def _act(self, frame: ClientFrame, received: float) -> None:
        """At once where that can be, else the long way."""
        if frame.type == "act" and await self.taken_at_once(frame, received):
            return
        read = await read_by_model(self.game_id, text_of(frame.data)) if frame.type == "act" else None
        answer = await in_database(self._submit, frame, read)
        if isinstance(answer, Clarify):
            await self._send({"type": "clarify", "id": str(frame.id), "data": answer.data()})
            return
        if not answer.repeated:
            turns.resolve_soon(self.game_id, since=received)
        await self._send(wire.ack(frame.id, answer.seq))

    def _get_ready(self) -> None:
        game = game_of_player(self.game_id, self.user())
        if game is not None and game.is_live:
            sessions.kept.ready(game)
            if (case := catalogue.case_for(game)) is not None:
                get_ready(case.seats[OTHER_SEAT[seat_of(game)]])

    def at_once(self, frame: ClientFrame, permit: Permit) -> Taken | None:
        """Where the strategist sits."""
        act = parse_act(frame.data)
        return turn_at_once(game_id=self.game_id, permit=permit, action_id=frame.id, act=act)

    def _submit(self, frame: ClientFrame, read: Listening | None) -> Submitted | Clarify:
        player = self.user()
        if frame.type == "act":
            act = parse_act(frame.data)
            return services.turn_submit(
                game_id=self.game_id, player=player, action_id=frame.id, act=act, listening=read
            )
        if frame.type == "accept":
            offer = number_of(frame.data, "offer")
            return services.game_accept(
                game_id=self.game_id,
                player=player,
                action_id=frame.id,
                offer=offer,
                terms=terms_of(frame.data),
            )
        return services.game_walk_away(game_id=self.game_id, player=player, action_id=frame.id)

    def _preview(self, text: str) -> dict[str, Any]:
        game = game_of_player(self.game_id, self.user())
        if game is None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_game", "There is no such deal of yours.")
        return reading_at(game, text[:2000])
