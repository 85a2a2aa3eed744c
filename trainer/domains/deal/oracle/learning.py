"""PPO (Schulman et al. 2017) with generalised advantages (2016), and a critic that sees what is hidden (Pinto et al. 2018).

Read from :meth:`Learner.learn` down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.oracle.choice import ACCEPT, CARD, OUTPUTS, PACE
from negotiation.engine.deal.oracle.features import WIDTH
from negotiation.engine.deal.types import SIGN, Seat
from trainer.domains.deal.oracle.distribution import curiosity, likelihood
from trainer.domains.deal.oracle.games import HIDDEN, Moments, PlayedGames, TrainingTable, joined, play
from trainer.domains.deal.oracle.layers import Layers, Single

TRAINING_SEEDS = 1_000_000_000
"""Games to learn from have seeds below this."""
_DEAREST = 2.0
"""The most that a deal is paid beside its share."""
_START, _ORDER, _ITERATION = 77, 5, 11
"""What a seed is drawn from for: the first weights, the order of the tables, an iteration."""


@dataclass(frozen=True)
class OracleSettings:
    """How the oracle is trained.

    ``deal_bonus`` is paid beside the share for a deal: whoever plays for the share alone loses deals that an expert makes.
    ``difficulties`` is the range that each batch draws its own from.
    """

    iterations: int = 140
    cells: int = 16
    """Batches an iteration, each of another table."""
    games: int = 192
    """Games a batch."""
    hidden: int = 64
    personas: tuple[str, ...] = ("diplomat", "auditor", "shark", "veteran")
    scenarios: tuple[str, ...] = ()
    """Empty for all."""
    difficulties: tuple[float, float] = (0.0, 1.0)
    deal_bonus: float = 0.3
    """At the start. Then it follows the deals that are made with each persona: dearer while they are too few."""
    deal_rate: float = 0.97
    """Of the games in which there is a deal to be had, so many are to end in one."""
    deal_pull: float = 0.4
    """What a rate that is too low by 1 adds to the bonus in an iteration."""
    epochs: int = 3
    minibatch: int = 4096
    rate: float = 2e-3
    """Falls to a tenth of it in a straight line."""
    clip: float = 0.2
    trace: float = 0.95
    """Lambda of the advantages."""
    curiosity: float = 0.002
    """What entropy of coins and cards is worth."""
    gradient: float = 0.7
    """The norm that gradients are cut to."""
    save_every: int = 20
    watched: int = 32
    """Games a table that are played without chance now and then, to watch."""


@dataclass
class Learner:
    """A policy and its critic, and the tables that they learn at."""

    settings: OracleSettings
    seed: int
    policy: Layers = field(init=False)
    critic: Layers = field(init=False)
    tables: list[tuple[str, str, Seat]] = field(init=False)
    bonus: dict[str, float] = field(init=False)
    """What a deal is paid beside its share, by persona."""

    def __post_init__(self) -> None:
        wanted = self.settings
        rng = np.random.default_rng([self.seed, _START])
        bias = [0.0] * OUTPUTS
        bias[PACE], bias[ACCEPT], bias[CARD] = -2.0, -3.0, 2.0
        hidden = (wanted.hidden, wanted.hidden)
        self.policy = Layers((WIDTH, *hidden, OUTPUTS), bias, [-0.4], rng)
        self.critic = Layers((WIDTH + HIDDEN, *hidden, 1), [0.0], [], rng)
        self.tables = [
            (scenario, persona, seat)
            for scenario in wanted.scenarios or scenarios()
            for persona in wanted.personas
            for seat in SIGN
        ]
        self.bonus = dict.fromkeys(wanted.personas, wanted.deal_bonus)

    def learn(self, iteration: int) -> dict[str, float]:
        """One iteration: play, judge, and learn from it. Returns what is logged."""
        wanted = self.settings
        rng = np.random.default_rng([self.seed, _ITERATION, iteration])
        played = self._play(iteration, rng)
        gains, targets = zip(*(self._judged(games) for games in played), strict=True)
        moments = joined([games.moments for games in played])
        gain = np.concatenate(gains)
        gain = ((gain - gain.mean()) / (gain.std() + 1e-8)).astype(np.float32)
        rate = wanted.rate * (1.0 - 0.9 * iteration / wanted.iterations)
        cut = self._learn_from(moments, gain, np.concatenate(targets), rate, rng)
        self._price_deals(played)
        share = np.concatenate([games.share for games in played])
        deal = np.concatenate([games.deal for games in played])
        return {
            "share": float(share.mean()),
            "deals": float(deal.mean()),
            "turns": len(moments.turn) / len(share),
            "deviation": float(np.exp(self.policy.free[0])),
            "clipped": cut,
            "games": float(len(share)),
            **{f"bonus_{persona}": paid for persona, paid in self.bonus.items()},
        }

    def save(self, path: Path, iteration: int) -> None:
        """All that the next iteration needs, into one file."""
        kept = {f"policy{name}": each for name, each in self.policy.state().items()}
        kept |= {f"critic{name}": each for name, each in self.critic.state().items()}
        np.savez(path, iteration=np.array(iteration), bonus=np.array(list(self.bonus.values())), **kept)  # type: ignore[arg-type]  # its stub takes the names for options

    def restore(self, path: Path) -> int:
        """Go on from what :meth:`save` wrote. Returns the next iteration."""
        with np.load(path) as kept:
            for name, layers in (("policy", self.policy), ("critic", self.critic)):
                layers.restore(
                    {key.removeprefix(name): kept[key] for key in kept.files if key.startswith(name)}
                )
            self.bonus = dict(zip(self.bonus, kept["bonus"].tolist(), strict=True))
            return int(kept["iteration"])

    # -- playing -----------------------------------------------------------------------------------

    def _play(self, iteration: int, rng: np.random.Generator) -> list[PlayedGames]:
        wanted = self.settings
        order = np.random.default_rng([self.seed, _ORDER, iteration // self._rounds]).permutation(
            len(self.tables)
        )
        first = (iteration % self._rounds) * wanted.cells
        at = [order[place % len(order)] for place in range(first, first + wanted.cells)]
        played = []
        for number in at:
            scenario, persona, seat = self.tables[number]
            difficulty = float(rng.uniform(*wanted.difficulties))
            cell = TrainingTable(scenarios()[scenario], personas()[persona], seat, difficulty)
            seeds = rng.integers(TRAINING_SEEDS, size=wanted.games, dtype=np.uint64)
            played.append(play(cell, seeds, self.policy, rng))
        return played

    @property
    def _rounds(self) -> int:
        """Iterations in which every table is met once."""
        return max(1, len(self.tables) // self.settings.cells)

    # -- judging -----------------------------------------------------------------------------------

    def _judged(self, games: PlayedGames) -> tuple[Array, Single]:
        """The advantage of every move, and what the critic should have said before it."""
        moments, trace = games.moments, self.settings.trace
        pay = games.share + self.bonus[games.persona] * games.deal
        value = self.critic.forward(np.concatenate([moments.read, moments.hidden], axis=1))[:, 0].astype(
            np.float64
        )
        is_last = np.append(moments.game[1:] != moments.game[:-1], True)
        after = np.where(is_last, pay[moments.game], np.append(value[1:], 0.0))
        surprise = after - value
        gain = np.zeros(len(value))
        # The moves of a game follow one another: from the longest game's last to its first, all games at once.
        place = np.arange(len(value))
        ends = np.flatnonzero(is_last)
        running = np.zeros(len(ends))
        lengths = np.diff(np.append(-1, ends))
        for back in range(int(lengths.max())):
            there = lengths > back
            rows = place[ends[there] - back]
            running[there] = surprise[rows] + trace * running[there]
            gain[rows] = running[there]
        return gain, (gain + value).astype(np.float32)

    def _price_deals(self, played: list[PlayedGames]) -> None:
        """Pay more for a deal with whom too few are made, and less where more are made than need be."""
        for persona in self.bonus:
            made = [games.deal[games.open_zone] for games in played if games.persona == persona]
            if made:
                short = self.settings.deal_rate - float(np.concatenate(made).mean())
                self.bonus[persona] = float(
                    np.clip(self.bonus[persona] + self.settings.deal_pull * short, 0.0, _DEAREST)
                )

    # -- learning ----------------------------------------------------------------------------------

    def _learn_from(
        self, moments: Moments, gain: Single, target: Single, rate: float, rng: np.random.Generator
    ) -> float:
        wanted = self.settings
        both = np.concatenate([moments.read, moments.hidden], axis=1)
        cut = []
        for _ in range(wanted.epochs):
            order = rng.permutation(len(gain))
            for start in range(0, len(order) - wanted.minibatch // 2, wanted.minibatch):
                rows = order[start : start + wanted.minibatch]
                cut.append(self._step(moments.take(rows), gain[rows], rate))
                missed = self.critic.forward(both[rows])[:, 0] - target[rows]
                slope = (missed / np.float32(len(rows)))[:, None]
                self.critic.step(slope, self.critic.free, rate, wanted.gradient)
        return float(np.mean(cut))

    def _step(self, moments: Moments, gain: Single, rate: float) -> float:
        """One step of the policy; returns the share of moves that the clip left out."""
        wanted, policy = self.settings, self.policy
        outputs = policy.forward(moments.read)
        now, slope, spread = likelihood(outputs, policy.free, moments.chosen, moments.there)
        ratio = np.exp(np.minimum(now - moments.likelihood, np.float32(10.0)))
        clipped = ((gain > 0) & (ratio > 1 + wanted.clip)) | ((gain < 0) & (ratio < 1 - wanted.clip))
        weight = (np.where(clipped, 0.0, gain * ratio)[:, None] / len(gain)).astype(np.float32)
        down: Single = -weight * slope
        down -= np.float32(wanted.curiosity / len(gain)) * curiosity(outputs, moments.there)
        free = np.array([-(weight[:, 0] * spread).sum()], dtype=np.float32)
        policy.step(down, free, rate, wanted.gradient)
        return float(clipped.mean())
