"""A hint that a player alone asks for: the first that a coach would be shown, as a note in the log.

What a coach could whisper rests on public facts alone, so it may be told; the deal then counts for learning only.
"""

from __future__ import annotations

import uuid

from coaching.live.hints import hints_after
from negotiation import catalogue
from negotiation.models import Game
from negotiation.selectors import log_after
from negotiation.services import game_whisper
from negotiation.table.errors import MoveRefused

AUTHOR = "A hint"
NOTHING = "Nothing stands out now. Go on as you do; it costs nothing to have asked."


def hint_ask(game: Game) -> bool:
    """Write the first hint of this turn into the log, once a turn, and mark the deal as assisted.

    Returns:
        False where there is nothing to say: then nothing is written, and the deal stays as it was.

    Raises:
        MoveRefused: when the deal is over.
    """
    if not game.is_live:
        raise MoveRefused("game_over", "This deal is over.")
    found = hints_after(log_after(game.pk, 0), catalogue.for_game(game))
    if not found or not found["hints"]:
        return False
    action = uuid.uuid5(game.pk, f"hint {found['turn']}")
    game_whisper(game_id=game.pk, action_id=action, author=AUTHOR, text=found["hints"][0]["say"])
    return True
