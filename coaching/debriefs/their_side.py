"""What the other side was hiding, turn by turn: for the review of a deal that is over, on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np

from coaching.analysis.finished_log import FinishedLog
from negotiation.engine.deal import personas
from negotiation.engine.deal.issues import bundle_of
from negotiation.engine.deal.observer import reference_posterior
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Headline

GIVEN_AWAY = 0.8
"""How likely the player's limit lies in the interval that its offers gave away, for who knows nothing else."""


class Guess(TypedDict):
    """An interval for the player's limit, on the ruler's scale."""

    low: float
    high: float


class Held(TypedDict):
    """What kept them most from going further: their words, and whether they had said it by then."""

    says: str
    said: bool


class TheirSide(TypedDict):
    """As it stood while a turn was played. ``limit`` is on the ruler's scale; ``urgency`` goes from 0 to 1.

    ``stated`` is the limit that they named with their answer, if they did, and ``stands`` whether it was true, shaded or
    false. ``yours`` is what the player's offers up to and with this turn gave away of its limit; ``None`` before the first.
    """

    turn: int
    limit: float
    urgency: float
    alternative: bool
    stated: float | None
    stands: str | None
    held: Held | None
    yours: Guess | None


def their_side(log: FinishedLog, debrief: Mapping[str, Any]) -> list[TheirSide]:
    """Their side on every turn of a finished deal, of which ``debrief`` is the debrief."""
    claims = {claim["turn"]: claim for claim in debrief["bluffs"]["theirs"]}
    return [_on(log, row, claims.get(row["turn"], {})) for row in debrief["offers"] if row["turn"] > 0]


def _on(log: FinishedLog, row: Mapping[str, Any], claim: Mapping[str, Any]) -> TheirSide:
    turn = row["turn"]
    before = [graded for graded in log.graded if graded["turn"] < turn] or log.graded[:1]
    open_ones = [each for each in before[-1].get("objections", ()) if each["left"] > 0]
    most = max(open_ones, key=lambda each: each["hold"] * each["left"], default=None)
    truth = log.truth_before(turn)["opponent"]
    return {
        "turn": turn,
        "limit": row["their_limit"],
        "urgency": truth["urgency"],
        "alternative": truth["has_alternative"],
        "stated": claim.get("claim"),
        "stands": claim.get("stands"),
        "held": {"says": most["says"], "said": most["raised"]} if most else None,
        "yours": _given_away(log, turn),
    }


def _given_away(log: FinishedLog, turn: int) -> Guess | None:
    """What the reference observer across the table would make of the player's offers."""
    offers = [
        (each, float(move["offer"]), bundle_of(log.scenario.issues, move.get("terms") or {}))
        for each, move in sorted(log.player.items())
        if each <= turn and move["offer"] is not None and not move["accept"]
    ]
    if not offers:
        return None
    news = [
        Headline(each["id"], each["kind"], each["turn"], each["text"])
        for each in log.news
        if each["turn"] < turn
    ]
    persona = personas()[log.game["persona"]]
    horizon = log.game["horizon"]
    posterior = reference_posterior(log.scenario, persona, log.seat, horizon, offers, news)
    limits, mass = posterior.density()
    tail = (1 - GIVEN_AWAY) / 2
    places = np.minimum(np.searchsorted(np.cumsum(mass), (tail, 1 - tail)), len(limits) - 1)
    low, high = sorted(float(SIGN[OTHER_SEAT[log.seat]] * limits[place]) for place in places)
    return {"low": low, "high": high}
