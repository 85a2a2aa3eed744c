"""Engine records as plain JSON values, and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from negotiation.engine.deal.case.acts import Asked, Talk
from negotiation.engine.deal.issues import Package
from negotiation.engine.deal.types import Action, Belief


def to_json(value: Any) -> Any:
    """Dataclasses become objects, tuples lists; numbers, strings, booleans and ``None`` stay.

    A field that says so is left out while it is empty: what was written before there was one stays as it was.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_json(part)
            for field in fields(value)
            if (part := getattr(value, field.name)) or not field.metadata.get("left_out_when_empty")
        }
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(item) for item in value]
    return value


def action_from_json(data: dict[str, Any]) -> Action:
    """An :class:`Action` from its JSON form; unknown keys are refused by the constructor."""
    belief, asked = data.get("belief"), data.get("asked")
    return Action(
        **{
            **data,
            "belief": None if belief is None else Belief(**belief),
            "alternatives": tuple(Package(**package) for package in data.get("alternatives") or ()),
            "talk": tuple(Talk(**each) for each in data.get("talk") or ()),
            "asked": asked
            and Asked(
                tuple(asked["labels"]),
                tuple(asked["likely"]),
                asked["stands_out"],
                tuple(asked.get("left", ())),
                tuple(asked.get("particulars", ())),
            ),
        }
    )
