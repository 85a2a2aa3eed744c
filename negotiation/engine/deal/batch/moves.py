"""What is played in a batch: the players' moves and the personas' replies, one row a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.types import CardId

CARD_IDS: tuple[CardId, ...] = tuple(CARDS)
NO_CARD = -1


@dataclass(slots=True)
class Moves(Rows):
    """The players' moves. NaN stands for no offer and no claim, ``NO_CARD`` for no card.

    ``bundle`` counts only with an offer. ``challenge`` calls the persona's open claim; ``acts`` are the acts
    heard in the words, each with the games it was heard in. ``talk`` is what the words do where there is a case: a tuple
    of :class:`Talk` a game, empty where nothing is said.
    """

    offer: Array
    bundle: Ints
    card: Ints
    claim: Array
    challenge: Mask
    accept: Mask
    walk_away: Mask
    acts: dict[str, Mask] = field(default_factory=dict)
    talk: npt.NDArray[np.object_] | None = None

    @classmethod
    def nothing(cls, games: int) -> Moves:
        """No move at all, to be filled in."""
        return cls(
            offer=np.full(games, np.nan),
            bundle=np.zeros(games, dtype=np.int64),
            card=np.full(games, NO_CARD, dtype=np.int64),
            claim=np.full(games, np.nan),
            challenge=np.zeros(games, dtype=np.bool_),
            accept=np.zeros(games, dtype=np.bool_),
            walk_away=np.zeros(games, dtype=np.bool_),
        )

    def say(self, talk: Sequence[tuple[Talk, ...]]) -> None:
        """Do these things with words, one tuple a game."""
        self.talk = np.empty(len(talk), dtype=object)
        for row, each in enumerate(talk):
            self.talk[row] = each


@dataclass(slots=True)
class Replies(Rows):
    """The personas' replies; NaN and ``NO_CARD`` as in :class:`Moves`.

    ``rounds`` is how many turns a deadline gives that goes with the card.
    """

    offer: Array
    bundle: Ints
    card: Ints
    claim: Array
    challenge: Mask
    accept: Mask
    walk_away: Mask
    rounds: Ints
