"""The messages of debriefs and progress, under gettext's own names, so that its tools find them: ``makemessages``.

Analysis knows no web framework: whoever shows what it found says once how a message is translated
(``spoken_by``). Alone, as in a command or a notebook, a message stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

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


class KeptMessage(TypedDict):
    """A message with what goes into it, as it is kept: translated for whoever reads it, when they do.

    Attributes:
        message: in English, with ``{names}`` where values go.
        values: texts, or messages of their own.
    """

    message: str
    values: Mapping[str, str | KeptMessage]


def told(message: str, **values: str | int | KeptMessage) -> KeptMessage:
    """A message to keep. Mark it with ``gettext_noop``, so that it is found."""
    return {
        "message": message,
        "values": {name: str(each) if isinstance(each, int) else each for name, each in values.items()},
    }


def spoken(kept: str | KeptMessage) -> str:
    """A kept message in the reader's language; one that nothing goes into may be kept as it is."""
    if isinstance(kept, str):
        return gettext(kept)
    values = {name: each if isinstance(each, str) else spoken(each) for name, each in kept["values"].items()}
    return gettext(kept["message"], **values)
