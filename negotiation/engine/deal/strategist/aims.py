"""What a persona aims at: the share it keeps, how it answers a step, when it signs; for one game and for many.

The scalar mind gives floats, the batched mind arrays with a row a game, to the same formulas: what is changed here is
changed in both. All values are in the persona's value space.
"""

from __future__ import annotations

import numpy as np

from negotiation.engine.deal.chance import Number
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.rows import Mask
from negotiation.engine.deal.strategist.character import Temper
from negotiation.engine.deal.strategist.pace import either, greater, lesser
from negotiation.engine.deal.strategist.trust import START

_URGENCY_USUAL, _PER_URGENCY = 0.45, 0.18
"""Who is more pressed than usual keeps less of the zone, by this share a point of urgency."""
WITH_ALTERNATIVE, WITHOUT_ALTERNATIVE = 0.04, -0.02
"""What another deal in hand adds to the share that it keeps, and what having none takes off it."""
_DISTRUST, _PER_TRUST = 0.9, 2.0
"""At trust 0 the warm keep this much more than planned, and this much less a point of trust: even at .45."""
_SOFTENING = 1.6
"""How much of its share a persona gives up for a point of having been worn down (``impression.STEP_WHEN_CAUGHT``)."""
_LEAST_KEPT, _MOST_KEPT = 0.05, 0.92
"""Whatever the mood: nobody means to keep nothing, and nobody leaves the other nothing."""

_KINDER_WITH_TRUST = 0.6
"""A concession is answered by this much more or less a point of trust above or below where it starts."""
_CAUGHT_STEP = 0.18
"""Caught bluffing, it comes this share of the way towards its limit at once."""
RESTATED_ABOVE = 0.12
"""Overtaken by news it starts again this share of the zone above its new limit: room to come down from."""

_HALF_AT_THE_END = 0.5
"""On its last turn a persona lets what is left of its objections count for half."""
FIRST_MOVER_AGGRESSION = 0.8
"""From this aggression on a persona never concedes first, until its own clock makes it (Rubinstein 1982)."""
_WAITS_FOR, _BY_PATIENCE, _BY_URGENCY = 0.25, 0.5, 0.15
"""It gives way with this share of its clock left, later with less patience, sooner when pressed."""

ALLOWANCE, ALLOWANCE_PER_TURN = 0.05, 0.012
"""What the Veteran may give beyond what it got, as shares of the nominal zone."""
_RETURNED = 0.95
"""The share of all it was given that the Veteran may give back: nearly all, and never more."""
OWED = 0.6
"""The share of a concession that even the Veteran answers at once."""
LEAD = 0.22
"""The share of its own plan that it moves unasked, towards a player who keeps faith."""

_KEEPS_ITS_WORD = 0.8
"""A floor that it has stated binds it for this share of its stay; then the deal is worth more than the word."""

_FRAME = 0.03
"""How much a gain or a loss against the reference is felt, as a share of the zone: it tips a close call."""
SOON = 3
"""With no more turns than this left it takes less than it would ask for."""
_HELD, _HELD_BY_PATIENCE = 0.9, 0.1
"""Near the end it waives what is left of its demand beyond its aim, all but a tenth; the patient even that."""
_FAITH_OF_ZONE = 0.5
"""A player who has given this share of the zone has shown all the good faith there is."""
_LEAST_AT_END, _LESS_FOR_FAITH = 0.95, 0.28
"""What of its share it must get on the last turn to sign, and what good faith takes off that."""


def kept_share(
    temper: Temper, urgency: Number, alternative: Number | float, trust: Number, softened: Number
) -> Number:
    """Share of the believed zone that it means to keep at the end.

    Args:
        alternative: ``WITH_ALTERNATIVE`` or ``WITHOUT_ALTERNATIVE``.
        softened: how far being caught has worn it down.
    """
    kept = temper.margin - _PER_URGENCY * (urgency - _URGENCY_USUAL) + alternative
    kept = kept * (1.0 + temper.warmth * (_DISTRUST - _PER_TRUST * trust))
    return lesser(greater(kept * (1 - _SOFTENING * softened), _LEAST_KEPT), _MOST_KEPT)


