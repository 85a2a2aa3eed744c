"""What a table refuses, and what must never happen to one."""

from __future__ import annotations


class MoveRefused(ValueError):
    """The move can't be made now. ``message`` is for the person, next to ``field`` where one is named."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class LogDiverged(RuntimeError):
    """Replaying a log did not give what the log says: it was written by another version of the engine."""
