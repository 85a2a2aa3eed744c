"""Two trials beside the table: does a hard anchor still move it, and who beats it.

*Anchoring.* The same deals once more against a Shark that opens far harder. What the player then wins less, offers
lower at first, and gives away, is what the anchor alone did (the founding paper's capitulation to a Shark's anchor).

*Exploitability.* The player sits in the persona's seat and every reference strategy plays against it; the most that
any of them wins is a lower bound on what a best response would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.figures import Figure
from negotiation.opponents.protocol import PERSON
from trainer.domains.deal.tasks import DealTask, measured
from trainer.evaluation.intervals import difference, mean
from trainer.evaluation.players import NamedPlayer, Scripted
from trainer.evaluation.records import GameRecord
from trainer.evaluation.run import EvaluationSettings

ANCHORED = 0.6
"""How much farther the Shark opens from the middle of the market, as a share of its usual distance."""


def of(player: NamedPlayer, settings: EvaluationSettings, seed: int) -> dict[str, Any]:
    """Both trials of one player; exploitability of models alone."""
    found: dict[str, Any] = {"anchoring": anchoring(player, settings, seed)}
    if hasattr(player, "across"):
        found["exploitability"] = exploitability(player, settings, seed)
    return found


def anchoring(player: NamedPlayer, settings: EvaluationSettings, seed: int) -> dict[str, Any]:
    """What a far harder anchor of the Shark's changes, deal by deal."""
    mixture = replace(settings.mixture, personas=("shark",))
    cells = len(mixture.scenarios) * len(mixture.seats)
    tasks = measured(mixture, max(1, settings.episodes // cells), seed, jitter=settings.jitter)
    plain = player.play(tasks)
    hard = player.play([replace(task, anchor=ANCHORED) for task in tasks])
    return {
        "share_lost": _plain(difference([r.efficiency for r in plain], [r.efficiency for r in hard])),
        "more_conceded": _plain(difference([r.conceded for r in hard], [r.conceded for r in plain])),
        "first_offer_lower": _plain(_first_offers(plain, hard)),
        "share_against_anchor": _plain(mean([r.efficiency for r in hard])),
    }


def exploitability(player: Any, settings: EvaluationSettings, seed: int) -> dict[str, Any]:
    """What the best of the reference strategies wins against the player in the persona's seat."""
    mixture = replace(settings.mixture, personas=settings.mixture.personas[:1])
    cells = len(mixture.scenarios) * len(mixture.seats)
    tasks: list[DealTask] = [
        replace(task, persona=PERSON)
        for task in measured(mixture, max(1, settings.episodes // (4 * cells)), seed, jitter=False)
    ]
    won = {
        name: mean([r.efficiency for r in Scripted(name, settings.style).play(tasks, player.across())])
        for name in STRATEGIES
    }
    best = max(won, key=lambda name: -1.0 if won[name] is None else won[name].mean)  # type: ignore[union-attr]
    return {
        "best_response": best,
        "share_won": _plain(won[best]),
        "all": {n: _plain(f) for n, f in won.items()},
    }


def _first_offers(plain: Sequence[GameRecord], hard: Sequence[GameRecord]) -> Figure | None:
    pairs = [
        (one.first_offer, other.first_offer)
        for one, other in zip(plain, hard, strict=True)
        if one.first_offer is not None and other.first_offer is not None
    ]
    return difference([one for one, _ in pairs], [other for _, other in pairs])


def _plain(figure: Figure | None) -> dict[str, Any] | None:
    return None if figure is None else figure.as_json()
