"""A trained model's play as a table that people can play against; see ``negotiation.engine.drills.trained``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negotiation.engine.drills import Game, KuhnStrategy, Strategy
from negotiation.engine.drills.ipd import IPDStrategy
from negotiation.engine.drills.trained import table_of
from trainer.errors import BadInput

TITLE = "The apprentice"
MEASURED = ("safety_table1", "exploit", "pay", "nash_conv", "worst_margin")


def entry(
    game: Game, play: Strategy | KuhnStrategy | None, told: int | None, name: str, source: dict[str, Any]
) -> dict[str, Any]:
    """One model as ``trained.json`` keeps it.

    Raises:
        BadInput: for a model whose play is no small table.
    """
    about = {"name": name, "title": TITLE, "source": source}
    if isinstance(play, KuhnStrategy):
        says = "A small model that learnt by playing against its own best responses."
        bets = [[round(float(bet), 5) for bet in row] for row in play.behaviour]
        return {**about, "says": says, "bets": bets}
    if isinstance(play, IPDStrategy) and told is not None:
        says = "A small model that learnt by playing against partners, defectors and givers."
        return {**about, "says": says, "told": told, "cooperates": table_of(play, told)}
    raise BadInput(f"{game.name}: the play of this model is no small table; it is one in ipd and kuhn")


def figures(measured: dict[str, Any]) -> dict[str, float]:
    """What is told of a model: the means of the main measures."""
    found = {name: measured[name] for name in MEASURED if name in measured}
    return {
        name: round(float(value["mean"] if isinstance(value, dict) else value), 4)
        for name, value in found.items()
    }


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
