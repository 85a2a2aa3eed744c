"""The reward: every coefficient and every term of it, and nothing of it anywhere else.

Each turn earns ``2*dV + 5*ToM - 3*C - 10*N + 12*Bluff + 8*MEV``; the end of the game adds
``100*E + 20*S + 15*D - 200*[floor breached]``, or the price of failing to agree. Every function here is
pure: facts in, one :class:`Term` out, with the reason in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from negotiation.engine.deal.types import SIGN, Belief, Seat, SeatTruth, Term
from negotiation.engine.shares import percent


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Weights of the reward. The Greek names are those of the founding paper on the environment."""

    value: float = 2.0  # alpha
    theory_of_mind: float = 5.0  # beta
    capitulation: float = -3.0  # delta
    incoherence: float = -10.0  # theta
    bluff: float = 12.0  # psi
    market_event: float = 8.0  # mu
    efficiency: float = 100.0  # gamma
    speed: float = 20.0  # epsilon
    adaptation: float = 15.0  # zeta
    floor_breach: float = -200.0  # omega: a cliff, so that no price can pay for it
    no_deal: float = -100.0
    swallowed_bluff: float = -0.25  # share of ``bluff`` lost when a false floor goes unchallenged
    false_call: float = -1.0


COEFFICIENTS = Coefficients()

OMEGA_WARM_UP, OMEGA_WARM_UP_STEPS = -50.0, 30
BLUFF_TOLERANCE = 0.15
"""A stated floor is a bluff when it is further than this share from the true one."""
MARKET_EVENT_SCALE = 0.30
URGENCY_SCALE = 0.5
BELIEF_PARTS: tuple[Literal["budget", "urgency", "walk_away"], ...] = ("budget", "urgency", "walk_away")
SWALLOW_AFTER_TURNS = 2
ADAPT_WITHIN_TURNS = 3


def omega(training_step: int | None) -> float:
    """The floor-breach penalty: softened for the first training steps, then the cliff."""
    if training_step is not None and training_step < OMEGA_WARM_UP_STEPS:
        return OMEGA_WARM_UP
    return COEFFICIENTS.floor_breach


def _term(name: str, value: float, weight: float, why: str) -> Term:
    return Term(name, value, weight, value * weight, why)


def efficiency(price: float, walk_away: float, width: float, seat: Seat, sweetened: float = 0.0) -> float:
    """Share of the zone captured: ``sigma * (price - own walk-away) / width``, cut to [0, 1].

    ``sweetened`` is the net worth in money of sweeteners received minus given, from this seat's side.
    An empty zone (``width <= 0``) has nothing to capture: 0.
    """
    if width <= 0:
        return 0.0
    share = (SIGN[seat] * (price - walk_away) + sweetened) / width
    return min(1.0, max(0.0, share))


def is_bluff(claim: float, true_walk_away: float) -> bool:
    """Whether a stated floor is further than ``BLUFF_TOLERANCE`` from the true one."""
    return abs(claim - true_walk_away) > BLUFF_TOLERANCE * abs(true_walk_away)


def belief_accuracy(belief: Belief, truth: SeatTruth, width: float) -> dict[str, float]:
    """Accuracy in [0, 1] of each part of a stated belief; a part not stated scores 0."""
    scales = {"walk_away": width, "budget": width, "urgency": URGENCY_SCALE}
    scores: dict[str, float] = {}
    for part in BELIEF_PARTS:
        stated = getattr(belief, part)
        error = 1.0 if stated is None else abs(stated - getattr(truth, part)) / scales[part]
        scores[part] = 1.0 - min(1.0, error)
    return scores


def value_term(before: float | None, after: float | None, seat: Seat, width: float) -> Term:
    """dV: how far the opponent's standing offer moved the player's way, over the zone's width."""
    if before is None or after is None:
        return _term("value", 0.0, COEFFICIENTS.value, "No two offers of theirs to compare yet.")
    moved = SIGN[seat] * (after - before) / width
    why = (
        "Their offer did not move."
        if moved == 0
        else (
            f"Their offer moved {percent(abs(moved))} of the zone {'your way' if moved > 0 else 'away from you'}."
        )
    )
    return _term("value", moved, COEFFICIENTS.value, why)


