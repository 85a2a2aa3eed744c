"""A fork shares what can't change and nothing else: whatever is played on it, the table stays as it was."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from negotiation.engine.deal import Action, ActionRefused, Negotiation, personas, scenarios
from negotiation.engine.deal.branching import branch

MOVES = (
    Action("What drives your timeline? I can see that it is hard.", offer=None),
    Action("Others are in line.", card="anchor_high"),
    Action("We can't go further.", card="time_pressure"),
    Action("Let me add something.", card="sweetener"),
    Action("I don't believe that.", challenge=True),
)


def everything(part: Any, seen: dict[int, int]) -> Any:
    """All that an object holds, as plain values that can be compared; the same object twice stays the same."""
    if isinstance(part, int | float | str | bool | None | np.generic):
        return repr(part)
    if id(part) in seen:
        return ("again", seen[id(part)])
    seen[id(part)] = len(seen)
    if isinstance(part, np.ndarray):
        return part.dtype.str, part.shape, part.tobytes()
    if isinstance(part, dict):
        return [(key, everything(value, seen)) for key, value in part.items()]
    if isinstance(part, list | tuple):
        return [everything(each, seen) for each in part]
    if isinstance(part, set | frozenset):
        return sorted(map(repr, part))
    names = [field.name for field in fields(part)] if is_dataclass(part) else list(vars(part))
    return type(part).__name__, [(name, everything(getattr(part, name), seen)) for name in names]


def play_on(game: Negotiation, turn: int, price: float) -> None:
    move = MOVES[turn % len(MOVES)]
    try:
        game.step(replace(move, offer=price))
    except ActionRefused:
        game.step(Action("Here is our number.", offer=price))


@pytest.mark.parametrize("persona", sorted(personas()))
@pytest.mark.parametrize("scenario", sorted(scenarios()))
def test_nothing_that_is_played_on_a_fork_reaches_the_table(scenario: str, persona: str) -> None:
    deal = scenarios()[scenario]
    game = Negotiation(scenario, persona, "seller", seed=5)
    opening = deal.seats["seller"].opening
    for turn in range(6):
        if game.done:
            break
        # A fork of the chances alone would draw them anew; they are filled here, before anything is compared.
        game.fork().step(Action("Here is our number.", offer=opening))
        before = everything(game, {})
        fork = game.fork()
        assert everything(fork, {}) == before
        for ahead in range(5):
            if not fork.done:
                play_on(fork, ahead, deal.round(opening * (1 - 0.01 * ahead)))
        assert everything(game, {}) == before
        play_on(game, turn, deal.round(opening * (1 - 0.012 * turn)))


def test_one_object_in_two_places_stays_one_object_and_shared_ones_stay_themselves() -> None:
    class Box:
        def __init__(self) -> None:
            self.inner = [1, 2]
            self.same = self.inner
            self.left = {"a": self.inner}
            self.kept = [3]

    box = Box()
    twin = branch(box, shared=(box.kept,))
    assert twin.inner is twin.same is twin.left["a"]
    assert twin.inner is not box.inner
    assert twin.kept is box.kept
