"""Who is measured: a named strategy, over arrays; or anything that can choose in many matches at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from negotiation.engine.drills import Draws, Game, Kuhn, KuhnStrategy, Record, SimultaneousGame, Strategy

MEASURED = 0
"""The player of a match that is measured."""


class DrillContestant(Protocol):
    """A player that can be measured."""

    def against(self, game: Game, opponent: str, draws: Draws) -> Record:
        """The record of one match for each column of ``draws`` against a named strategy."""

    def strategy(self, game: Game) -> Strategy | KuhnStrategy | None:
        """The player as a strategy that theory can reckon with, where it is one."""


class Named:
    """A named strategy."""

    def __init__(self, strategy: Strategy | KuhnStrategy) -> None:
        self._strategy = strategy

    def strategy(self, game: Game) -> Strategy | KuhnStrategy | None:
        """Itself."""
        return self._strategy

    def against(self, game: Game, opponent: str, draws: Draws) -> Record:
        """Simulated over arrays."""
        if isinstance(game, Kuhn):
            if not isinstance(self._strategy, KuhnStrategy):
                raise TypeError(f"{self._strategy.name} does not play {game.name}")
            return game.simulate(self._strategy, game.opponent(opponent, self._strategy), draws)
        if isinstance(self._strategy, KuhnStrategy):
            raise TypeError(f"{self._strategy.name} does not play {game.name}")
        return game.simulate(self._strategy, game.opponent(opponent), draws)


Chooser = Callable[[Sequence[Any]], Sequence[int]]
"""Takes the matches (state machines) in which player 0 is to choose; gives an action for each."""


class Choosing:
    """A player that chooses in many matches at once, as a model does in a batch.

    Args:
        choose: called once for every step of all matches together; reads ``match.view(0)``, ``match.legal(0)``.
        twin: the player as a strategy, where theory should reckon with it (for Kuhn poker, its twelve numbers).
    """

    def __init__(self, choose: Chooser, twin: Strategy | KuhnStrategy | None = None) -> None:
        self._choose, self._twin = choose, twin

    def strategy(self, game: Game) -> Strategy | KuhnStrategy | None:
        """The twin, if one was given."""
        return self._twin

    def against(self, game: Game, opponent: str, draws: Draws) -> Record:
        """Played on state machines, side by side."""
        if isinstance(game, SimultaneousGame):
            matches = [game.match(draws, index) for index in range(draws.count)]
            self._play(matches, game.opponent(opponent))
            return game.record(matches)
        twin = self._twin if isinstance(self._twin, KuhnStrategy) else None
        hands = [game.match(draws, index) for index in range(draws.count)]
        self._play(hands, game.opponent(opponent, twin))
        return game.record(hands)

    def _play(self, matches: Sequence[Any], opponent: Any) -> None:
        while waiting := [match for match in matches if not match.done]:
            mine = [match for match in waiting if MEASURED in match.to_move]
            chosen = dict(zip(map(id, mine), self._choose(mine), strict=True)) if mine else {}
            for match in waiting:
                match.play(
                    {
                        player: chosen[id(match)]
                        if player == MEASURED
                        else opponent.act(match.view(player), match.number(player))
                        for player in match.to_move
                    }
                )