def believed_limit(mean: Number, market: float, wariness: float) -> Number:
    """The player's limit as it goes into decisions.

    Toughness is also a way of being read: the wary take only part of what it suggests.
    """
    return mean + wariness * greater(market - mean, 0.0)


def answer(held: Number, persona: Persona, temper: Temper, trust: Number, given: Number) -> Number:
    """Where a concession that counts for ``given`` would bring it: more of it is returned to the trusted."""
    trusted = 1 + _KINDER_WITH_TRUST * temper.warmth * (trust - START)
    return held - persona.reciprocity * temper.ease * trusted * greater(given, 0.0)


def caught_step(held: Number, reservation: Number) -> Number:
    """What it gives at once when it is caught bluffing."""
    return _CAUGHT_STEP * greater(held - reservation, 0.0)


def wish(
    persona: Persona,
    planned: Number,
    answered: Number,
    bought: Number | float,
    caught: Number | float,
    held: Number,
    end: Number,
) -> Number:
    """Its next offer: between its plan and its answer, less what a card bought and being caught costs it; never up
    again, never past its end."""
    weight = persona.behaviour_weight
    wished = (1 - weight) * planned + weight * answered - bought - caught
    return lesser(greater(wished, lesser(end, held)), held)


def waits_until(persona: Persona, urgency: Number) -> Number:
    """The share of its clock left at which the aggressive concede first after all."""
    return _WAITS_FOR + _BY_PATIENCE * persona.patience - _BY_URGENCY * urgency


def second_range(
    held: Number,
    wished: Number,
    end: Number,
    given: Number,
    conceded: Number,
    own_conceded: Number,
    ease: float,
    turn: int,
    scale: float,
) -> tuple[Number, Number]:
    """The offers that the second thought chooses among, lowest and highest: it answers what was given, and gives
    little more.

    Args:
        given: what the player conceded on this turn.
        conceded, own_conceded: what the player and it have conceded in all.
    """
    allowance = (ALLOWANCE + ALLOWANCE_PER_TURN * turn) * scale
    budget = _RETURNED * conceded + ease * allowance - own_conceded
    lowest = greater(held - greater(budget, 0.0), wished)
    owed = OWED * ease * greater(given, 0.0)
    in_good_faith: bool | Mask = conceded >= OWED * own_conceded
    lead = either(in_good_faith, LEAD * ease * (held - wished), 0.0)
    highest = greater(greater(held - owed - lead, lowest), lesser(end, held))
    return lowest, highest


def patience_left(persona: Persona, turns_left: Number) -> Number:
    """The discount of waiting a turn, with so many left: its patience is for the whole of them."""
    discount: Number = np.power(persona.patience, 1.0 / turns_left)
    return discount


def word_binds_until(stay: Number) -> Number:
    """The turn from which a floor that it has stated binds it no more."""
    return _KEEPS_ITS_WORD * stay


def felt(prospect: Number, scale: float) -> Number:
    """Prospect framing, in money: an offer above the reference feels better, one below it 2.25 times as bad.

    Args:
        prospect: the felt value (``prospect_value``) of the distance from the reference, in zones.
    """
    return _FRAME * scale * lesser(greater(prospect, -1.0), 1.0)


def near_enough(persona: Persona, end: Number, target: Number) -> Number:
    """What it takes when few turns are left."""
    patience = _HELD + _HELD_BY_PATIENCE * persona.patience
    return end + (1 - patience) * (target - end)


def least_share(kept: Number, conceded: Number, scale: float) -> Number:
    """What it must get on the last turn to sign rather than leave; good faith makes it kinder."""
    good_faith = lesser(conceded / (_FAITH_OF_ZONE * scale), 1.0)
    return kept * (_LEAST_AT_END - _LESS_FOR_FAITH * good_faith)


def effective_reservation(
    reservation: Number, hold: Number, scale: float, standing: Number, is_last: bool | Mask
) -> Number:
    """How far a persona goes while objections are open, in its value space: short of its limit, and never above what it
    has on the table itself.

    Args:
        hold: of open objections, as a share of ``scale``, the nominal zone.
        standing: what its own package is worth to it; infinite where it has none.
        is_last: whether its clock has run, in turns on which the player put something on the table.
    """
    kept = reservation + either(is_last, hold * 0.0 + _HALF_AT_THE_END, 1.0) * hold * scale
    return greater(lesser(kept, standing), reservation)
