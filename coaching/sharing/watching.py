"""A deal that is watched through a link without the name: live, or as a replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from accounts.models import User
from coaching.models import SpectatorLink
from coaching.selectors import may_share
from coaching.sharing.names import cleared_of, names_of
from negotiation.models import Game

_NAMES: Final = frozenset({"player_name", "player"})
"""Fields that hold the player's name and nothing else; the page then says "the rep"."""
_WORDS: Final = frozenset({"text", "by", "maker", "author"})
"""Fields that hold what people said, or who somebody is."""


def names_in(game: Game) -> list[str]:
    """Whatever a deal's player is called, or was when it began."""
    known_as = game.events.filter(type="game_started").values_list("data__player_name", flat=True).first()
    return names_of(game.player, known_as or "")


def left_out(link: SpectatorLink, viewer: User | None) -> list[str]:
    """The names that a link leaves out for this viewer: none where it names the player, or where the viewer may read the
    deal anyway."""
    if link.named or (viewer is not None and may_share(viewer, link.game)):
        return []
    return names_in(link.game)


def nameless(shown: Any, names: Sequence[str]) -> Any:
    """A frame or a snapshot with the names left out; as it is where there are none to leave out."""
    if not names:
        return shown
    if isinstance(shown, Mapping):
        return {key: _field(key, value, names) for key, value in shown.items()}
    return [nameless(each, names) for each in shown] if isinstance(shown, list | tuple) else shown


def _field(key: str, value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, str):
        return "" if key in _NAMES else cleared_of(names, value) if key in _WORDS else value
    return nameless(value, names)
