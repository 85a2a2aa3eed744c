"""A trained model's play as a table that people can play against; see ``negotiation.engine.drills.trained``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negotiation.engine.drills import Game, KuhnStrategy, SimultaneousGame, Strategy
from negotiation.engine.drills.by_figures import FiguresStrategy
from negotiation.engine.drills.ipd import IPDStrategy
from negotiation.engine.drills.remembering import TableStrategy
from negotiation.engine.drills.study.remembered import Remembered
from negotiation.engine.drills.study.rounds import Rounds
from negotiation.engine.drills.trained import packed, packed_plays, table_of
from trainer.errors import BadInput

TITLE = "The apprentice"
SAYS = {
    "auction": "A small model that learnt by bidding against shaders, a pincher and a steamroller.",
    "pie": "A small model that learnt by splitting with people who ask for 6, for 7, and for 8.",
    "books_hats_balls": "A small model that learnt by dividing with partners and with grabbers. It is told of no round "
    "before, and always asks for what it likes best.",
}
MEASURED = ("safety_table1", "exploit", "pay", "nash_conv", "worst_margin")
HANDS = 100
"""Of the items, over which the value of a best response is averaged: it hangs on what one is dealt."""


def entry(
    game: Game, play: Strategy | KuhnStrategy | None, told: int | None, name: str, source: dict[str, Any]
) -> dict[str, Any]:
    """One model as ``trained.json`` keeps it.

    Raises:
        BadInput: for a model whose play is no small table.
    """
    about = {"name": name, "title": TITLE, "source": source}
    if isinstance(play, TableStrategy) and told is not None:
        return {**about, "says": SAYS[game.name], "told": told, "plays": packed_plays(play)}
    if isinstance(play, FiguresStrategy):
        return {**about, "says": SAYS[game.name], "asks": packed(play.demands)}
    if isinstance(play, KuhnStrategy):
        says = "A small model that learnt by playing against its own best responses."
        bets = [[round(float(bet), 5) for bet in row] for row in play.behaviour]
        return {**about, "says": says, "bets": bets}
    if isinstance(play, IPDStrategy) and told is not None:
        says = "A small model that learnt by playing against partners, defectors and givers."
        return {**about, "says": says, "told": told, "cooperates": table_of(play, told)}
    raise BadInput(f"{game.name}: the play of this model is no small table; see play_of")


def figures(measured: dict[str, Any]) -> dict[str, float]:
    """What is told of a model: the means of the main measures."""
    found = {name: measured[name] for name in MEASURED if name in measured}
    return {
        name: round(float(value["mean"] if isinstance(value, dict) else value), 4)
        for name, value in found.items()
    }


def best_response(game: Game, play: Strategy | KuhnStrategy) -> float | None:
    """What best play earns a round from a table of rounds; none where other measures say it."""
    if isinstance(play, TableStrategy) and isinstance(game, SimultaneousGame):
        return round(Remembered(game, play).value / game.rounds, 4)
    if isinstance(play, FiguresStrategy) and isinstance(game, SimultaneousGame):
        draws = game.draws(HANDS, 42, "best response")
        views = (game.match(draws, place).view(0) for place in range(HANDS))
        return round(sum(Rounds(game, play, view).value for view in views) / HANDS / game.rounds, 4)
    return None


def add(path: Path, game: str, made: dict[str, Any]) -> None:
    """Add a model to the file, under a name that it does not have.

    Raises:
        BadInput: for a name that stands for another play already, and for a file that cannot be read or written.
    """
    try:
        models = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if any(each["name"] == made["name"] for each in models.get(game, ())):
            raise BadInput(
                f"{path} has a {made['name']!r} of {game} already; a name stands for one play for ever"
            )
        models.setdefault(game, []).append(made)
        path.write_text(json.dumps(models, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path} holds no trained models") from problem
