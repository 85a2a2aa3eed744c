"""A persona for one game: its numbers jittered by the seed and scaled by the difficulty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.chance import Array, Chances, normal
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import SIGN, Seat

SECOND_ORDER_DEPTH = 0.9
_SECOND_ORDER_WARINESS = 0.6
_SHARK_AGGRESSION, _SHARK_REACH = 0.8, 0.30
"""An aggressive opener (aggression .8 and up) starts at least this far beyond the middle of the market."""


@dataclass(frozen=True, slots=True)
class Temper:
    """What the difficulty makes of a persona; the same in every game.

    ``margin`` is the share of the zone that it means to keep, ``hazard`` its chance to leave talks that give it
    nothing, ``warmth`` how far trust can move it, ``ease`` how readily it answers a concession (1 at the middle
    difficulty). ``wariness`` is the share of the player's toughness that it takes for show.
    """

    margin: float
    hazard: float
    warmth: float
    ease: float
    wariness: float


def temper_of(persona: Persona, difficulty: float) -> Temper:
    """The temper of a persona at ``difficulty`` in [0, 1]; .5 is the persona as described."""
    return Temper(
        margin=min(0.9, persona.margin * (0.55 + 0.9 * difficulty)),
        hazard=persona.breakdown_hazard * (0.4 + 1.2 * difficulty),
        warmth=(1 - persona.aggression) ** 1.5 * (1.4 - 0.8 * difficulty),
        ease=1.5 - 1.0 * difficulty,
        wariness=_SECOND_ORDER_WARINESS if is_second_order(persona) else max(0.0, 1.6 * (difficulty - 0.5)),
    )


def is_second_order(persona: Persona) -> bool:
    """Whether it models the player's model of it (level k = 2)."""
    return persona.tom_depth >= SECOND_ORDER_DEPTH


@dataclass(frozen=True, slots=True)
class Character:
    """The numbers that this game's opponent plays by.

    ``curvature`` is the beta of the aspiration curve (under 1: Boulware). ``stay`` is the last turn it stays
    for. ``warmth`` is how far trust can move it, ``ease`` how readily it answers a concession (1 at the middle
    difficulty). ``opening`` is money.
    """

    persona: Persona
    difficulty: float
    curvature: float
    stay: int
    margin: float
    hazard: float
    warmth: float
    ease: float
    wariness: float
    opening: float

    @classmethod
    def draw(
        cls,
        persona: Persona,
        scenario: Scenario,
        seat: Seat,
        difficulty: float,
        horizon: int,
        chances: Chances,
    ) -> Character:
        """Draw one game's character.

        Args:
            difficulty: in [0, 1]; .5 is the persona as described.
            chances: of this one game.
        """
        temper = temper_of(persona, difficulty)
        drawn = draw_numbers(persona, scenario, seat, difficulty, horizon, chances)
        return cls(
            persona=persona,
            difficulty=difficulty,
            curvature=float(drawn.curvature[0]),
            stay=int(drawn.stay[0]),
            margin=temper.margin,
            hazard=temper.hazard,
            ease=temper.ease,
            wariness=temper.wariness,
            warmth=temper.warmth,
            opening=float(drawn.opening[0]),
        )


@dataclass(frozen=True, slots=True)
class Numbers:
    """What chance adds to ``n`` characters: curvature, last turn, opening in money; each of shape ``(n,)``."""

    curvature: Array
    stay: Array
    opening: Array


def draw_numbers(
    persona: Persona, scenario: Scenario, seat: Seat, difficulty: float, horizon: int, chances: Chances
) -> Numbers:
    """Jitter a persona for ``n`` games."""
    noise = np.clip(normal(chances.character(4)), -3, 3)
    curve = 0.25 + 0.8 * (1 - persona.aggression) * (1 - 0.45 * persona.patience)
    stay = horizon * (0.62 + 0.38 * persona.patience) + 0.8 * noise[:, 1]
    reach = (0.8 + 0.55 * persona.aggression) * (1 + 0.06 * noise[:, 2])
    middle = scenario.nominal_middle
    opening = middle + reach * (scenario.seats[seat].opening - middle)
    if persona.aggression >= _SHARK_AGGRESSION:
        floor = middle * (1 + SIGN[seat] * (_SHARK_REACH + 0.02 * np.abs(noise[:, 3])))
        opening = np.maximum(opening, floor) if SIGN[seat] > 0 else np.minimum(opening, floor)
    return Numbers(
        curvature=curve * (1.5 - difficulty) * np.exp(0.12 * noise[:, 0]),
        stay=np.clip(np.rint(stay), 5, horizon),
        opening=opening,
    )
