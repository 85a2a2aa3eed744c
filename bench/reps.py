"""Simulated reps for the coaching benches: people with seven skills, of which each has some and lacks some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from negotiation.engine.deal import Action, Negotiation, Observation, Reply
from negotiation.engine.deal.expert import EMPATHY, QUESTIONS, SCEPTICISM
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategies import PricePlanner, Strategy
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import CardId
from negotiation.engine.deal.wire import to_json


@dataclass(frozen=True, slots=True)
class Skills:
    """How a rep plays, one number for each of the seven skills; all in [0, 1].

    ``opening``: how far out it begins. ``probing``: chance to ask or listen on a turn. ``pacing``: how slowly it
    gives (1 waits to be given to, 0 runs). ``bluff_calls``: chance to call a stated floor that looks false.
    ``closing``: how much of the zone it holds out for at the end. ``tension``: chance to use a silence.
    ``packaging``: how far it weighs what terms are worth to the other side.
    """

    opening: float = 0.4
    probing: float = 0.3
    pacing: float = 0.3
    bluff_calls: float = 0.2
    closing: float = 0.3
    tension: float = 0.1
    packaging: float = 0.2

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Skills:
        """A beginner: every skill somewhere in the lower half."""
        return cls(**{field.name: float(rng.uniform(0.02, 0.5)) for field in fields(cls)})

    def moved(self, name: str, by: float) -> Skills:
        """One skill moved, within bounds."""
        changed: Mapping[str, Any] = {name: float(np.clip(getattr(self, name) + by, 0.0, 1.0))}
        return replace(self, **changed)

    def shaken(self, rng: np.random.Generator, by: float) -> Skills:
        """Every skill moved a little, at random."""
        tried = self
        for field in fields(self):
            tried = tried.moved(field.name, float(rng.normal(0.0, by)))
        return tried


class Rep(PricePlanner):
    """Plays by its skills, with a person's noise."""

    def __init__(self, skills: Skills) -> None:
        super().__init__()
        self.skills = skills
        self.considers = skills.packaging

    def opening(self, seen: Observation, floor: float) -> float:
        usual = super().opening(seen, floor)
        return floor + (0.35 + 0.9 * self.skills.opening) * (usual - floor)

    def wish(self, seen: Observation, floor: float, rng: np.random.Generator) -> float:
        if not self._mine:
            return self.opening(seen, floor)
        held, end = self._mine[-1], floor + (0.08 + 0.5 * self.skills.closing) * self.width
        left = max(1.0, (0.25 + 0.75 * self.skills.pacing) * seen.horizon - seen.turn)
        planned = max(0.0, held - end) / left
        matched = max(0.0, self.last_concession())
        step = (1 - self.skills.pacing) * planned + self.skills.pacing * min(
            planned, max(matched, 0.02 * self.width)
        )
        return float(held - step * rng.uniform(0.6, 1.4))

    def accepts(self, seen: Observation, standing: float, wished: float, floor: float) -> bool:
        if standing >= wished:
            return True
        tempted = floor + (0.08 + 0.5 * self.skills.closing) * self.width
        return standing >= tempted or (seen.turn > seen.horizon - 3 and standing >= floor)

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        doubts = seen.open_claim is not None and rng.random() < self.skills.bluff_calls
        asks = rng.random() < self.skills.probing
        pool = QUESTIONS if seen.turn % 2 else EMPATHY
        text = SCEPTICISM if doubts else pool[seen.turn // 2 % len(pool)] if asks else ""
        quiet = "silence" in seen.cards and bool(self._mine[1:]) and rng.random() < 0.4 * self.skills.tension
        card: CardId | None = "silence" if quiet else None
        return replace(action, text=text, card=card, challenge=True if doubts else None)


def play(
    scenario: Scenario, persona: str, seat: Any, seed: int, skills: Skills
) -> tuple[Negotiation, list[dict[str, Any]]]:
    """A whole game of a rep's and the frames of its player, as the product keeps them."""
    return played_by(Rep(skills), scenario, persona, seat, seed)


def played_by(
    player: Strategy, scenario: Scenario, persona: str, seat: Any, seed: int
) -> tuple[Negotiation, list[dict[str, Any]]]:
    """A whole game and the frames of its player, as the product keeps them."""
    game = Negotiation(scenario, persona, seat, seed)
    player.told(scenario)
    seen = game.observe()
    frames: list[dict[str, Any]] = [
        _frame(
            "game_started",
            scenario=scenario.id,
            persona=persona,
            seat=seat,
            horizon=seen.horizon,
            difficulty=0.5,
        )
    ]
    if game.opening is not None:
        frames.append(_frame("opponent_moved", turn=0, **to_json(game.opening)))
    frames.append(_closed(seen, 0))
    known: set[str] = set()
    while not game.done:
        turn = game.turn
        action = player.act(game.observe(), stream(seed, "player", turn))
        frames.append(_frame("player_moved", turn=turn, **to_json(action)))
        step = game.step(action)
        seen = step.observation
        if step.reply != Reply():
            frames.append(_frame("opponent_moved", turn=turn, **to_json(step.reply)))
        for headline in seen.headlines:
            if headline.id not in known:
                known.add(headline.id)
                frames.append(_frame("news", id=headline.id, kind=headline.kind, turn=headline.turn))
        frames.append(_closed(seen, turn))
    return game, frames


def _frame(event: str, /, **data: Any) -> dict[str, Any]:
    return {"type": event, "data": data}


def _closed(seen: Observation, turn: int) -> dict[str, Any]:
    return _frame(
        "turn_closed",
        turn=turn,
        own=to_json(seen.own),
        own_offer=seen.own_offer,
        own_terms=dict(seen.own_terms),
        standing_offer=seen.standing_offer,
        open_claim=seen.open_claim,
        tension=seen.tension,
        credibility_points=seen.credibility_points,
        cards=list(seen.cards),
    )
