"""What words say and do at a table of two people: for the table's heat and for their writer, never for the reader.

The one across reads the words as they were written, and the package as it was bound.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from negotiation import catalogue
from negotiation.engine.deal import Action
from negotiation.engine.deal.listening import hear
from negotiation.engine.deal.pair import PairTable
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.engine.language import CONFIDENCE_TO_BIND, named_terms
from negotiation.pairs.models import PairDeal, PairEvent
from negotiation.pairs.sessions import scenario_of
from negotiation.reading import heard_in_preview, read_snapshot, without_terms


def heard(action: Action, table: PairTable, seat: Seat) -> Action:
    """The move with what its words do; nothing, where there is no case to talk about."""
    if table.case is None or action.accept or action.walk_away:
        return action
    view = table.observe(seat)
    said = [move.text for move in view.transcript if move.side == "opponent"]
    listening = hear(
        action.text,
        speaker=table.case.seats[seat],
        listener=table.case.seats[OTHER_SEAT[seat]],
        told=tuple(each.id for each in view.told),
        last_line=said[-1] if said else "",
        settled=table.scenario.speaks_of,
    )
    return replace(action, talk=without_terms(listening, table.scenario))


def reading_at(deal: PairDeal, seat: Seat, text: str) -> dict[str, Any]:
    """What somebody's words would be read as now: the data of a ``reading`` frame, as at the deal for two."""
    closed = PairEvent.objects.filter(deal=deal, type="closed").latest("seq").data
    packages = closed["packages"]
    stands = {
        "own_offer": packages[seat]["price"],
        "standing_offer": packages[OTHER_SEAT[seat]]["price"],
    }
    scenario = scenario_of(deal)
    case = catalogue.case_on_texts(deal.case_text_id, deal.scenario_text_id)
    reading = read_snapshot(text, scenario=scenario, seat=seat, table=stands)
    theirs = PairEvent.objects.filter(deal=deal, type="moved", data__seat=OTHER_SEAT[seat]).order_by("seq")
    answers = [_answer(data) for data in theirs.values_list("data", flat=True)]
    return {
        **asdict(reading),
        "clear": reading.confidence >= CONFIDENCE_TO_BIND,
        "terms": named_terms(text, scenario.option_names),
        "case": case and heard_in_preview(text, case, scenario, seat, answers),
    }


def _answer(moved: dict[str, Any]) -> dict[str, Any]:
    """Somebody's move as the words after it are heard in answer to it."""
    talk = moved["own"].get(moved["seat"], {}).get("talk", ())
    told = [{"id": each["id"]} for each in talk if each["act"] == "disclose"]
    return {"text": moved["text"], "told": told}
