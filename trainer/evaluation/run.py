"""An evaluation: every player meets the same held-out deals with the same luck."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negotiation.opponents.protocol.drawing import TEMPERATURE
from negotiation.opponents.protocol.shape import Style
from trainer.domains.deal.tasks import Mixture, measured
from trainer.errors import BadInput
from trainer.evaluation.players import NamedPlayer
from trainer.evaluation.records import GameRecord
from trainer.evaluation.table import as_json, as_markdown
from trainer.runs import say


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """What is measured."""

    episodes: int = 240
    """Of each player, spread evenly over the mixture's deals; the intervals are over them."""
    jitter: bool = True
    """Whether the deals' numbers are moved, so that none is as it was in training."""
    temperature: float = TEMPERATURE
    """As in training and at the table."""
    style: Style = "brief"
    """How models read and write."""
    guarded: bool = False
    """Whether moves beyond the own limit are closed off, as they are when a model plays people."""
    mixture: Mixture = field(default_factory=Mixture)

    def __post_init__(self) -> None:
        if self.episodes < 2:
            raise BadInput("episodes must be at least 2")


def evaluate(
    players: Sequence[NamedPlayer], settings: EvaluationSettings, seed: int, baseline: str
) -> tuple[dict[str, Any], dict[str, list[GameRecord]]]:
    """Measure the players; the table, and the records behind it."""
    cells = len(settings.mixture.scenarios) * len(settings.mixture.personas) * len(settings.mixture.seats)
    tasks = measured(settings.mixture, max(1, round(settings.episodes / cells)), seed, jitter=settings.jitter)
    records: dict[str, list[GameRecord]] = {}
    for player in players:
        records[player.name] = player.play(tasks)
        say(f"measured {player.name} on {len(tasks)} deals")
    return as_json(records, baseline), records


def write(table: dict[str, Any], folder: Path) -> None:
    """The table beside its run, for machines and for people."""
    (folder / "evaluation.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (folder / "evaluation.md").write_text(as_markdown(table), encoding="utf-8")
