"""The deal for people who come from Gymnasium: numbers in, numbers out, one scenario and seat for each environment.

Not installed with Parlay: ``pip install gymnasium``. Prices are shares of the scenario's plausible range, 0 to 1. Words
are left out on both sides; who wants them plays over OpenEnv, or in process. With ``case`` what words do is a move
by number: what to ask, to tell and to argue.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from negotiation.engine.deal import CARDS, OTHER_SEAT, Action, ActionRefused, Belief, Negotiation, Observation
from negotiation.engine.deal.case.checks import MOST_TALK
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.moves import talk_moves
from negotiation.engine.deal.case.state import ToldFact
from negotiation.engine.deal.issues import bundle_of, bundles, terms_of
from negotiation.openenv.tables import (
    DEFAULT_PERSONA,
    DEFAULT_SCENARIO,
    DEFAULT_SEAT,
    MAX_SEED,
    Setup,
    first_turn,
    next_turn,
)

OFFER, ACCEPT, WALK_AWAY = 0, 1, 2
NOTHING = -1.0
"""Stands for a figure that is not there, such as an offer before the first one."""
REMEMBERED_OFFERS = 4
PLAIN = 0.5
"""Stands for a fact that was told and has no low or high cell."""
REFUSED_REWARD = -1.0
"""A move that cannot be made costs a little and changes nothing; twice the horizon of steps ends the episode."""
FEATURES = (
    "turn", "own_walk_away", "own_urgency", "own_has_alternative", "own_worth", "standing_offer", "standing_worth",
    "open_claim", "tension", "zopa_remaining", "credibility", "estimate_asked",
    *(f"their_offer_{back}_ago" for back in range(REMEMBERED_OFFERS)),
)  # fmt: skip

Features = npt.NDArray[np.float32]


class DealGym(gymnasium.Env[Features, dict[str, Any]]):
    """One table.

    Actions: ``kind`` offers, accepts or walks away; ``price`` and ``bundle`` (terms, numbered) say what is offered;
    ``card`` 0 plays none; ``limit`` is what the other side's limit is believed to be, which the reward grades.
    With a case, ``talk`` holds up to four things done with words, each a number of
    :func:`~negotiation.engine.deal.case.moves.talk_moves` counted from 1; 0 is none.
    Observations: :data:`FEATURES` and the terms of both packages; with a case the cells of the own facts and of those
    that were told (-1 where none was), the weights of the own needs, and which objections were raised.
    ``info`` holds the reward by name, the whole view of the player, and ``refused`` with a code where a move
    could not be made.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        scenario: str = DEFAULT_SCENARIO,
        persona: str = DEFAULT_PERSONA,
        seat: str = DEFAULT_SEAT,
        difficulty: float = 0.5,
        horizon: int | None = None,
        *,
        case: bool = False,
    ) -> None:
        self._setup = Setup(0, scenario, persona, seat, difficulty, horizon, speak=False, case=case)
        table = self._setup.deal()
        self._deal, self._case, self._seat = table.scenario, table.case, table.seat
        self._game: Negotiation | None = None
        self._steps = 0
        packages = len(bundles(self._deal.issues))
        share = spaces.Box(0.0, 1.0, (), np.float32)
        self._talk = talk_moves(self._case, self._seat) if self._case else ()
        says = {"talk": spaces.MultiDiscrete([len(self._talk) + 1] * MOST_TALK)} if self._case else {}
        self.action_space = spaces.Dict(
            {
                "kind": spaces.Discrete(3),
                "price": share,
                "bundle": spaces.Discrete(packages),
                "card": spaces.Discrete(len(CARDS) + 1),
                "limit": share,
                **says,
            }
        )
        self.observation_space = spaces.Dict(
            {
                "features": spaces.Box(NOTHING, 2.0, (len(FEATURES),), np.float32),
                "own_bundle": spaces.Discrete(packages),
                "standing_bundle": spaces.Discrete(packages),
                **(self._spaces_of(self._case) if self._case else {}),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Set up a deal: of this seed, or of one drawn from the environment's generator."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(MAX_SEED)) if seed is None else seed
        self._game = replace(self._setup, seed=drawn).deal()
        self._steps = 0
        turn = first_turn(self._game)
        return self._observed(turn.observation), {"view": turn.observation, "reward_terms": {}}

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play one move and hear the answer to it."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("reset first")
        self._steps += 1
        late = self._steps >= 2 * self._game.horizon
        try:
            turn = next_turn(self._game, self._game.step(self._engine_action(action)))
        except ActionRefused as refusal:
            view = self._game.observe()
            info = {"view": view, "reward_terms": {}, "refused": refusal.code}
            return self._observed(view), REFUSED_REWARD, False, late, info
        terms = {part.name: part.points for part in turn.reward_terms}
        info = {"view": turn.observation, "reward_terms": terms, "ending": turn.ending}
        return (
            self._observed(turn.observation),
            float(turn.reward or 0.0),
            turn.done,
            late and not turn.done,
            info,
        )

    def _engine_action(self, action: dict[str, Any]) -> Action:
        kind = int(action["kind"])
        if kind != OFFER:
            return Action(accept=kind == ACCEPT, walk_away=kind == WALK_AWAY)
        issues, card = self._deal.issues, int(action["card"])
        return Action(
            offer=self._price(action["price"]),
            terms=terms_of(issues, int(action["bundle"])) or None,
            card=list(CARDS)[card - 1] if card else None,
            belief=Belief(walk_away=self._price(action["limit"])),
            talk=tuple(self._talk[int(number) - 1] for number in action.get("talk", ()) if number),
        )

    def _spaces_of(self, case: DealCase) -> dict[str, spaces.Space[Any]]:
        own, theirs = case.seats[self._seat], case.seats[OTHER_SEAT[self._seat]]
        return {
            "own_facts": spaces.Box(NOTHING, 1.0, (len(own.facts),), np.float32),
            "needs": spaces.Box(0.0, float(len(own.needs)), (len(own.needs),), np.float32),
            "told": spaces.Box(NOTHING, 1.0, (len(theirs.facts),), np.float32),
            "raised": spaces.MultiBinary(len(theirs.objections)),
        }

    def _price(self, share: Any) -> float:
        low, high = self._deal.plausible_low, self._deal.plausible_high
        return max(self._deal.step, self._deal.round(low + float(share) * (high - low)))

    def _share(self, price: float | None) -> float:
        if price is None:
            return NOTHING
        low, high = self._deal.plausible_low, self._deal.plausible_high
        return (price - low) / (high - low)

    def _observed(self, view: Observation) -> dict[str, Any]:
        offers = [
            move.offer for move in view.transcript if move.side == "opponent" and move.offer is not None
        ]
        recent = [*reversed(offers[-REMEMBERED_OFFERS:]), *[None] * REMEMBERED_OFFERS][:REMEMBERED_OFFERS]
        features = [
            view.turn / view.horizon,
            self._share(view.own.walk_away),
            view.own.urgency,
            float(view.own.has_alternative),
            self._share(view.own_worth),
            self._share(view.standing_offer),
            self._share(view.standing_worth),
            self._share(view.open_claim),
            view.tension / 100,
            view.zopa_width_pct_remaining / 100,
            view.credibility_points / 100,
            float(view.pending_estimate is not None),
            *(self._share(offer) for offer in recent),
        ]
        return {
            "features": np.clip(np.array(features, dtype=np.float32), NOTHING, 2.0),
            "own_bundle": bundle_of(self._deal.issues, view.own_terms),
            "standing_bundle": bundle_of(self._deal.issues, view.standing_terms),
            **(self._heard(self._case, view) if self._case else {}),
        }

    def _heard(self, case: DealCase, view: Observation) -> dict[str, Any]:
        """What is known of the case, as numbers."""
        if view.sheet is None:
            raise ValueError("a table with a case has a sheet")
        own, theirs = case.seats[self._seat], case.seats[OTHER_SEAT[self._seat]]
        told = {each.id: _cell(each) for each in view.told}
        return {
            "own_facts": np.array([_cell(each) for each in view.sheet.facts], dtype=np.float32),
            "needs": np.array([view.sheet.needs[each.id] for each in own.needs], dtype=np.float32),
            "told": np.array([told.get(each.id, NOTHING) for each in theirs.facts], dtype=np.float32),
            "raised": np.array([each.id in view.sheet.raised for each in theirs.objections], dtype=np.int8),
        }


def _cell(fact: ToldFact) -> float:
    return PLAIN if fact.high is None else float(fact.high)
