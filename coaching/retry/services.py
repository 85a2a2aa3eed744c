"""Starting a retry."""

from __future__ import annotations

from negotiation.models import Game, Redaction
from negotiation.services import game_branch
from negotiation.table.errors import MoveRefused


def retry_start(*, parent: Game, turn: int) -> Game:
    """A new table as the deal stood before ``turn``.

    Raises:
        MoveRefused: as ``game_branch``, and for a deal whose words were taken out: what was said is part of
            what the other side answers to (ADR 0007).
    """
    if Redaction.objects.filter(table=parent).exists():
        raise MoveRefused("words_gone", "The words of this deal were deleted, so it can't be taken up again.")
    return game_branch(parent=parent, turn=turn)
