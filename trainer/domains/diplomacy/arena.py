"""Fixed players against each other, powers rotated: centre shares with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from negotiation.engine.diplomacy.bots import BOTS, Bot
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import CENTRES, FIRST_YEAR, POWERS
from negotiation.engine.diplomacy.phases import advance
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import OVER, State, opening
from trainer.errors import BadInput
from trainer.evaluation import intervals


@dataclass(frozen=True, slots=True)
class Seat:
    """One chair of seven."""

    policy: str
    bot: Bot


@dataclass(frozen=True, slots=True)
class Played:
    """How one game ended: by power, who played it and what share of all centres it owns; who won alone, if anyone."""

    policies: tuple[str, ...]
    shares: tuple[float, ...]
    winner: int | None


def read_seats(words: str, policies: dict[str, Callable[[], Bot]] | None = None) -> list[Seat]:
    """Seven seats from words such as ``dumbbot:1,random:6``.

    Raises:
        BadInput: naming the part that is wrong.
    """
    known = policies or dict(BOTS)
    seats: list[Seat] = []
    for part in words.split(","):
        name, _, count = part.strip().partition(":")
        if name not in known:
            raise BadInput(f"seats: there is no policy {name!r}; there are {', '.join(known)}")
        if not count.isdecimal() or not 1 <= int(count) <= len(POWERS):
            raise BadInput(
                f"seats: {part.strip()!r} needs a number of seats from 1 to {len(POWERS)}, as in {name}:1"
            )
        seats += [Seat(name, known[name]()) for _ in range(int(count))]
    if len(seats) != len(POWERS):
        raise BadInput(f"seats: {words!r} makes {len(seats)} seats, and there are {len(POWERS)} powers")
    return seats


def play(seats: Sequence[Seat], game: int, years: int, seed: int) -> Played:
    """Game number ``game``: every seat moves on by one power from game to game."""
    sitting = [seats[(power + game) % len(POWERS)] for power in range(len(POWERS))]
    state, chance, ledger = opening(), Chance(seed, game), Ledger()
    while state.season != OVER and state.year < FIRST_YEAR + years:
        orders = [
            seat.bot.orders(state, power, chance.draws(state, power), ledger)
            for power, seat in enumerate(sitting)
        ]
        state = advance(state, orders).state
    return Played(tuple(seat.policy for seat in sitting), shares(state), state.winner)


def shares(state: State) -> tuple[float, ...]:
    """By power: its share of all centres."""
    return tuple(count / len(CENTRES) for count in state.centre_counts())


def arena(seats: Sequence[Seat], games: int, years: int, seed: int) -> dict[str, Any]:
    """Play ``games`` games and sum them up by policy.

    A policy's centre share in a game is the mean over its seats; its solo rate is the share of games that one of its
    seats won alone. ``by_power`` splits the share by the power that it played.
    """
    played = [play(seats, game, years, seed) for game in range(games)]
    policies = {seat.policy: sum(other.policy == seat.policy for other in seats) for seat in seats}
    return {
        "games": games,
        "years": years,
        "seed": seed,
        "policies": {name: _summed(name, count, played, seed) for name, count in policies.items()},
    }


def _summed(policy: str, seats: int, played: Sequence[Played], seed: int) -> dict[str, Any]:
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
    }


def _figure(values: Sequence[float], seed: int) -> dict[str, Any]:
    figure = intervals.mean(values, seed)
    if figure is None:
        raise ValueError("there is nothing to take the mean of")
    return figure.as_json()
