"""A persona at a table of three: its numbers turned into how much it asks, how fast it gives way, how long it stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.persona import Persona


@dataclass(frozen=True, slots=True)
class Temper:
    """The numbers of one persona in one game, as multiples of what it takes its fair share to be.

    ``opening`` and ``ending`` bound what it holds out for; ``curvature`` under 1 gives way late (Faratin, Sierra &
    Jennings 1998); ``stay`` is the last round that it holds out in.
    """

    opening: float
    ending: float
    curvature: float
    stay: int

    @classmethod
    def draw(cls, persona: Persona, horizon: int, rng: np.random.Generator) -> Temper:
        """One game's temper: the persona's numbers, a little different each time."""
        noise = rng.standard_normal(3)
        curve = 0.25 + 0.8 * (1 - persona.aggression) * (1 - 0.45 * persona.patience)
        stay = horizon * (0.62 + 0.38 * persona.patience) + 0.5 * noise[2]
        return cls(
            opening=float(1.1 + 0.6 * persona.aggression) * float(np.exp(0.05 * noise[0])),
            ending=0.35 + 0.8 * persona.margin,
            curvature=float(curve * np.exp(0.1 * noise[1])),
            stay=int(np.clip(round(stay), 4, horizon)),
        )

    def holds_out_for(self, round_: int) -> float:
        """Share of its fair value that it asks for in this round."""
        progress = min(1.0, max(0.0, (round_ - 1) / (self.stay - 1)))
        return float(self.opening + (self.ending - self.opening) * progress ** (1 / self.curvature))