def theory_of_mind_term(belief: Belief | None, truth: SeatTruth, width: float) -> Term:
    """ToM: mean accuracy of the stated belief about budget, urgency and walk-away."""
    if belief is None:
        return _term("theory_of_mind", 0.0, COEFFICIENTS.theory_of_mind, "No estimate stated this turn.")
    scores = belief_accuracy(belief, truth, width)
    mean = sum(scores.values()) / len(scores)
    parts = ", ".join(
        f"{name.replace('_', '-')} " + ("not stated" if getattr(belief, name) is None else percent(score))
        for name, score in scores.items()
    )
    return _term("theory_of_mind", mean, COEFFICIENTS.theory_of_mind, f"Your estimate was right by: {parts}.")


def capitulation_term(own_concession: float, their_concession: float, width: float) -> Term:
    """C: the player's own concession that the other side did not match, over the zone's width."""
    unmatched = max(0.0, own_concession - max(0.0, their_concession)) / width
    why = (
        "You gave nothing away unmatched."
        if unmatched == 0
        else (f"You conceded {percent(unmatched)} of the zone more than they gave back.")
    )
    return _term("capitulation", unmatched, COEFFICIENTS.capitulation, why)


def incoherence_term(reasons: Sequence[str]) -> Term:
    """N: 1 when the move contradicts itself, goes back on a better offer, or repeats itself."""
    why = "The move was coherent." if not reasons else "; ".join(reasons).capitalize() + "."
    return _term("incoherence", float(bool(reasons)), COEFFICIENTS.incoherence, why)


def bluff_term(verdict: Literal["caught", "false_call", "swallowed", "none"]) -> Term:
    """Bluff: a stated floor of theirs is called rightly, called wrongly, or swallowed. Once a claim."""
    value, why = {
        "caught": (1.0, "You called a bluff: the floor they stated was more than 15% off."),
        "false_call": (
            COEFFICIENTS.false_call,
            "You challenged a floor that was no bluff: it lay within 15% of theirs.",
        ),
        "swallowed": (COEFFICIENTS.swallowed_bluff, "A false floor went unchallenged."),
        "none": (0.0, "No claim was settled this turn."),
    }[verdict]
    return _term("bluff", value, COEFFICIENTS.bluff, why)


def market_event_term(estimate: float | None, actual: float | None) -> Term:
    """MEV: accuracy of the estimated relative effect of the latest headline on their walk-away."""
    if estimate is None or actual is None:
        return _term("market_event", 0.0, COEFFICIENTS.market_event, "No headline was estimated this turn.")
    accuracy = 1.0 - min(1.0, abs(estimate - actual) / MARKET_EVENT_SCALE)
    why = f"You estimated {estimate:+.1%}; the headline moved their limit by {actual:+.1%}."
    return _term("market_event", accuracy, COEFFICIENTS.market_event, why)


def speed_share(turn: int, horizon: int) -> float:
    """S: 1 for a close on the first turn, 0 on the last."""
    return 1.0 - (turn - 1) / (horizon - 1)


def deal_terms(
    share: float,
    turn: int,
    horizon: int,
    adapted: float | None,
    breached: bool,
    training_step: int | None = None,
) -> tuple[Term, ...]:
    """Terminal terms of an agreement. Speed and adaptation pay only for a deal that earns something."""
    counted = 0.0 if breached or share <= 0 else 1.0
    speed = counted * speed_share(turn, horizon)
    terms = [
        _term("efficiency", share, COEFFICIENTS.efficiency, f"You captured {percent(share)} of the zone."),
        _term("speed", speed, COEFFICIENTS.speed, f"Closed on turn {turn} of {horizon}."),
        _term(
            "adaptation",
            counted * (adapted or 0.0),
            COEFFICIENTS.adaptation,
            "No event asked for a change of course."
            if adapted is None
            else f"You adapted to {percent(adapted)} of the events that changed the deal.",
        ),
    ]
    if breached:
        terms.append(_term("floor_breach", 1.0, omega(training_step), "You closed beyond your own limit."))
    return tuple(terms)


def no_deal_terms(excused: bool) -> tuple[Term, ...]:
    """Terminal term without agreement; ``excused`` when there was no zone, or they destroyed it."""
    why = "There was no deal to be had; leaving was right." if excused else "There was a deal to be had."
    return (_term("no_deal", 0.0 if excused else 1.0, COEFFICIENTS.no_deal, why),)
