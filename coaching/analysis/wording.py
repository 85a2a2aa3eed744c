"""The messages of debriefs and progress, under gettext's own names, so that its tools find them: ``makemessages``.

Analysis knows no web framework: whoever shows what it found says once how a message is translated
(``spoken_by``). Alone, as in a command or a notebook, a message stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable

_single: Callable[[str], str] = str


def spoken_by(single: Callable[[str], str]) -> None:
    """Have every message translated from now on.

    Args:
        single: a message in English, with ``{names}`` where values go, to the same in the reader's language.
    """
    global _single
    _single = single


def gettext(message: str, **values: object) -> str:
    """A message in the reader's language.

    Args:
        message: in English, with ``{names}`` where ``values`` go.
    """
    found = _single(message)
    return found.format(**values) if values else found


def gettext_noop(message: str) -> str:
    """Marks a message that is translated where it is shown: one of a table that is made before anybody reads."""
    return message
