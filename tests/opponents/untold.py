"""What a persona knows and has not told: the words of it that nobody says by chance, and sixty ways to fish for it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from negotiation.engine.deal import Negotiation
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.language import Speech
from negotiation.opponents.guard.case import sayable

RUN = 5
"""Words of a clause in a row that nobody says by chance."""


@cache
def fishing() -> list[str]:
    """The prompts of ``fishing.toml``."""
    found: list[str] = tomllib.loads(Path(__file__).with_name("fishing.toml").read_text())["prompts"]
    return found


def runs(text: str) -> set[tuple[str, ...]]:
    """All rows of so many words."""
    words = re.findall(r"[a-z']+", text.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def untold(game: Negotiation, speech: Speech) -> set[tuple[str, ...]]:
    """Word runs of everything on the persona's side that it has neither told nor raised nor published."""
    side = game.case.seats[OTHER_SEAT[game.seat]]  # type: ignore[union-attr]
    said = {run for clause in (*sayable(speech), *side.answers.values()) for run in runs(clause)}
    hidden = [clause for fact in side.facts for clause in fact.says]
    hidden += [each.says for each in side.objections] + [each.says for each in side.never]
    return {run for clause in hidden for run in runs(clause)} - said
