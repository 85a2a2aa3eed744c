"""In which order the choices of a question stand: the same on every visit, and none that tells the answer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any


def order_of(review_id: int, move: Mapping[str, Any]) -> list[int]:
    """The places of a move's choices in the review, in the order in which they are shown.

    A choice is named by where it is shown, so that its name does not tell its rank.
    """
    order = list(range(len(move["choices"])))
    random.Random(f"{review_id}:{move['turn']}").shuffle(order)  # noqa: S311  # not a secret
    return order
