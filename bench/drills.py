"""How fast are the drills? Simulators over arrays, state machines, and the public engines where installed.

    python -m bench.drills [--matches 20000] [--seconds 1] [--output bench/results/drills.json]

One core, no other work. Draws and payoffs are part of the time. OpenSpiel and Axelrod are optional; see
``tests/drills/test_crosscheck.py`` for how to have them.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.drills import GAMES, Kuhn, SimultaneousGame, play_out
from negotiation.engine.drills.kuhn.solve import solve
from negotiation.engine.drills.kuhn.strategies import STRATEGIES as KUHN
from negotiation.engine.drills.kuhn.strategies import KuhnStrategy
from negotiation.engine.drills.kuhn.theory import nash_conv
from negotiation.engine.drills.theory.ipd_response import best_response

PAIRS = {
    "ipd": ("generous_tft", "mixed"),
    "auction": ("truthful", "adaptive"),
    "pie": ("concede", "random"),
    "books_hats_balls": ("proportional", "tft"),
}
SCALAR_MATCHES = 400


def rate(work: Callable[[], object], units: float, seconds: float) -> float:
    """Units a second: the best of three, each repeated for about so many seconds."""
    work()
    best = 0.0
    for _ in range(3):
        times, started = 0, time.perf_counter()
        while (spent := time.perf_counter() - started) < seconds:
            work()
            times += 1
        best = max(best, times * units / spent)
    return best


def over_arrays(matches: int, seconds: float) -> dict[str, float]:
    """Rounds (in poker, hands) a second, by game."""
    found = {}
    for name, game in GAMES.items():
        if isinstance(game, SimultaneousGame):
            found[name] = rate(partial(simultaneous, game, matches), matches * game.rounds, seconds)
    found["kuhn"] = rate(lambda: hands(Kuhn(2), KUHN["nash"], matches), matches * Kuhn.rounds, seconds)
    solved = KuhnStrategy("solved", "", "", solve(3, 20))
    found["kuhn, three seats"] = rate(lambda: hands(Kuhn(3), solved, matches), matches * Kuhn.rounds, seconds)
    return found


def simultaneous(game: SimultaneousGame, matches: int) -> None:
    """One batch, from draws to payoffs."""
    first, second = (game.strategies[name] for name in PAIRS[game.name])
    game.payoffs(*game.play(first, second, game.draws(matches, 1, "bench")))


def hands(game: Kuhn, strategy: KuhnStrategy, matches: int) -> None:
    """One batch of poker, from draws to payoffs."""
    game.play([strategy] * game.seats, game.draws(matches, 1, "bench"))


def move_by_move(seconds: float) -> dict[str, float]:
    """Rounds a second of the state machines, with the same strategies."""
    found = {}
    for name, game in GAMES.items():
        first, second = (game.strategies[n] for n in PAIRS.get(name, ("nash", "loose_aggressive")))
        draws = game.draws(SCALAR_MATCHES, 1, "bench")

        def work(game: Any = game, first: Any = first, second: Any = second, draws: Any = draws) -> None:
            for index in range(SCALAR_MATCHES):
                play_out(game.match(draws, index), first, second)

        found[name] = rate(work, SCALAR_MATCHES * game.rounds, seconds)
    return found


def theory(seconds: float) -> dict[str, float]:
    """Milliseconds for each exact answer."""
    nash = [KUHN["nash_approx"].behaviour] * 2
    three = [np.full((12, 4), 0.5)] * 3
    dilemma: Any = GAMES["ipd"]
    tft = dilemma.strategies["tft"].cooperation
    return {
        "nash_conv, two seats": 1000 / rate(lambda: nash_conv(nash), 1, seconds),
        "nash_conv, three seats": 1000 / rate(lambda: nash_conv(three), 1, seconds),
        "ipd best response over 21,845 histories": 1000 / rate(lambda: best_response(tft), 1, seconds),
    }


def openspiel(seconds: float) -> dict[str, float] | None:
    """Kuhn hands a second of a Python loop over OpenSpiel states, both sides random."""
    try:
        spiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = spiel.load_game("kuhn_poker")
    rng = random.Random(1)  # noqa: S311

    def work() -> None:
        for _ in range(1000):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
            state.returns()

    return {"kuhn": rate(work, 1000, seconds)}


def axelrod(seconds: float) -> dict[str, float] | None:
    """Rounds a second of Axelrod's matches between the same two strategies."""
    try:
        library: Any = importlib.import_module("axelrod")
    except ImportError:
        return None

    def work() -> None:
        for seed in range(50):
            library.Match((library.GTFT(p=0.25), library.Random(0.5)), turns=8, seed=seed).play()

    return {"ipd": rate(work, 50 * 8, seconds)}


def run(matches: int, seconds: float) -> dict[str, Any]:
    return {
        "matches at once": matches,
        "a second, over arrays": rounded(over_arrays(matches, seconds)),
        "a second, state machines": rounded(move_by_move(seconds)),
        "milliseconds, exact theory": {name: round(value, 3) for name, value in theory(seconds).items()},
        "a second, OpenSpiel": rounded(openspiel(seconds)) or "not installed",
        "a second, Axelrod": rounded(axelrod(seconds)) or "not installed",
    }


def rounded(rates: dict[str, float] | None) -> dict[str, int]:
    return {name: round(value) for name, value in (rates or {}).items()}


@experiment(
    "drills.json",
    option("--matches", type=int, default=20_000),
    option("--seconds", type=float, default=1.0, help="that a piece of work is repeated for, thrice"),
)
def main(chosen: Given) -> Figures:
    return run(chosen.matches, chosen.seconds)


if __name__ == "__main__":
    main()
