"""Who is in which pool, and the check that a strategy stands in one pool only.

A strategy in two pools pulls a learner both ways for the same play. The paper states the rule and breaks it: its
"fair" is both partner and temptation, its "hard" both partner and adversary, its "Nash" both partner and adversary
in poker. ``violations`` finds such names; ``echoes`` finds different names that play alike.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from negotiation.engine.drills.kuhn.game import BEST_RESPONSE, Kuhn
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.types import Ints, Pools, Seen, Strategy

Game = SimultaneousGame | Kuhn

PROBES = 4096


def violations(pools: Pools) -> dict[str, tuple[str, ...]]:
    """Names that stand in more than one pool, with the pools they stand in."""
    standing: dict[str, list[str]] = {}
    for pool, names in pools.all().items():
        for name in set(names):
            standing.setdefault(name, []).append(pool)
    return {name: tuple(places) for name, places in standing.items() if len(places) > 1}


def check(game: Game) -> None:
    """Refuse pools that share a name, or that share a way to play which the game does not own up to.

    Raises:
        ValueError: naming the strategies at fault.
    """
    if shared := violations(game.pools):
        raise ValueError(f"{game.name}: in more than one pool: {shared}")
    declared = {frozenset(pair) for echo in game.echoes for pair in combinations(sorted(echo), 2)}
    if hidden := echoes(game) - declared:
        raise ValueError(f"{game.name}: different names, same play: {sorted(map(sorted, hidden))}")


def echoes(game: Game) -> set[frozenset[str]]:
    """Pairs of strategies, over all pools, that play alike wherever they were probed."""
    names = [name for pool in game.pools.all().values() for name in pool if name != BEST_RESPONSE]
    plays = {name: _fingerprint(game, name) for name in names}
    return {frozenset(pair) for pair in combinations(names, 2) if plays[pair[0]] == plays[pair[1]]}


def _fingerprint(game: Game, name: str) -> bytes:
    """What a strategy does over many random histories: equal only for strategies that play alike."""
    if isinstance(game, Kuhn):
        return game.strategies[name].behaviour.tobytes()
    return _answers(game, game.strategies[name]).tobytes()


def _answers(game: SimultaneousGame, strategy: Strategy) -> Ints:
    draws = game.draws(PROBES, seed=0, label="probe")
    private = game.deal(draws.chance)
    own, other = (_random_actions(game, private, player) for player in (0, 1))
    return np.stack(
        [
            strategy.choose(Seen(t, own[:t], other[:t], game.shown(private[0], t)), draws.moves[2 * t])
            for t in range(game.rounds)
        ]
    )


def _random_actions(game: SimultaneousGame, private: Ints, player: int) -> Ints:
    """(rounds, n) of legal actions."""
    numbers = np.random.default_rng(player).random((private.shape[2], game.rounds))
    actions = np.empty((game.rounds, private.shape[2]), dtype=np.int8)
    for match, number in enumerate(numbers):
        legal = np.array(game.legal(tuple(private[player, :, match].tolist())), dtype=np.int8)
        actions[:, match] = legal[(number * len(legal)).astype(np.intp)]
    return actions
