"""The engine's side of a deal between two people, rebuilt from its log and kept at hand (``table.sessions``)."""

from __future__ import annotations

from typing import Any

from negotiation import catalogue
from negotiation.engine.deal import Action, Scenario
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import Seat
from negotiation.engine.deal.wire import action_from_json, to_json
from negotiation.pairs.models import PairDeal, PairEvent
from negotiation.pairs.record import SEATS
from negotiation.table.errors import LogDiverged
from negotiation.table.sessions import Kept

KEPT = 128


def scenario_of(deal: PairDeal) -> Scenario:
    """The scenario that this deal was opened with."""
    return catalogue.on_texts(deal.scenario, deal.scenario_version, deal.scenario_text_id)


def start(deal: PairDeal) -> PairTable:
    """A session before the first move."""
    return replayed(deal, [])


def replayed(deal: PairDeal, moves: list[tuple[Seat, Action]]) -> PairTable:
    """A session after these moves."""
    case = catalogue.case_on_texts(deal.case_text_id, deal.scenario_text_id)
    opens: Seat = "seller" if deal.opens == "seller" else "buyer"
    return PairTable.replay(
        scenario_of(deal), deal.seed, opens, moves, horizon=deal.horizon, case=case or False
    )


def rebuild(deal: PairDeal) -> PairTable:
    """Replay the log, and make sure that it comes to what it came to then."""
    rows = PairEvent.objects.filter(deal=deal, type__in=("moved", "closed")).order_by("seq")
    logged = list(rows.values_list("type", "data"))
    table = replayed(deal, [(data["seat"], action_of(data)) for kind, data in logged if kind == "moved"])
    stood = [data for kind, data in logged if kind == "closed"]
    if stood and table.end is None and not _is(table, stood[-1]):
        raise LogDiverged(f"deal {deal.id} replays differently")
    return table


def action_of(data: dict[str, Any]) -> Action:
    """The engine's action for a logged move."""
    own: dict[str, Any] = data["own"].get(data["seat"], {})
    parts = {name: data[name] for name in ("text", "offer", "terms", "accept", "walk_away")}
    return action_from_json({**parts, "belief": own.get("belief"), "talk": own.get("talk")})


def _is(table: PairTable, closed: dict[str, Any]) -> bool:
    """Whether a session stands where the log says that the table stood."""
    return table.moves == closed["move"] and all(
        to_json(table.truth(seat)) == closed["own"][seat]["own"]
        and table.observe(seat).own_offer == closed["packages"][seat]["price"]
        for seat in SEATS
    )


kept: Kept[PairDeal, PairTable] = Kept(KEPT, at=lambda deal: deal.moves, rebuild=rebuild)
