"""A match rebuilt from its seed and its log, and the player's own decisions on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from negotiation.engine.drills import GAMES, Game, KuhnMatch, SimultaneousMatch, View
from negotiation.engine.drills.study import Facing, facing

PLAYER, OTHER = 0, 1
PURPOSE = "small games"
"""Names the stream of random numbers that matches are dealt from."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the player knew, and did."""

    view: View
    action: int


@dataclass(slots=True)
class Sitting:
    """The match as it stands, with what the log says beside the moves."""

    match: SimultaneousMatch | KuhnMatch
    decisions: list[Decision] = field(default_factory=list)
    odds_asked: bool = False
    named: str | None = None
    named_after: int | None = None
    _pending: dict[int, int] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.match.game

    @property
    def view(self) -> View:
        """All that the player may know."""
        return self.match.view(PLAYER)

    @property
    def rounds_over(self) -> int:
        """Rounds, or hands, that are paid."""
        return len(self.match.payoffs)

    def act(self, seat: int, action: int) -> None:
        """One seat's action; the match moves on once everybody awaited has acted.

        Raises:
            IllegalAction: if the rules do not allow it. Nothing changes.
        """
        self._pending[seat] = action
        if set(self._pending) < set(self.match.to_move):
            return
        pending, self._pending = self._pending, {}
        before = self.view if PLAYER in pending else None
        self.match.play(pending)
        if before is not None:
            self.decisions.append(Decision(before, pending[PLAYER]))

    def facing(self, name: str) -> Facing[Any]:
        """What there is to know against a strategy, from the player's first view on."""
        first = self.decisions[0].view if self.decisions else self.view
        return facing(self.game, name, first)


def begin(game: str, seed: int) -> Sitting:
    """Before anybody has acted."""
    rules = GAMES[game]
    return Sitting(rules.match(rules.draws(1, seed, PURPOSE)))


def replay(game: str, seed: int, rows: Iterable[tuple[str, dict[str, Any]]]) -> Sitting:
    """The match after its log, (type, data) by row."""
    sitting = begin(game, seed)
    for kind, data in rows:
        if kind == "acted":
            sitting.act(data["seat"], data["action"])
        elif kind == "odds":
            sitting.odds_asked = True
        else:
            sitting.named, sitting.named_after = data["suspect"], sitting.rounds_over
    return sitting
