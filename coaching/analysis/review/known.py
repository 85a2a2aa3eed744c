"""What could be known when a move was made, as sentences: their steps, their deadline, the turns left."""

from __future__ import annotations

from collections.abc import Iterator

from coaching.analysis.review.moment import Moment

MOST = 2
"""So many sentences are said: more are not read."""


def what_was_known(moment: Moment) -> list[str]:
    """The weightiest things that the player could see before this move."""
    return [sentence for sentence, _ in zip(_sentences(moment), range(MOST), strict=False)]


def _sentences(moment: Moment) -> Iterator[str]:
    at = moment.position
    if moment.their_deadline:
        yield "A deadline of theirs was running."
    step = moment.their_last_step
    if step is None and moment.turn.before.standing_offer is not None:
        yield "They had just named their first number."
    elif step is not None and step > moment.tick / 2:
        yield f"Their last offer was worth {moment.money(step)} more to you than the one before."
    elif step is not None:
        yield "Their last two offers were worth the same to you."
    if at.standing is not None and at.standing - at.floor > moment.tick / 2:
        yield f"Their offer lay {moment.money(at.standing - at.floor)} inside your walk-away."
    left = moment.turns_left
    yield "It was the last turn." if left == 0 else f"{left} turn{'s were' if left > 1 else ' was'} left."
