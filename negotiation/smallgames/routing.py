"""The sockets of this game."""

from typing import Any

sockets: tuple[Any, ...] = ()
