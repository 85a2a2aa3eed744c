"""One socket, one table: the protocol of the official client, frame by frame.

The ``openenv`` library serves this protocol itself, and we use its messages, but not its endpoint: it names every
refusal ``EXECUTION_ERROR``, ends the session on a frame that is not an object, knows no limit but one number of
sessions, and its idle timeout closes the environment while the socket goes on stepping it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import orjson
from openenv.core.env_server import (
    WSErrorCode,
    WSErrorResponse,
    WSStateResponse,
)
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from negotiation.engine.deal import ActionRefused
from negotiation.openenv.door import Door, Unwelcome
from negotiation.openenv.environment import DealEnvironment
from negotiation.openenv.limits import FULL, IDLE, UNAUTHORIZED, TooMany, Visit
from negotiation.openenv.models import DealAction, Written, observation_frame
from negotiation.openenv.patience import Patience
from negotiation.openenv.tables import SetupRefused

GOING_AWAY, POLICY = 1001, 1008
"""Close codes of RFC 6455."""


class Conversation:
    """Frames in, frames out; knows nothing of sockets."""

    def __init__(self) -> None:
        self._environment = DealEnvironment()
        self._written = Written()

    def answer(self, frame: str) -> str | None:
        """The answer to one frame; ``None`` when the guest says goodbye. Never raises for what a guest can send."""
        try:
            message = _read(frame)
        except (ValueError, RecursionError) as error:
            return error_frame(WSErrorCode.INVALID_JSON, f"This is not JSON: {error}.")
        if not isinstance(message, dict):
            return error_frame(WSErrorCode.VALIDATION_ERROR, "A frame is an object with a type and data.")
        kind, data = message.get("type"), message.get("data")
        if kind == "close":
            return None
        if kind == "state":
            return WSStateResponse(data=self._environment.state.model_dump()).model_dump_json()
        if kind not in ("reset", "step"):
            return error_frame(WSErrorCode.UNKNOWN_TYPE, "A frame's type is reset, step, state or close.")
        if not isinstance(data, dict) and not (kind == "reset" and data is None):
            return error_frame(WSErrorCode.VALIDATION_ERROR, f"{kind} takes an object as its data.")
        try:
            return self._play(kind, data or {})
        except (SetupRefused, ActionRefused) as refusal:
            return error_frame(refusal.code, refusal.message, refusal.field)
        except ValidationError as error:
            return _invalid(error)

    def _play(self, kind: str, data: dict[str, Any]) -> str:
        if kind == "reset":
            dealt = self._environment.deal(**data)
            self._written = Written()
            return observation_frame(*dealt, self._written)
        played = self._environment.play(DealAction.model_validate(data))
        return observation_frame(*played, self._written)


async def serve(socket: WebSocket, door: Door) -> None:
    """Let a guest in, if it may, and play with it until it leaves, or falls silent."""
    await socket.accept()
    farewell: tuple[str, str, int] | None = None
    try:
        with door.house.session(door.names(socket.scope)) as visit:
            await _converse(socket, visit, door)
    except Unwelcome as error:
        farewell = (UNAUTHORIZED, str(error), POLICY)
    except TooMany as error:
        farewell = (FULL, str(error), POLICY)
    except TimeoutError:
        farewell = (IDLE, f"Nothing was heard for {door.limits.idle:g} seconds.", GOING_AWAY)
    except WebSocketDisconnect:
        return
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # gone meanwhile
        if farewell is not None:
            await socket.send_text(error_frame(*farewell[:2]))
        await socket.close(farewell[2] if farewell else 1000)


async def _converse(socket: WebSocket, visit: Visit, door: Door) -> None:
    conversation = Conversation()
    async with Patience(door.limits.idle) as patience:
        while True:
            patience.renew()
            frame = await _heard(socket)
            await visit.wait_turn()
            answer = conversation.answer(frame)
            if answer is None:
                return
            if door.house.sessions > 1:
                await asyncio.sleep(0)  # who else has asked by now is played first, then all are answered
            patience.renew()  # for a guest that asks and never listens
            await socket.send_text(answer)


def _read(frame: str) -> Any:
    """What a frame says. Python's own reader takes more than the quick one, and says what is wrong with the rest."""
    try:
        return orjson.loads(frame)
    except ValueError:
        return json.loads(frame)


async def _heard(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if isinstance(text, str) else message["bytes"].decode(errors="replace")


def error_frame(code: str, message: str, field: str | None = None, **more: Any) -> str:
    """An error as the official client reads it: it shows ``message`` and ``code``."""
    data = {"message": message, "code": getattr(code, "value", code), "field": field, **more}
    # Python's own JSON escapes what UTF-8 cannot carry; a refusal may quote what it refuses.
    return json.dumps(WSErrorResponse(data=data).model_dump())


def _invalid(error: ValidationError) -> str:
    """The faults without what was sent: echoing it costs bandwidth, and may not even be JSON."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    first = faults[0]
    where = ".".join(str(part) for part in first["loc"])
    return error_frame(
        WSErrorCode.VALIDATION_ERROR,
        f"{where}: {first['msg']}",
        str(first["loc"][0]) if first["loc"] else None,
        errors=faults,
    )
