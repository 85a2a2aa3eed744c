"""From a move that somebody made to the text a model would have to write to make it: how data is taught."""

from __future__ import annotations

import json
from typing import Any

from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Action, Belief, Observation
from negotiation.opponents.protocol.decision import Decision
from negotiation.opponents.protocol.lines import LINES
from negotiation.opponents.protocol.parsing import parse
from negotiation.opponents.protocol.ruler import Ruler, tenth
from negotiation.opponents.protocol.schema import EVENT_RANGE, MARKLESS, MAX_TEXT, lines_of
from negotiation.opponents.protocol.shape import Style, shape_of


def encode(action: Action, seen: Observation, scenario: Scenario, style: Style = "brief") -> str:
    """The decision that comes nearest to ``action``, as compact JSON.

    What the protocol cannot say is left out: packages side by side, and, in the ``brief`` style, words that are
    not on the menu. A part that it asks for and the action leaves open is stated as the market's usual.
    """
    shape = shape_of(seen, scenario, style, guarded=False)
    ruler = Ruler.of(seen, scenario)
    if action.accept or action.walk_away:
        act = "accept" if action.accept else "walk"
        return _compact({"act": act, "text": "" if style == "brief" else _plain(action.text)})
    data: dict[str, Any] = {"act": "talk" if action.offer is None else "offer"}
    if action.offer is not None:
        terms = dict(seen.own_terms) | dict(action.terms or {}) if scenario.issues else None
        data["offer"] = max(shape.offer[0], min(shape.offer[1], ruler.points(action.offer, terms)))
        if scenario.issues:
            data["terms"] = {issue: (terms or {})[issue] for issue, _ in shape.issues}
    data["card"] = action.card if action.card in shape.cards else "none"
    data["belief"] = _belief(action.belief, seen, scenario, ruler)
    if shape.event:
        data["event"] = max(-EVENT_RANGE, min(EVENT_RANGE, round(100 * (action.event_estimate or 0.0))))
    if shape.challenge:
        data["challenge"] = bool(action.challenge)
    data["text"] = action.text if action.text in LINES else _plain(action.text)
    lines = lines_of(shape, data["act"])
    if lines is not None and data["text"] not in lines:
        data["text"] = "" if data["act"] == "offer" else lines[0]
    return _compact(data)


def decision_of(action: Action, seen: Observation, scenario: Scenario, style: Style = "brief") -> Decision:
    """The decision that :func:`encode` writes: the action on the protocol's scale."""
    found = parse(encode(action, seen, scenario, style), seen, scenario, style, guarded=False)
    if found.decision is None:
        raise ValueError(f"the protocol cannot say this action: {'; '.join(found.errors)}")
    return found.decision


def _belief(stated: Belief | None, seen: Observation, scenario: Scenario, ruler: Ruler) -> dict[str, int]:
    usual = usual_belief(seen, scenario)
    said = stated or usual
    return {
        "limit": ruler.points(usual.walk_away if said.walk_away is None else said.walk_away),  # type: ignore[arg-type]
        "budget": ruler.points(usual.budget if said.budget is None else said.budget),  # type: ignore[arg-type]
        "urgency": tenth(usual.urgency if said.urgency is None else said.urgency),  # type: ignore[arg-type]
        "alternative": tenth(usual.p_alternative if said.p_alternative is None else said.p_alternative),  # type: ignore[arg-type]
        "sure": tenth(said.confidence),
    }


def usual_belief(seen: Observation, scenario: Scenario) -> Belief:
    """What the market alone says of the other side."""
    ruler = Ruler.of(seen, scenario)
    other = scenario.seats["buyer" if seen.seat == "seller" else "seller"]
    return Belief(
        walk_away=other.walk_away,
        budget=other.walk_away * (1 + ruler.sign * sum(other.budget_gap) / 2),
        urgency=sum(other.urgency) / 2,
        p_alternative=other.alternative_probability,
        confidence=0.1,
    )


def _plain(text: str) -> str:
    return "".join(ch for ch in text if ch in MARKLESS).strip()[:MAX_TEXT]


def _compact(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))
