"""Fixed players against each other, powers rotated: centre shares with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import CENTRES, FIRST_YEAR, POWERS
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import State
from trainer.domains.diplomacy.measure import tag_figures
from trainer.domains.diplomacy.reward import Tags
from trainer.domains.diplomacy.tables import BoardTable, BotPlayer, TablePlayer, play_phase
from trainer.errors import BadInput
from trainer.evaluation import intervals

SIDE_BY_SIDE = 70
"""Games played at once, so that a model answers for many tables in one batch."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One chair of seven."""

    policy: str
    player: TablePlayer


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """How one game ended: by power, who played it and what share of all centres it owns; who won alone, if anyone; what
    was promised."""

    policies: tuple[str, ...]
    shares: tuple[float, ...]
    winner: int | None
    ledger: Ledger


def read_seats(words: str, opened: Callable[[Path], TablePlayer] | None = None) -> list[Seat]:
    """Seven seats from words such as ``dumbbot:1,random:6`` or ``model:FOLDER:1,dumbbot:6``.

    Args:
        opened: opens a model's folder; without, there are only bots. The seats of one model are one player.

    Raises:
        BadInput: naming the part that is wrong.
    """
    seats: list[Seat] = []
    for part in words.split(","):
        name, colon, count = part.strip().rpartition(":")
        name = name if colon else count
        player = player_named(name, opened, "seats: ")
        if not count.isdecimal() or not 1 <= int(count) <= len(POWERS):
            raise BadInput(
                f"seats: {part.strip()!r} needs a number of seats from 1 to {len(POWERS)}, as in {name}:1"
            )
        seats += [Seat(name, player)] * int(count)
    if len(seats) != len(POWERS):
        raise BadInput(f"seats: {words!r} makes {len(seats)} seats, and there are {len(POWERS)} powers")
    return seats


def player_named(
    name: str, opened: Callable[[Path], TablePlayer] | None = None, where: str = ""
) -> TablePlayer:
    """A bot by its name, or the model of ``model:FOLDER``.

    Raises:
        BadInput: where there is none.
    """
    kind, _, folder = name.partition(":")
    if kind == "model" and folder and opened:
        return opened(Path(folder))
    if name not in BOTS:
        raise BadInput(f"{where}there is no policy {name!r}; there are {', '.join(BOTS)}, model:FOLDER")
    return BotPlayer(BOTS[name]())


def play(seats: Sequence[Seat], games: Sequence[int], years: int, seed: int) -> list[ArenaGame]:
    """Games by number, side by side: every seat moves on by one power from game to game."""
    size = len(POWERS)
    sitting = [[seats[(power + game) % size] for power in range(size)] for game in games]
    tables = [BoardTable(Chance(seed, game)) for game in games]
    players = [[seat.player for seat in row] for row in sitting]
    while going := [
        number
        for number, table in enumerate(tables)
        if not table.over and table.state.year < FIRST_YEAR + years
    ]:
        play_phase([tables[number] for number in going], [players[number] for number in going])
    return [
        ArenaGame(
            tuple(seat.policy for seat in row), shares(table.state), table.state.winner, table.ledger.closed()
        )
        for row, table in zip(sitting, tables, strict=True)
    ]


def shares(state: State) -> tuple[float, ...]:
    """By power: its share of all centres."""
    return tuple(count / len(CENTRES) for count in state.centre_counts())


def arena(seats: Sequence[Seat], games: int, years: int, seed: int) -> dict[str, Any]:
    """Play ``games`` games and sum them up by policy.

    A policy's centre share in a game is the mean over its seats; its solo rate is the share of games that one of its
    seats won alone. ``by_power`` splits the share by the power that it played.
    """
    played = [
        game
        for first in range(0, games, SIDE_BY_SIDE)
        for game in play(seats, range(first, min(games, first + SIDE_BY_SIDE)), years, seed)
    ]
    policies = {seat.policy: sum(other.policy == seat.policy for other in seats) for seat in seats}
    return {
        "games": games,
        "years": years,
        "seed": seed,
        "policies": {name: _summed(name, count, played, seed) for name, count in policies.items()},
    }


def _summed(policy: str, seats: int, played: Sequence[ArenaGame], seed: int) -> dict[str, Any]:
    sat = [[power for power, name in enumerate(game.policies) if name == policy] for game in played]
    means = [
        sum(game.shares[p] for p in powers) / len(powers) for game, powers in zip(played, sat, strict=True)
    ]
    by_power = {
        name: [game.shares[power] for game, powers in zip(played, sat, strict=True) if power in powers]
        for power, name in enumerate(POWERS)
    }
    return {
        "seats": seats,
        "centre_share": _figure(means, seed),
        "solo_rate": sum(game.winner in powers for game, powers in zip(played, sat, strict=True))
        / len(played),
        "by_power": {name: _figure(values, seed) for name, values in by_power.items() if values},
        **_words(sat, played, seed),
    }


def _words(sat: Sequence[Sequence[int]], played: Sequence[ArenaGame], seed: int) -> dict[str, Any]:
    """What became of a policy's tagged promises, over games; nothing for one that makes none."""
    tags = [
        Tags.of(entry for entry in game.ledger.entries if entry.promise.by in powers)
        for powers, game in zip(sat, played, strict=True)
    ]
    if not any(each.promises for each in tags):
        return {}
    return {
        "promises": _figure([float(each.promises) for each in tags], seed),
        **{name: figure.as_json() for name, figure in tag_figures(tags, seed).items()},
    }


def _figure(values: Sequence[float], seed: int) -> dict[str, Any]:
    figure = intervals.mean(values, seed)
    if figure is None:
        raise ValueError("there is nothing to take the mean of")
    return figure.as_json()
