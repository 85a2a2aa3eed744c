"""The engine's side of a deal for three, rebuilt from its log and kept at hand (``table.sessions``)."""

from __future__ import annotations

from typing import Any

from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.engine.coalition import CoalitionGame, Seat
from negotiation.engine.coalition.wire import action_from_json, entry_to_json
from negotiation.table.errors import LogDiverged
from negotiation.table.sessions import Kept

KEPT = 64


def start(deal: CoalitionDeal) -> CoalitionGame:
    """A session before the player's first move: personas seated before the player have acted."""
    return CoalitionGame(deal.scenario, deal.opponents, deal.seed)


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


kept: Kept[CoalitionDeal, CoalitionGame] = Kept(KEPT, at=lambda deal: deal.moves, rebuild=rebuild)
