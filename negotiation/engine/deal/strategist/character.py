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
_SHARK_AGGRESSION, _SHARK_REACH, _REACH_JITTER = 0.8, 0.30, 0.02
"""An aggressive opener (aggression .8 and up) starts at least this far beyond the middle of the market."""
_WARY_FROM, _PER_DIFFICULTY = 0.5, 1.6
"""Who does not model the player's model of it grows wary with the difficulty, beyond the middle one."""

# The difficulty, 0 to 1: at .5 each of these leaves a persona as it is described.
_MARGIN_EASIEST, _MARGIN_PER_DIFFICULTY, _LARGEST_MARGIN = 0.55, 0.9, 0.9
_HAZARD_EASIEST, _HAZARD_PER_DIFFICULTY = 0.4, 1.2
_WARMTH_EASIEST, _WARMTH_PER_DIFFICULTY = 1.4, 0.8
_EASE_EASIEST, _EASE_PER_DIFFICULTY = 1.5, 1.0
_CURVE_EASIEST = 1.5
_COLD = 1.5
"""The power of gentleness (1 - aggression) that is warmth: the aggressive are cold well before they are all aggression."""

# What a game's chance makes of a character.
JITTERED = 4
"""Numbers of a character that chance touches."""
_LARGEST_JITTER = 3.0
"""Standard deviations beyond which chance is cut, so that no game has a character that is nobody's."""
_CURVE_LEAST, _CURVE_OF_GENTLE, _CURVE_OF_PATIENT, _CURVE_JITTER = 0.25, 0.8, 0.45, 0.12
"""Boulware (.25) for the aggressive; towards linear for the gentle, less so for the patient."""
_STAY_LEAST, _STAY_OF_PATIENT, _STAY_JITTER, SHORTEST_STAY = 0.62, 0.38, 0.8, 5
"""The share of the horizon that the least patient stay for; the most patient stay to the end. In turns: jitter, least."""
_REACH_LEAST, _REACH_OF_AGGRESSIVE, _OPENING_JITTER = 0.8, 0.55, 0.06
"""How far from the middle it opens, in shares of the scenario's own opening."""


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
        margin=min(_LARGEST_MARGIN, persona.margin * (_MARGIN_EASIEST + _MARGIN_PER_DIFFICULTY * difficulty)),
        hazard=persona.breakdown_hazard * (_HAZARD_EASIEST + _HAZARD_PER_DIFFICULTY * difficulty),
        warmth=(1 - persona.aggression) ** _COLD * (_WARMTH_EASIEST - _WARMTH_PER_DIFFICULTY * difficulty),
        ease=_EASE_EASIEST - _EASE_PER_DIFFICULTY * difficulty,
        wariness=_SECOND_ORDER_WARINESS
        if is_second_order(persona)
        else max(0.0, _PER_DIFFICULTY * (difficulty - _WARY_FROM)),
    )


def usual_stay(persona: Persona, horizon: int) -> float:
    """How many turns it would stay for, were there no chance: its patience's share of the horizon."""
    return horizon * (_STAY_LEAST + _STAY_OF_PATIENT * persona.patience)


def expected_stay(persona: Persona, horizon: int) -> int:
    """The last turn on which a persona can be expected to be at the table, from its public patience."""
    return max(SHORTEST_STAY, round(usual_stay(persona, horizon)) - 1)


def is_second_order(persona: Persona) -> bool:
    """Whether it models the player's model of it (level k = 2)."""
    return persona.tom_depth >= SECOND_ORDER_DEPTH


@dataclass(frozen=True, slots=True)
class Character:
    """The numbers that this game's opponent plays by.

    ``curvature`` is the beta of the aspiration curve (under 1: Boulware). ``stay`` is the last turn it stays
    for. ``opening`` is money.
    """

    persona: Persona
    temper: Temper
    curvature: float
    stay: int
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
        drawn = draw_numbers(persona, scenario, seat, difficulty, horizon, chances)
        return cls(
            persona=persona,
            temper=temper_of(persona, difficulty),
            curvature=float(drawn.curvature[0]),
            stay=int(drawn.stay[0]),
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
    noise = np.clip(normal(chances.character(JITTERED)), -_LARGEST_JITTER, _LARGEST_JITTER)
    for_curve, for_stay, for_opening, for_reach = noise.T
    curve = _CURVE_LEAST + _CURVE_OF_GENTLE * (1 - persona.aggression) * (
        1 - _CURVE_OF_PATIENT * persona.patience
    )
    stay = usual_stay(persona, horizon) + _STAY_JITTER * for_stay
    reach = (_REACH_LEAST + _REACH_OF_AGGRESSIVE * persona.aggression) * (1 + _OPENING_JITTER * for_opening)
    middle = scenario.nominal_middle
    opening = middle + reach * (scenario.seats[seat].opening - middle)
    if persona.aggression >= _SHARK_AGGRESSION:
        floor = middle * (1 + SIGN[seat] * (_SHARK_REACH + _REACH_JITTER * np.abs(for_reach)))
        opening = np.maximum(opening, floor) if SIGN[seat] > 0 else np.minimum(opening, floor)
    return Numbers(
        curvature=curve * (_CURVE_EASIEST - difficulty) * np.exp(_CURVE_JITTER * for_curve),
        stay=np.clip(np.rint(stay), SHORTEST_STAY, horizon),
        opening=opening,
    )
