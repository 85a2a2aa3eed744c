"""From what a model wrote to a decision, or to what is wrong with it, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import SIGN, Belief, Observation
from negotiation.opponents.protocol.decision import Act, Decision
from negotiation.opponents.protocol.lines import OFFER_MARK, not_again, spelt
from negotiation.opponents.protocol.ruler import HIGH_POINTS, LOW_POINTS, Ruler, share_of
from negotiation.opponents.protocol.schema import (
    BELIEF_POINTS,
    BELIEF_TENTHS,
    EVENT_RANGE,
    MOVING,
    cards_of,
    lines_of,
    text_fault,
)
from negotiation.opponents.protocol.shape import Shape, Style, shape_of


@dataclass(frozen=True, slots=True)
class Parsed:
    """Either a decision, or at least one error."""

    decision: Decision | None
    errors: tuple[str, ...] = ()


def parse(
    text: str, seen: Observation, scenario: Scenario, style: Style = "full", *, guarded: bool = True
) -> Parsed:
    """Read one decision. Never raises, whatever ``text`` is.

    Args:
        style: ``full`` takes any words in plain characters; ``brief`` is as strict as its menu of lines. What is
            taken is what schema and grammar let through, but for white space and the order of the fields.
        guarded: whether a decision beyond one's own limit is an error.
    """
    shape = shape_of(seen, scenario, style, guarded=guarded)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return Parsed(None, ("it is not one JSON object",))
    if not isinstance(data, dict):
        return Parsed(None, ("it is not one JSON object",))
    act = data.get("act")
    if act not in shape.acts:
        return Parsed(None, (f"act must be one of {', '.join(shape.acts)}",))
    errors = tuple(_errors(data, shape, act))
    if errors:
        return Parsed(None, errors)
    decision = _decision(data, Ruler.of(seen, scenario), act, scenario)
    return Parsed(decision if shape.lines is None else _steadied(decision, seen))


def _steadied(decision: Decision, seen: Observation) -> Decision:
    """What a small model means: it draws digits one by one and does not see what it has said.

    A line is not said twice, and of an offer on the same terms that takes back a better one, the better one stands.
    """
    said = {move.text for move in seen.transcript if move.side == "player"}
    text = not_again(decision.text, said, needed=decision.act == "talk")
    offer, before = decision.offer, seen.own_offer
    if offer is not None and before is not None and dict(decision.terms or {}) == dict(seen.own_terms):
        taken_back = SIGN[seen.seat] * (offer - before) > 0
        offer = before if taken_back else offer
    if offer == decision.offer:
        return replace(decision, text=text)
    names_it = f"{decision.offer:,.0f}" in text
    return replace(decision, offer=offer, text="" if names_it else text)


def _errors(data: dict[str, Any], shape: Shape, act: Act) -> list[str]:
    wanted = ["act", "text"]
    found: list[str] = []
    if act == "offer":
        wanted.append("offer")
        found += _whole(data.get("offer"), "offer", *shape.offer)
        if shape.issues:
            wanted.append("terms")
            found += _terms(data.get("terms"), shape)
    if act in MOVING:
        wanted += ["card", "belief"]
        if data.get("card") not in cards_of(shape, act):
            found.append(f"card must be one of {', '.join(cards_of(shape, act))}")
        found += _belief(data.get("belief"))
        if shape.event:
            wanted.append("event")
            found += _whole(data.get("event"), "event", -EVENT_RANGE, EVENT_RANGE)
        if shape.challenge:
            wanted.append("challenge")
            if not isinstance(data.get("challenge"), bool):
                found.append("challenge must be true or false")
    found += _words(data.get("text"), shape, act)
    return found + _keys(data, wanted, "")


def _keys(data: Mapping[str, Any], wanted: list[str], within: str) -> list[str]:
    extra = [f"{within}{key} does not belong here" for key in sorted(set(data) - set(wanted))]
    return extra + [f"{within}{key} is missing" for key in wanted if key not in data]


def _whole(value: Any, name: str, low: int, high: int) -> list[str]:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        return [f"{name} must be a whole number from {low} to {high}"]
    return []


def _terms(value: Any, shape: Shape) -> list[str]:
    if not isinstance(value, dict):
        return ["terms must be an object"]
    found = _keys(value, [issue for issue, _ in shape.issues], "terms.")
    for issue, options in shape.issues:
        if issue in value and value[issue] not in options:
            found.append(f"terms.{issue} must be one of {', '.join(options)}")
    return found


def _belief(value: Any) -> list[str]:
    if not isinstance(value, dict):
        return ["belief must be an object"]
    found = _keys(value, [*BELIEF_POINTS, *BELIEF_TENTHS], "belief.")
    for name in BELIEF_POINTS:
        found += _whole(value.get(name), f"belief.{name}", LOW_POINTS, HIGH_POINTS)
    for name in BELIEF_TENTHS:
        found += _whole(value.get(name), f"belief.{name}", 0, 9)
    return found


def _words(value: Any, shape: Shape, act: Act) -> list[str]:
    if not isinstance(value, str):
        return ["text must be a string"]
    lines = lines_of(shape, act)
    if lines is not None:
        return [] if value in lines else ["text must be one of the lines that go with this act"]
    fault = text_fault(value, act)
    return [] if fault is None else [fault]


def _decision(data: dict[str, Any], ruler: Ruler, act: Act, scenario: Scenario) -> Decision:
    text = data["text"]
    if act not in MOVING:
        return Decision(act, text=text)
    terms = data.get("terms")
    offer = ruler.money(data["offer"], terms) if act == "offer" else None
    if offer is not None:
        text = text.replace(OFFER_MARK, spelt(offer, scenario))
    stated = data["belief"]
    return Decision(
        act=act,
        offer=offer,
        terms=terms,
        card=None if data["card"] == "none" else data["card"],
        belief=Belief(
            walk_away=ruler.money(stated["limit"]),
            budget=ruler.money(stated["budget"]),
            urgency=share_of(stated["urgency"]),
            p_alternative=share_of(stated["alternative"]),
            confidence=share_of(stated["sure"]),
        ),
        challenge=data.get("challenge"),
        event=data["event"] / 100 if "event" in data else None,
        text=text,
    )
