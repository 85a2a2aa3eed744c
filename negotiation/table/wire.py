"""The frames on the wire of every table: what a client may send, and every shape that a server sends.

Shared by the sockets and the tests. A client's frame is parsed here once, strictly; what comes out is
typed, and what does not parse says which field is at fault. What a frame's data means is its kind's to say.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any, TypedDict

MAX_FRAME_BYTES = 64 * 1024

# Close codes of our own, readable by the browser.
NOT_SIGNED_IN = 4401
NOT_YOURS = 4403
NO_SUCH_GAME = 4404
LINK_GONE = 4410
TOO_MANY_FRAMES = 4429


class ControlFrame(TypedDict, total=False):
    """A server's frame that is not in the log: ``hello``, ``ack``, ``error``, ``clarify``, ``reading``,
    ``hints``, ``draft``, ``pong`` or ``closing``. Log frames are ``negotiation.events.Frame``."""

    type: str
    id: str | None
    seq: int
    data: dict[str, Any]


class DraftFrame(TypedDict):
    """The data of ``draft``: all that was said so far in reply to the move at ``after``; empty when taken back."""

    after: int
    text: str


class FrameRefused(ValueError):
    """A client's frame that can't be used. The socket stays open."""

    def __init__(
        self, code: str, message: str, *, field: str | None = None, frame_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.frame_id = frame_id


@dataclass(frozen=True, slots=True)
class ClientFrame:
    """A parsed frame: its own id, its type, its raw data."""

    id: uuid.UUID
    type: str
    data: dict[str, Any] = field(default_factory=dict)


def parse_client(text: str | None) -> ClientFrame:
    """The frame that a client sent, or ``FrameRefused``."""
    if text is None:
        raise FrameRefused("binary_frame", "This table reads text frames only.")
    if len(text) > MAX_FRAME_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES:
        raise FrameRefused("frame_too_large", "That message is larger than 64 KiB.")
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raise FrameRefused("not_json", "That message is not JSON.") from None
    if not isinstance(raw, dict):
        raise FrameRefused("bad_frame", "A message is an object with id, type and data.")
    try:
        frame_id = uuid.UUID(str(raw.get("id")))
    except ValueError:
        raise FrameRefused("bad_id", "A message needs a UUID as its id.", field="id") from None
    kind, data = raw.get("type"), raw.get("data", {})
    if not isinstance(kind, str):
        raise FrameRefused(
            "unknown_type", "This table does not know that type.", field="type", frame_id=str(frame_id)
        )
    if not isinstance(data, dict):
        raise FrameRefused("bad_data", "data must be an object.", field="data", frame_id=str(frame_id))
    return ClientFrame(id=frame_id, type=kind, data=data)


def text_of(data: dict[str, Any]) -> str:
    """The words, as typed. Lone surrogates can't be stored anywhere, so they are refused."""
    text = data.get("text")
    if text is None:
        return ""
    if not isinstance(text, str):
        raise FrameRefused("bad_field", "text must be a string.", field="text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FrameRefused("text_binary", "That text holds broken characters.", field="text") from None
    return text


def number_of(data: dict[str, Any], name: str) -> float | None:
    """A number, NaN and infinity included: the engine refuses those with words of its own."""
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FrameRefused("bad_field", f"{name.replace('_', ' ')} must be a number.", field=name)
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def int_of(data: dict[str, Any], name: str) -> int:
    """A whole number from 0, 0 when absent."""
    value = data.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FrameRefused("bad_field", f"{name} must be a whole number from 0.", field=name)
    return value


def flag_of(data: dict[str, Any], name: str) -> bool | None:
    """True, false, or None when absent."""
    value = data.get(name)
    if value is not None and not isinstance(value, bool):
        raise FrameRefused("bad_field", f"{name} must be true or false.", field=name)
    return value


def draft(data: DraftFrame) -> ControlFrame:
    """A reply that is still being said; the logged line replaces it."""
    return {"type": "draft", "data": {**data}}


def ack(frame_id: uuid.UUID, seq: int) -> ControlFrame:
    """The action is in the log at ``seq``: it can't be lost any more."""
    return {"type": "ack", "id": str(frame_id), "seq": seq}


def error(frame_id: str | None, code: str, message: str, field: str | None = None) -> ControlFrame:
    """Nothing happened; ``message`` is for the person, next to ``field`` when one is named."""
    return {
        "type": "error",
        "id": frame_id,
        "data": {"code": code, "message": message, "field": field},
    }


def closing(code: str, message: str) -> ControlFrame:
    """The last frame before the server closes the socket: why, in words."""
    return {"type": "closing", "data": {"code": code, "message": message}}
