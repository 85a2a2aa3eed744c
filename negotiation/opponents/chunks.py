"""One line of a streamed chat completion: what is in it that a table needs.

An object of a few dozen fields for each token, as client libraries of the protocol make it, takes ten times as long as
reading the line does; thirty tables that are talked to at once feel it. So the stream is read line by line (server-sent
events with one ``data:`` line each, as every server that speaks the OpenAI protocol sends them).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

_DATA: Final = "data:"
_END: Final = "[DONE]"


class BadChunk(ValueError):
    """The server reports an error in mid-stream, or sends what is no chunk."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one event adds: a piece of text, why the text ended, how many tokens it took in all."""

    piece: str = ""
    ending: str | None = None
    tokens: int | None = None


NOTHING: Final = Chunk()


def chunk_of(line: str) -> Chunk:
    """Read one line of the stream; comments, empty lines and the closing mark add nothing.

    Raises:
        BadChunk: for an error in place of a chunk, and for what can't be read.
    """
    if not line.startswith(_DATA):
        return NOTHING
    data = line[len(_DATA) :].strip()
    if not data or data.startswith(_END):
        return NOTHING
    try:
        told = json.loads(data)
        if told.get("error"):
            raise BadChunk("an error in place of a chunk")
        usage, choices = told.get("usage"), told.get("choices")
        tokens = None if usage is None else int(usage["completion_tokens"])
        if not choices:
            return Chunk(tokens=tokens)
        said = choices[0].get("delta") or {}
        return Chunk(said.get("content") or "", choices[0].get("finish_reason"), tokens)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as problem:
        raise BadChunk(str(problem)) from None
