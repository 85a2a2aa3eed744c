"""A model's play of the auction, the pie and the items as a table: asked once for every place that its table has.

In the dilemma and in poker that is how it is measured, too (``model``). Here it is for export alone: a bidder that is told
of two rounds has thousands of places, and one of the items tens of thousands, of which each match meets a few.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from negotiation.engine.drills import Auction, BooksHatsBalls, KuhnStrategy, Pie, SimultaneousMatch, Strategy
from negotiation.engine.drills.auction import HIGH_VALUE
from negotiation.engine.drills.books_hats_balls import MOST, VALUATIONS, encode
from negotiation.engine.drills.by_figures import SHAPE, by_figures, rows
from negotiation.engine.drills.remembering import MOST_TOLD, Asked, by_table, read_off
from negotiation.engine.drills.simultaneous import PLAYERS
from trainer.errors import BadInput
from trainer.learning.sepo.model import Model

AT_ONCE = 512


def play_of(model: Model) -> Strategy | KuhnStrategy:
    """The whole play of a model. In the items it is what it likes best, surely: its coins would be too many to tell.

    Raises:
        BadInput: for a model that is told or says too much for a small table.
    """
    game, told = model.game, model.telling.told
    known = model.strategy(game)
    if known is not None:
        return known
    if model.telling.thoughts:
        raise BadInput(f"{game.name}: the play of a model that thinks aloud is no small table")
    if isinstance(game, BooksHatsBalls):
        if told != 0:
            raise BadInput(
                f"{game.name}: only a model that is told of no round (telling.told 0) is a small table"
            )
        return by_figures("model", "Model", "As trained.", _likeliest(model, game))
    if not isinstance(game, Auction | Pie) or told is None or told > MOST_TOLD:
        raise BadInput(
            f"{game.name}: only a model that is told of {MOST_TOLD} rounds at most is a small table"
        )

    def ask(places: list[Asked]) -> list[dict[int, float]]:
        return model.action_probabilities([_led_to(game, place) for place in places])

    return by_table(game, "model", "Model", "As trained.", read_off(game, told, ask))


def _led_to(game: Auction | Pie, place: Asked) -> SimultaneousMatch:
    """A match in which the model knows just that."""
    chance = [0.0] * game.chance_numbers
    for round_, figure in enumerate(place.figures):
        chance[PLAYERS * round_] = 0.75 if figure == HIGH_VALUE else 0.25
    return _played(SimultaneousMatch(game, chance, ()), zip(place.own, place.other, strict=True))


def _played(
    match: SimultaneousMatch, pairs: Sequence[tuple[int, int]] | zip[tuple[int, int]]
) -> SimultaneousMatch:
    for pair in pairs:
        match.play(dict(enumerate(pair)))
    return match


def _likeliest(model: Model, game: BooksHatsBalls) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    nothing = encode((0, 0, 0))
    matches = []
    for round_, told in rows():
        chance = [(pile - 0.5) / MOST for pile in told[:3]]
        chance += [(VALUATIONS.index(told[3:]) + 0.5) / len(VALUATIONS)] * PLAYERS
        matches.append(_played(SimultaneousMatch(game, chance, ()), [(nothing, nothing)] * round_))
    chosen = [
        action
        for first in range(0, len(matches), AT_ONCE)
        for action in model.likeliest(matches[first : first + AT_ONCE])
    ]
    return np.array(chosen, dtype=np.int8).reshape(SHAPE)
