"""The engine's side of a deal for three, rebuilt from its log; a few are kept at hand between turns.

A kept session is used only for the number of moves it stands at, and ``take`` removes it, so that a turn that fails
half-way leaves nothing behind. Callers hold the lock of the deal's row.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from typing import Any

from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.engine.coalition import CoalitionGame, Seat
from negotiation.engine.coalition.wire import action_from_json, entry_to_json
from negotiation.sessions import LogDiverged

KEPT = 64

_kept: OrderedDict[uuid.UUID, tuple[int, CoalitionGame]] = OrderedDict()
_lock = threading.Lock()


def start(deal: CoalitionDeal) -> CoalitionGame:
    """A session before the player's first move: personas seated before the player have acted."""
    return CoalitionGame(deal.scenario, deal.opponents, deal.seed)


def take(deal: CoalitionDeal) -> CoalitionGame:
    """The session at the deal's present move, which the caller may now step. ``keep`` gives it back."""
    with _lock:
        moves, game = _kept.pop(deal.id, (None, None))
    return game if game is not None and moves == deal.moves else rebuild(deal)


def keep(deal: CoalitionDeal, game: CoalitionGame) -> None:
    """Have the session at hand for the next move, once what it did is in the log."""
    with _lock:
        _kept[deal.id] = (deal.moves, game)
        _kept.move_to_end(deal.id)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def forget_all() -> None:
    """Drop every session: between tests, where rows of the same id may come again."""
    with _lock:
        _kept.clear()


def rebuild(deal: CoalitionDeal) -> CoalitionGame:
    """Replay the log, and make sure that it decides now what it decided then. Words may be found anew."""
    rows = CoalitionEvent.objects.filter(deal=deal, type="acted").order_by("seq")
    written: list[dict[str, Any]] = list(rows.values_list("data", flat=True))
    seat: Seat = deal.seat  # type: ignore[assignment]
    own = [(seat, action_from_json(data)) for data in written if data["seat"] == seat]
    game = CoalitionGame.replay(deal.scenario, deal.opponents, deal.seed, own)
    replayed = [entry_to_json(entry) for entry in game.table.entries]
    if [_decided(data) for data in replayed] != [_decided(data) for data in written]:
        raise LogDiverged(f"deal {deal.id} replays differently")
    return game


def _decided(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "text"}
