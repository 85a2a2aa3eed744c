"""Ways to play on from a position, for many games at once: how good a move is depends on what follows it.

A player asks or listens on every turn, as a good rep does. It knows its own truth and where it believes the
other's limit to lie; it never sees hidden truth. Arithmetic is in the player's value space: money times its
sign, worth of the terms included.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.batch.moves import Moves
from negotiation.engine.deal.batch.play import BatchNegotiation
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.strategist.character import expected_stay
from negotiation.engine.deal.types import OTHER_SEAT, SIGN

Style = Literal["steady", "reciprocal", "firm", "own"]
STYLES: tuple[Style, ...] = ("steady", "reciprocal", "firm")
"""The styles that are advised; ``own`` goes on at a player's own pace, whatever that is worth."""

_CLOSE_FROM = 0.05
"""On its last turn it takes what leaves it this share of the zone; on the very last anything above its limit."""
_TOKEN = 0.02
"""The reciprocal gives at least this share of the zone a turn: who gives nothing is left."""
_MATCHING, _GOOD_FAITH = 0.64, 0.022
"""The firm return this share of a step, and give at least this share of the zone a turn (``pace.py`` asks as much)."""
_ROOM = 0.3
"""A first offer leaves at least this share of the zone to come down by."""
_LATE = 4
"""With so many turns left the firm walk to their aim."""
_ENDS: dict[Style, float] = {"own": 0.0, "steady": 0.35, "reciprocal": 0.45, "firm": 0.66}
"""The share of the zone it believes in at which each style means to end."""


class Continuation:
    """Playing on in every game of a batch, each in a style of its own.

    Args:
        batch: the games; their turn is the first that this player moves on.
        style: ``steady`` walks to its aim in equal steps, ``reciprocal`` gives what it gets, ``firm`` gives just
            enough to keep the other at the table and closes late; ``own`` gives ``pace`` a turn, whatever it gets. One for
            all games, or the name of one for each, shape ``(n,)``.
        believed: where the other's limit is believed to be, in value space.
        pace: what the player itself gives a turn, as a share of the nominal zone.
    """

    def __init__(
        self,
        batch: BatchNegotiation,
        style: Style | npt.NDArray[np.str_],
        believed: float,
        pace: float | None = None,
    ) -> None:
        self.batch, self.believed = batch, believed
        self._pace = _TOKEN if pace is None else pace
        table, seat = batch.table, batch.seat
        games = len(table.game)
        named = np.broadcast_to(np.asarray(style), games)
        self._style = {each: named == each for each in _ENDS if (named == each).any()}
        self._end = np.select(list(self._style.values()), [_ENDS[each] for each in self._style])
        worths = table.worths[seat][0]
        typical = self.batch.scenario.nominal_worths(OTHER_SEAT[seat])
        self._bundle = int(np.argmax(worths + typical))
        self._worth = float(worths[self._bundle])
        self._joint = float((worths + typical)[self._bundle])
        self._sign = SIGN[seat]
        self._width = self.batch.scenario.nominal_width
        self._stay = expected_stay(batch.persona, batch.horizon)
        self._seen = np.full(games, np.nan)
        self._gained = np.zeros(games)

    def moves(self) -> Moves:
        """The next move in every game that goes on."""
        batch, table, sign = self.batch, self.batch.table, self._sign
        floor = sign * table.truths[batch.seat].walk_away
        standing = sign * table.worth(table.opponent, batch.seat)
        held = self._held(floor)
        moved = np.nan_to_num(np.maximum(0.0, standing - self._seen[table.game]))
        self._gained[table.game] += moved
        self._seen[table.game] = standing
        aim = floor + self._end[table.game] * np.maximum(0.0, self.believed + self._joint - floor)
        wished = np.maximum(np.minimum(held, self._wish(held, aim, moved)), floor)
        moves = Moves.nothing(len(table.game))
        price = batch.scenario.rounded(sign * (wished - self._worth))
        short = sign * price + self._worth < floor
        moves.offer = np.where(short, price + sign * batch.scenario.step, price)
        moves.bundle[:] = self._bundle
        moves.acts["question" if table.turn % 2 else "empathy"] = np.ones(len(standing), dtype=np.bool_)
        moves.accept = standing >= np.minimum(wished, self._least(floor))
        if table.turn >= batch.horizon:
            moves.walk_away = ~moves.accept
        return moves

    def _held(self, floor: Array) -> Array:
        """What its own package is worth to it; before the first, what it would open with."""
        table = self.batch.table
        opening = self._sign * self.batch.scenario.seats[self.batch.seat].opening + self._worth
        fresh = np.maximum(opening, floor + _ROOM * self._width)
        held = self._sign * table.worth(table.player, self.batch.seat)
        return np.where(np.isnan(held), fresh, held)

    def _wish(self, held: Array, aim: Array, moved: Array) -> Array:
        """What the next package would be worth to it, by its style."""
        game = self.batch.table.game
        left = max(1, self._stay - self.batch.table.turn)
        planned = (held - aim) / left
        gives: dict[Style, Array] = {
            "own": np.full(len(held), self._pace * self._width),
            "steady": planned,
            "reciprocal": np.maximum(moved, _TOKEN * self._width),
            "firm": np.maximum(
                np.maximum(_MATCHING * moved, _GOOD_FAITH * self._width),
                _late(planned, left, self._gained[game]),
            ),
        }
        mine = [where[game] for where in self._style.values()]
        wished: Array = held - np.select(mine, [gives[each] for each in self._style])
        return wished

    def _least(self, floor: Array) -> Array:
        """What it takes at once: nothing special early, little on its last turns, anything inside at the end."""
        turn = self.batch.table.turn
        if turn >= self.batch.horizon:
            return floor
        if turn >= self._stay:
            return floor + _CLOSE_FROM * self._width
        return np.full(len(floor), np.inf)


def _late(planned: Array, left: int, gained: Array) -> Array:
    """A firm player walks to its aim only when little time is left, or when the other has moved for it."""
    return np.where((left <= _LATE) | (gained > 0), planned, 0.0)
