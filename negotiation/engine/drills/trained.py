"""Trained models as opponents: their whole play as a small table, with where it comes from.

A model's play can be read off (``python -m trainer drills export``): how likely it cooperates, bids or asks what after the
rounds that it is told of; how likely it bets or calls at the twelve information sets of poker; which division it likes
best for each pile, each way to value it, and each round. So they sit across without a model server, and theory weighs
every move against them as against anybody. A name stands for one play for ever: a better model is added under a new
name, and the last one is offered.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from negotiation.engine.drills.auction import Auction
from negotiation.engine.drills.by_figures import SHAPE, by_figures
from negotiation.engine.drills.ipd import IPD, IPDStrategy
from negotiation.engine.drills.kuhn.strategies import KuhnStrategy
from negotiation.engine.drills.pie import Pie
from negotiation.engine.drills.pools import Game
from negotiation.engine.drills.remembering import MEMORIES, Table, TableStrategy, by_table
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.types import Floats, Ints, Seen, Strategy

DATA = Path(__file__).parent / "data" / "trained.json"
_REMEMBERING: dict[str, SimultaneousGame] = {game.name: game for game in (Auction(), Pie())}
_THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Trained:
    """A model's play of one game. ``source`` says how it was trained and what it measures."""

    strategy: Strategy | KuhnStrategy
    source: dict[str, Any]


def codes(own: Ints, other: Ints, told: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """(n,): the last ``told`` rounds as a number in base 4, twice the own action and the other's, the last one last."""
    found = np.zeros(own.shape[1], dtype=np.intp)
    first = max(0, len(own) - told)
    for mine, theirs in zip(own[first:], other[first:], strict=True):
        found = 4 * found + 2 * mine + theirs
    return found


def remembering(name: str, title: str, says: str, told: int, tables: list[list[float]]) -> IPDStrategy:
    """A player of the dilemma that looks at the round and at the last ``told`` ones.

    Args:
        tables: by round, how likely it cooperates after each of them, by :func:`codes`.

    Raises:
        ValueError: for tables that are not of this shape, or hold no probabilities.
    """
    likely = [np.array(table, dtype=np.float32) for table in tables]
    if [len(table) for table in likely] != [4 ** min(told, round_) for round_ in range(IPD.rounds)]:
        raise ValueError(
            f"{name}: a table for each of {IPD.rounds} rounds, of 4 to the number of rounds told"
        )
    if any((table < 0).any() or (table > 1).any() for table in likely):
        raise ValueError(f"{name}: probabilities lie between 0 and 1")

    def cooperation(seen: Seen) -> Floats:
        return np.asarray(likely[seen.round].take(codes(seen.own, seen.other, told)))

    def choose(seen: Seen, number: Floats) -> Ints:
        return (number >= cooperation(seen)).astype(np.int8)

    return IPDStrategy(name, title, says, choose, cooperation)


def table_of(strategy: IPDStrategy, told: int) -> list[list[float]]:
    """The tables of :func:`remembering`, of a strategy that looks no further back."""
    tables = []
    for round_ in range(IPD.rounds):
        known = min(told, round_)
        digits = np.arange(4**known) // 4 ** np.arange(known)[::-1, None] % 4
        before = np.zeros((round_ - known, 4**known), dtype=np.int8)
        own, other = (np.concatenate([before, part.astype(np.int8)]) for part in (digits // 2, digits % 2))
        seen = Seen(round_, own, other, np.zeros((0, 4**known), dtype=np.int8))
        tables.append([round(float(chance), 5) for chance in strategy.cooperation(seen)])
    return tables


def packed(table: npt.NDArray[Any]) -> str:
    """Small whole numbers, 0 to 65,535, as text."""
    return base64.b64encode(zlib.compress(table.astype("<u2").tobytes(), 9)).decode()


def unpacked(text: str, shape: tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """The numbers again.

    Raises:
        ValueError: where there are more or fewer of them.
    """
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<u2").reshape(shape)


def packed_plays(strategy: TableStrategy) -> list[str]:
    """The tables of a player that remembers rounds, in thousandths."""
    return [packed(np.rint(_THOUSAND * table)) for table in strategy.plays]


def _unpacked_plays(game: str, told: int, plays: list[str]) -> list[Table]:
    memory = MEMORIES[game]
    return [unpacked(text, memory.shape(min(told, round_))) / _THOUSAND for round_, text in enumerate(plays)]


@cache
def trained() -> dict[str, dict[str, Trained]]:
    """All that ship, by game and name, the latest last."""
    found: dict[str, dict[str, Trained]] = {}
    for game, models in json.loads(DATA.read_text(encoding="utf-8")).items():
        found[game] = {each["name"]: Trained(_strategy(game, each), each["source"]) for each in models}
    return found


def _strategy(game: str, model: dict[str, Any]) -> Strategy | KuhnStrategy:
    about = (model["name"], model["title"], model["says"])
    if game == "kuhn":
        return KuhnStrategy(*about, np.array(model["bets"]))
    if game in _REMEMBERING:
        plays = _unpacked_plays(game, model["told"], model["plays"])
        return by_table(_REMEMBERING[game], *about, plays)
    if game == "books_hats_balls":
        return by_figures(*about, unpacked(model["asks"], SHAPE).astype(np.int8))
    return remembering(*about, model["told"], model["cooperates"])


def offered(game: str) -> Trained | None:
    """The model that people can play in a game, where there is one."""
    models = trained().get(game)
    return None if not models else list(models.values())[-1]


def player_of(game: Game, name: str) -> Strategy | KuhnStrategy:
    """A strategy of a game or a trained model, by name.

    Raises:
        KeyError: for nobody.
    """
    known = trained().get(game.name, {})
    return known[name].strategy if name in known else game.strategies[name]
