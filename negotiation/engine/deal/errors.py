"""Errors of the deal engine. Each carries a code for machines and words for people."""

from __future__ import annotations


class ActionRefused(ValueError):
    """The action cannot be taken and changes nothing. ``field`` names the part of it at fault."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
