"""How well a network plays when nothing is drawn: on seeds that no training has met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation, Outcomes
from negotiation.engine.deal.oracle.network import Network
from negotiation.engine.deal.oracle.player import Oracles
from negotiation.engine.deal.types import SIGN, Seat
from trainer.domains.deal.oracle.learning import OracleSettings

CHOOSING_SEEDS: Final = 1_000_000_000
"""Games that a training is watched on have seeds from here to 2,000,000,000; measured ones lie beyond."""


def batch_of(
    scenario: str,
    persona: str,
    seat: Seat,
    seeds: npt.NDArray[np.uint64],
    difficulty: float,
    network: Network,
) -> Outcomes:
    """All of ``seeds`` at one table, played to their end."""
    batch = BatchNegotiation(scenarios()[scenario], personas()[persona], seat, seeds, difficulty=difficulty)
    player = Oracles(batch, network)
    while not batch.done:
        batch.step(player.moves())
    return batch.outcomes


def greedy(network: Network, wanted: OracleSettings, first_seed: int) -> dict[str, float]:
    """The share and the deals made, over all tables at the middle of the difficulties."""
    played = list(_all(network, wanted, first_seed))
    return {
        "watched_share": float(np.mean([each.efficiency.mean() for each in played])),
        "watched_deals": float(np.mean([each.deal.mean() for each in played])),
        "watched_breaches": float(np.mean([each.floor_breached.mean() for each in played])),
    }


def _all(network: Network, wanted: OracleSettings, first: int) -> Iterator[Outcomes]:
    difficulty = sum(wanted.difficulties) / 2
    for scenario in wanted.scenarios or scenarios():
        for persona in wanted.personas:
            for seat in SIGN:
                seeds = np.arange(first, first + wanted.watched, dtype=np.uint64)
                first += wanted.watched
                yield batch_of(scenario, persona, seat, seeds, difficulty, network)
