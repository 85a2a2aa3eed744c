"""Which of a few named strategies sits across: Bayes' rule over what one player has seen, from equal odds.

Eight for each game, seven in the auction, where no more of the named ones bid differently.
"""

from __future__ import annotations

from collections.abc import Sequence

from negotiation.engine.drills.kuhn.game import Kuhn
from negotiation.engine.drills.kuhn.strategies import STRATEGIES as KUHN
from negotiation.engine.drills.kuhn.view import KuhnView
from negotiation.engine.drills.pools import Game
from negotiation.engine.drills.simultaneous import SimultaneousGame
from negotiation.engine.drills.study.chances import chances, seen_by
from negotiation.engine.drills.study.hands import hands_seen, likelihood
from negotiation.engine.drills.study.minds import minds_of
from negotiation.engine.drills.types import RoundView, Strategy, View

SUSPECTS: dict[str, tuple[str, ...]] = {
    "ipd": (
        "always_cooperate",
        "always_defect",
        "tft",
        "generous_tft",
        "grim",
        "wsls",
        "zd_extort_2",
        "mixed",
    ),
    "auction": (
        "conservative",
        "equilibrium",
        "aggressive_value",
        "aggressive",
        "adaptive",
        "tft_bid",
        "random",
    ),
    "pie": ("fair", "balanced", "concede", "selfish", "hard", "tft", "boulware", "random"),
    "books_hats_balls": (
        "fair",
        "tft",
        "concede",
        "greedy",
        "hardball",
        "proportional",
        "conservative",
        "boulware",
    ),
    "kuhn": (
        "tight_passive",
        "tight_value",
        "loose_aggressive",
        "always_bet",
        "max_exploiter",
        "always_pass",
        "random",
        "nash_third",
    ),
}
"""The strategies that a person meets, by game; no two of a game play alike."""

Odds = dict[str, float]


def posterior(game: Game, view: View) -> list[Odds]:
    """The odds of each suspect before the first round and after every one seen since; each sums to 1."""
    if isinstance(view, KuhnView):
        paths = {who: _by_hand(who, view) for who in SUSPECTS["kuhn"]}
    elif isinstance(view, RoundView) and not isinstance(game, Kuhn):
        paths = {who: _by_round(game, game.strategies[who], view) for who in SUSPECTS[game.name]}
    else:
        raise TypeError(f"{game.name} is not seen as {type(view).__name__}")
    steps = zip(*paths.values(), strict=True)
    return [_odds(dict(zip(paths, step, strict=True))) for step in steps]


def _odds(likely: Odds) -> Odds:
    total = sum(likely.values())
    return {name: each / total for name, each in likely.items()}


def _by_round(game: SimultaneousGame, strategy: Strategy, view: RoundView) -> list[float]:
    """How likely all that was seen is under the strategy, after each round."""
    minds = minds_of(game.name, view)
    weights: Sequence[float] = [1 / len(minds.possible)] * len(minds.possible)
    path = [1.0]
    for round_ in range(view.round):
        told = [minds.told(mind, round_) for mind in minds.possible]
        taken = chances(strategy, seen_by(view.other[:round_], view.own[:round_], told))
        weights = [
            weight * may.get(view.other[round_], 0.0) for weight, may in zip(weights, taken, strict=True)
        ]
        path.append(sum(weights))
        if minds.fresh:
            weights = [path[-1] / len(weights)] * len(weights)
    return path


def _by_hand(name: str, view: KuhnView) -> list[float]:
    path = [1.0]
    for hand in hands_seen(view):
        path.append(path[-1] * likelihood(KUHN[name].behaviour, hand))
    return path
