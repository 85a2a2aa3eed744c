"""The sockets of the board: a player's, and a spectator's by link. Everything else is the house's base socket."""

from __future__ import annotations

from typing import Any, ClassVar

from accounts.models import User
from negotiation.diplomacy import links, selectors, services
from negotiation.diplomacy.kind import BOARD
from negotiation.diplomacy.selectors import Opened
from negotiation.diplomacy.services import Edited
from negotiation.diplomacy.wording import promise_page
from negotiation.engine.diplomacy.geography import POWER_ID
from negotiation.engine.diplomacy.press.messages import LONGEST
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.press.reading import read
from negotiation.table import wire
from negotiation.table.feed import Source, Tail
from negotiation.table.sockets import Access, Denied, PlayerSocket
from negotiation.table.threads import in_database
from negotiation.table.watching import LinkSocket
from negotiation.table.wire import ClientFrame, FrameRefused, text_of


class BoardSocket(PlayerSocket):
    """``/ws/diplomacy/<id>/``: open to those who sit at the table."""

    accepts: ClassVar[frozenset[str]] = frozenset(
        {"say", "order", "withdraw", "preview", "due", "resume", "ping"}
    )
    source: ClassVar[Source] = BOARD

    def place(self) -> selectors.Place:
        """The seat of the one who is signed in."""
        place = selectors.place_of(self.game_id, self.user())
        if place is None:
            raise Denied(wire.NO_SUCH_GAME, "no_such_game", "There is no such game of yours.")
        return place

    def authorize(self) -> Access:
        """Those at the table alone."""
        place = self.place()
        return Access(place.game.pk, place.role, False, over=not place.game.is_live)

    async def connect(self) -> None:
        """As every socket; what can be ordered now comes along."""
        await super().connect()
        if self.access is not None:
            await self._send_options()

    async def fed(self, tail: Tail) -> None:
        """After new rows: what can be ordered now."""
        await self._send_options()

    async def _send_options(self) -> None:
        found = await in_database(self._options)
        if found is not None:
            await self._send({"type": "options", "data": found})

    def _options(self) -> dict[str, Any] | None:
        place = self.place()
        if not place.game.is_live:
            return None
        options = selectors.options_of(selectors.sitting_of(place.game).state, selectors.power_of(place.seat))
        return {**options, "watchers": selectors.watchers_of(place.game)}

    async def handle(self, frame: ClientFrame, received: float) -> None:
        """What a player does is acknowledged once it is in the log."""
        if frame.type == "preview":
            found = await in_database(self._reading, frame.data)
            await self._send({"type": "reading", "id": str(frame.id), "data": found})
        elif frame.type == "due":
            await in_database(services.phase_due, game_id=self.game_id)
            await self._send({"type": "pong", "id": str(frame.id)})
        elif frame.type in ("say", "order", "withdraw"):
            seq = await in_database(self._act, frame)
            await self._send(wire.ack(frame.id, seq))
        else:
            await super().handle(frame, received)

    def _act(self, frame: ClientFrame) -> int:
        who: Any = {"game_id": self.game_id, "user": self.user(), "action_id": frame.id}
        if frame.type == "order":
            return services.orders_submit(**who, orders=_orders_of(frame.data))
        if frame.type == "withdraw":
            return services.orders_withdraw(**who)
        return services.message_say(
            **who,
            to=str(frame.data.get("to", "")),
            text=text_of(frame.data),
            bluff=frame.data.get("bluff") is True,
            edited=_edited_of(frame.data),
        )

    def _reading(self, data: dict[str, Any]) -> dict[str, Any]:
        """What the engine understands of a message that is being written."""
        place = self.place()
        power = selectors.power_of(place.seat)
        target = POWER_ID.get(str(data.get("to", "")), EVERYONE)
        state = selectors.sitting_of(place.game).state
        speech = read(text_of(data)[:LONGEST], power, target, state)
        return {
            "promises": [promise_page(promise) for promise in speech.promises],
            "asks": [promise_page(promise) for promise in speech.asks],
            "agrees": speech.agrees,
        }


class BoardWatchSocket(LinkSocket):
    """``/ws/board-watch/<token>/``: the link is the permission, and shows what its maker may see."""

    source: ClassVar[Source] = BOARD

    def found(self, token: str, viewer: User | None) -> Opened:
        """Nobody watches the truth of a game that they play."""
        return selectors.link_opened(token, viewer)

    def authorize(self) -> Access:
        """Ask the link again each time."""
        opened, viewer = self.opened()
        links.link_view(opened=opened, viewer=viewer)
        game = opened.link.game
        return Access(game.pk, opened.role, False, over=not game.is_live)


def _orders_of(data: dict[str, Any]) -> list[str]:
    orders = data.get("orders")
    if not isinstance(orders, list) or len(orders) > 40 or not all(isinstance(one, str) for one in orders):
        raise FrameRefused("bad_field", "orders must be a list of texts.", field="orders")
    return orders


def _edited_of(data: dict[str, Any]) -> Edited:
    dropped, until = data.get("dropped", []), data.get("until", {})
    if not isinstance(dropped, list) or not all(_whole(one) for one in dropped):
        raise FrameRefused("bad_field", "dropped must be a list of numbers.", field="dropped")
    if not isinstance(until, dict) or not all(key.isdecimal() and _whole(one) for key, one in until.items()):
        raise FrameRefused("bad_field", "until must give a turn for a number.", field="until")
    return Edited(frozenset(dropped), {int(key): one for key, one in until.items()})


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000
