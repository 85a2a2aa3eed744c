"""Players to be measured: anything that plays a list of tasks and leaves records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from negotiation.engine.deal import Action, ActionRefused
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.openenv.tables import Turn
from negotiation.opponents.protocol.shape import Style
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealTask
from trainer.domains.games import Writer
from trainer.errors import BadInput
from trainer.evaluation.records import GameRecord, WatchedTables


class NamedPlayer(Protocol):
    """One player under a name."""

    name: str

    def play(self, tasks: Sequence[DealTask], across: Writer | None = None) -> list[GameRecord]:
        """Play every task; ``across`` answers where a task has a model in the other seat."""
        ...


class Scripted:
    """A reference strategy of the engine.

    Args:
        style: how a model across from it reads and writes.
    """

    def __init__(self, strategy: str, style: Style = "brief") -> None:
        if strategy not in STRATEGIES:
            raise BadInput(f"there is no strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
        self.name = strategy
        self._strategy = strategy
        self._style: Style = style

    def play(self, tasks: Sequence[DealTask], across: Writer | None = None) -> list[GameRecord]:
        tables = WatchedTables(OpenTables(across, self._style))
        seen = dict(enumerate(tables.deal(tasks)))
        hands = [STRATEGIES[self._strategy]() for _ in tasks]
        for hand, game in zip(hands, tables.games, strict=True):
            hand.told(game.scenario)
        while seen:
            moves: dict[int, Action] = {
                table: hands[table].act(
                    turn.observation, stream(tasks[table].seed, "player", turn.observation.turn)
                )
                for table, turn in seen.items()
            }
            seen = {table: _taken(turn) for table, turn in tables.step(moves).items()}
            seen = {table: turn for table, turn in seen.items() if not turn.done}
        return tables.records


def _taken(turn: Turn | ActionRefused) -> Turn:
    if isinstance(turn, ActionRefused):
        raise turn
    return turn
