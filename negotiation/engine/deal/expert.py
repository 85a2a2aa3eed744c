"""Strategies that infer: a Bayesian planner, and the expert against whom the personas are measured.

Both know the scenario (its public prior), never the episode's truth.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from negotiation.engine.cards import GIFT, SILENCE
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.issues import bundle_of
from negotiation.engine.deal.persona import Persona, personas
from negotiation.engine.deal.strategies import PricePlanner
from negotiation.engine.deal.strategist.character import expected_stay
from negotiation.engine.deal.types import OTHER_SEAT, Action, Belief, CardId, Observation
from negotiation.engine.personas import USUAL


def _across(seen: Observation) -> Persona:
    known = personas()
    return known.get(seen.persona, known[USUAL])


class Bayesian(PricePlanner):
    """Infers the opponent's limit and plans to end at a share of the zone it believes in."""

    share = 0.55
    curvature = 0.5
    considers = 1.0

    def __init__(self) -> None:
        super().__init__()
        self._posterior: LimitPosterior | None = None
        self._observed = 0

    def believe(self, seen: Observation) -> LimitPosterior:
        """The posterior over the opponent's limit, updated with the offer seen last."""
        if self._posterior is None:
            self._posterior = LimitPosterior(
                prior_mean=self._sign * self.scenario.seats[OTHER_SEAT[seen.seat]].walk_away,
                prior_sd=0.3 * self.width,
                scale=self.width,
                horizon=seen.horizon,
            )
        if len(self._theirs) > self._observed:
            self._posterior.observe_offer(self._shown(seen), seen.turn - 1)
            self._observed = len(self._theirs)
        return self._posterior

    def _shown(self, seen: Observation) -> float:
        """How far towards its limit the other side goes with its last package, in value space."""
        bundle = bundle_of(self.scenario.issues, seen.standing_terms)
        return self._sign * (seen.standing_offer or 0.0) - float(self._typical[bundle])

    @property
    def joint_gain(self) -> float:
        """What the terms that it asks for are thought to add for both together."""
        return float((self._worths + self._typical)[self._bundle])

    def aim(self, seen: Observation, floor: float) -> float:
        """Where it means to end, in value space."""
        limit = self.believe(seen).mean()
        return floor + self.share * max(0.0, limit + self.joint_gain - floor)

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        opening = self.opening(seen, floor)
        end = max(floor, self.aim(seen, floor))
        return float(opening + (end - opening) * self.progress(seen) ** (1 / self.curvature))

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        estimate = self.believe(seen).estimate()
        limit = self._sign * estimate.mean
        gap = sum(self.scenario.seats[OTHER_SEAT[seen.seat]].budget_gap) / 2
        belief = Belief(
            walk_away=limit,
            budget=limit * (1 + self._sign * gap),
            urgency=sum(self.scenario.seats[OTHER_SEAT[seen.seat]].urgency) / 2,
            p_alternative=self.scenario.seats[OTHER_SEAT[seen.seat]].alternative_probability,
            confidence=float(np.clip(1 - estimate.sd / (0.5 * self.width), 0.05, 0.95)),
        )
        return replace(action, belief=belief)


QUESTIONS = (
    "What matters most to you in this deal, apart from the number?",
    "How did you arrive at that figure?",
    "Who else has to agree on your side, and what do they look at?",
    "What would make this easy for you to sign?",
    "What happens on your side if we do not close this month?",
    "Which part of the package is worth most to your team?",
    "How does this compare with what you planned for?",
    "What are you weighing this against?",
)
EMPATHY = (
    "I understand the position you are in, and I want this to work for both of us.",
    "I hear you; that constraint makes sense from where you sit.",
    "I appreciate that you moved, and I understand it was not easy.",
    "That is fair, and I see why it matters to you.",
    "I understand the pressure you are under. Let us find something that holds.",
)
SCEPTICISM = "I do not believe that is really your limit. Can you show me what it rests on?"
CLAIM_DOUBT = 0.11
"""A stated floor further than this from the market's centre is probably a bluff."""


class Expert(Bayesian):
    """Plays the person across: earns trust, keeps good faith cheaply, calls bluffs, waits out the hurried.

    It plans its last concession for the turn before it expects this persona to leave, concedes just enough on
    the way not to be walked out on, and closes on what is there when the clock has run.
    """

    share = 0.78
    start = 1.05
    good_faith = 0.03
    matching = 0.6

    def deadline(self, seen: Observation) -> int:
        """The last turn on which this persona can be expected to be at the table."""
        return expected_stay(_across(seen), seen.horizon)

    def opening(self, seen: Observation, floor: float) -> float:
        limit = self.believe(seen).mean()
        return max(floor + self.start * self.width, limit + self.joint_gain + 0.2 * self.width)

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        target = self.aim(seen, floor)
        if not self._mine:
            return self.opening(seen, floor)
        left = max(1, self.deadline(seen) - seen.turn)
        held, given = self._mine[-1], self._mine[0] - self._mine[-1]
        theirs = max(0.0, self._theirs[-1] - self._theirs[0]) if self._theirs else 0.0
        owed = max(self.good_faith * self.width * (seen.turn + 1), self.matching * theirs) - given
        planned = (held - target) / left
        return held - max(0.0, owed, planned)

    def accepts(self, seen: Observation, standing: float, wished: float, floor: float) -> bool:
        if standing >= wished:
            return True
        if seen.turn >= self.deadline(seen):
            return standing >= floor + 0.05 * self.width
        return False

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        action = super().dress(action, seen, rng)
        text = self._words(seen)
        doubtful = self._doubts_claim(seen)
        if doubtful:
            text = SCEPTICISM
        estimate = 0.0 if seen.pending_estimate is None else self._estimate(seen)
        return replace(
            action,
            text=text,
            card=self._card(seen),
            challenge=True if doubtful else None,
            event_estimate=estimate if seen.pending_estimate is not None else None,
        )

    def _words(self, seen: Observation) -> str:
        pool = QUESTIONS if seen.turn % 2 else EMPATHY
        index = seen.turn // 2
        return pool[index] if index < len(pool) else ""

    def _doubts_claim(self, seen: Observation) -> bool:
        if seen.open_claim is None:
            return False
        centre = self.scenario.seats[OTHER_SEAT[seen.seat]].walk_away
        return abs(seen.open_claim - centre) > CLAIM_DOUBT * centre

    def _card(self, seen: Observation) -> CardId | None:
        left = self.deadline(seen) - seen.turn
        if not self._mine or len(self._mine) < 2:
            return None
        if left <= 4 and GIFT in seen.cards and _across(seen).aggression < 0.8:
            return GIFT
        if left <= 6 and "reframe" in seen.cards:
            return "reframe"
        if _across(seen).patience < 0.5 and SILENCE in seen.cards and seen.turn % 2 == 0:
            return SILENCE
        return None

    def _estimate(self, seen: Observation) -> float:
        event = next(e for e in self.scenario.market if e.id == seen.pending_estimate)
        return _across(seen).mev_sensitivity * event.impact.get(OTHER_SEAT[seen.seat], 0.0)
