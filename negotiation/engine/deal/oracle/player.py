"""The oracle at the table: a strategy for one game, and the same for all games of a batch."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD, Moves
from negotiation.engine.deal.batch.play import BatchNegotiation
from negotiation.engine.deal.discoverer import SpokenPart
from negotiation.engine.deal.expert import EMPATHY, QUESTIONS
from negotiation.engine.deal.issues import terms_of
from negotiation.engine.deal.oracle.choice import best, moves_of, open_to
from negotiation.engine.deal.oracle.features import features
from negotiation.engine.deal.oracle.memory import Memory
from negotiation.engine.deal.oracle.network import Network
from negotiation.engine.deal.oracle.views import Deal, view_of, views_of
from negotiation.engine.deal.persona import personas
from negotiation.engine.deal.rows import Ints
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_file import scenarios
from negotiation.engine.deal.types import Action, Observation
from negotiation.engine.personas import USUAL

WEIGHTS: Final = Path(__file__).resolve().parent / "weights.npz"

_QUESTIONS: Final = tuple(QUESTIONS[at] for at in (0, 1, 3, 5, 6, 7))
"""The expert's but two, which are heard as a deadline or an agreement besides: in training a question is one and no more."""


@cache
def trained() -> Network:
    """The network that ships."""
    return Network.read(WEIGHTS)


class Oracle:
    """A player trained on the batched engine. One instance plays one game; it draws nothing."""

    def __init__(self, network: Network | None = None) -> None:
        self._network = network or trained()
        self._told: Scenario | None = None
        self._deal: Deal | None = None
        self._memory: Memory | None = None
        self._talker = SpokenPart()

    def told(self, scenario: Scenario) -> None:
        self._told = scenario

    def act(self, seen: Observation, rng: np.random.Generator) -> Action:
        deal = self._deal = self._deal or self._sit_down(seen)
        views = view_of(seen, deal)
        memory = self._memory = self._memory or Memory.at_start(deal, views)
        memory.take_in(views)
        chosen = best(self._network(features(deal, views, memory)), open_to(views))
        action = _action(moves_of(deal, views, memory, chosen), deal, seen)
        if seen.sheet is None or action.accept:
            return action
        return replace(action, text="", talk=self._talker.talk(seen))

    def _sit_down(self, seen: Observation) -> Deal:
        known = personas()
        persona = known.get(seen.persona, known[USUAL])
        return Deal(self._told or scenarios()[seen.scenario], persona, seen.seat, seen.horizon)


class Oracles:
    """The oracle in all games of a batch."""

    def __init__(self, batch: BatchNegotiation, network: Network | None = None) -> None:
        self._network = network or trained()
        self._batch = batch
        self._deal = Deal(batch.scenario, batch.persona, batch.seat, batch.horizon)
        self._memory: Memory | None = None
        self._games: Ints = batch.table.game

    def moves(self) -> Moves:
        """The next move in every game that goes on."""
        games, deal = self._batch.table.game, self._deal
        views = views_of(self._batch, deal)
        memory = self._memory or Memory.at_start(deal, views)
        if len(games) < len(self._games):
            memory = memory.take(np.searchsorted(self._games, games))
        self._memory, self._games = memory, games
        memory.take_in(views)
        chosen = best(self._network(features(deal, views, memory)), open_to(views))
        return moves_of(deal, views, memory, chosen)


def _action(moves: Moves, deal: Deal, seen: Observation) -> Action:
    """The one move of ``moves``, with words that say what its acts are."""
    if moves.accept[0]:
        return Action(accept=True)
    card = int(moves.card[0])
    return Action(
        text=f"{EMPATHY[seen.turn % len(EMPATHY)]} {_QUESTIONS[seen.turn % len(_QUESTIONS)]}",
        offer=float(moves.offer[0]),
        terms=terms_of(deal.scenario.issues, int(moves.bundle[0])) or None,
        card=None if card == NO_CARD else CARD_IDS[card],
        challenge=True if moves.challenge[0] else False if seen.open_claim is not None else None,
    )
