"""Personas: who sits across. A character is its numbers, in its own folder (``engine/personas``); every number acts.

========================  =====================================================================
aggression                opening anchor, curvature of concessions, heat it adds to the table
patience                  how long it stays, how it discounts delay (Rubinstein 1982)
bluff_rate                willingness to state a false floor or an artificial deadline
tom_depth                 how sharply it infers your limit, whether it sees through your claims
mev_sensitivity           how far a market headline moves its walk-away
anchor_pull               how far your first number moves its belief (Tversky & Kahneman 1974)
breakdown_hazard          chance per turn to leave talks that give it nothing
reciprocity               share of your concession that it returns
behaviour_weight          weight of your behaviour against its own time plan
margin                    share of the zone it believes in that it means to keep
========================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

from negotiation.engine.deal.case.acts import Topic
from negotiation.engine.language import Voice
from negotiation.engine.personas import NUMBERS, folders, manner, table


@dataclass(frozen=True, slots=True)
class Persona:
    """One character. Shares and probabilities lie in [0, 1]."""

    id: str
    name: str
    title: str
    tagline: str
    advice: str
    voice: Voice
    """The id of the persona whose lines it speaks."""
    aggression: float
    patience: float
    bluff_rate: float
    tom_depth: float
    mev_sensitivity: float
    anchor_pull: float
    breakdown_hazard: float
    reciprocity: float
    behaviour_weight: float
    margin: float
    speaks_first: bool
    opens_with_offer: bool

    @property
    def minds(self) -> tuple[Topic, ...]:
        """What it minds most, by its manner."""
        return cast(tuple[Topic, ...], manner(self.voice).minds)

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, float) and not 0 <= value <= 1:
                raise ValueError(f"persona {self.id}: {field.name} must lie in [0, 1], not {value}")


def persona_of(id_: str, numbers: Mapping[str, Any]) -> Persona:
    """A persona from the table of its ``numbers.toml``; it has a voice of its own unless it names another's."""
    told = {name: value for name, value in numbers.items() if name != "order"}
    return Persona(**{"id": id_, "voice": id_, **told})


def personas() -> dict[str, Persona]:
    """All personas by id, easiest first."""
    return _personas(tuple(folders().items()))


@cache
def _personas(found: tuple[tuple[str, Path], ...]) -> dict[str, Persona]:
    return {id_: persona_of(id_, table(id_, NUMBERS)) for id_, _ in found}
