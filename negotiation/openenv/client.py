"""Playing from afar: many tables behind an OpenEnv server, in step.

Needs ``websockets`` and ``pydantic``, not the ``openenv`` library. The official client works too, one session each; this
one drives all sessions of a batch on one event loop in a thread of its own, for a learner whose code is not async.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from negotiation.engine.deal import Action, ActionRefused
from negotiation.engine.deal.wire import to_json
from negotiation.openenv.limits import FULL, IDLE, UNAUTHORIZED
from negotiation.openenv.tables import Setup, SetupRefused, Turn

CONNECTS_AT_ONCE = 16
T = TypeVar("T")
_TURN: TypeAdapter[Turn] = TypeAdapter(Turn)


class ServerLost(ConnectionError):
    """The server cannot be reached, has sent us away, or has hung up; a table behind it is gone."""


class _ServerRefused(Exception):
    """An error frame."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data.get("message"))
        self.code = str(data.get("code"))
        self.message = str(data.get("message"))
        self.field: str | None = data.get("field")


class RemoteTables:
    """Deals behind a server; see :class:`~negotiation.openenv.tables.Tables`.

    Sessions are opened when they are needed and kept for the next deals.

    Args:
        url: of the server, ``http://`` or ``ws://``, with the prefix it is served behind, if any.
        token: the bearer token, where the server asks for one.
        timeout: seconds to wait for one answer.

    Raises:
        ServerLost: by any method, when the server does not answer.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0) -> None:
        self._url = re.sub(r"^http", "ws", url.rstrip("/")) + "/ws"
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._timeout = timeout
        self._lines: list[ClientConnection] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="openenv-client", daemon=True)
        self._thread.start()

    def reset(self, setups: Sequence[Setup]) -> list[Turn]:
        for setup in setups:
            setup.check()  # before the first deal is dealt anew, so that a fault leaves all as it was
        return self._run(self._reset(setups))

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        return self._run(self._step(actions))

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self._run(self._hang_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    # -- on the event loop -------------------------------------------------------------------------

    async def _reset(self, setups: Sequence[Setup]) -> list[Turn]:
        await self._connect(len(setups))
        frames = [{"type": "reset", "data": asdict(setup)} for setup in setups]
        try:
            return await _all(
                [self._ask(line, frame) for line, frame in zip(self._lines, frames, strict=False)]
            )
        except _ServerRefused as refusal:
            raise SetupRefused(refusal.code, refusal.message, refusal.field) from None

    async def _step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        answers = await _all([self._play(table, action) for table, action in actions.items()])
        return dict(zip(actions, answers, strict=True))

    async def _play(self, table: int, action: Action) -> Turn | ActionRefused:
        try:
            return await self._ask(self._lines[table], {"type": "step", "data": to_json(action)})
        except _ServerRefused as refusal:
            return ActionRefused(refusal.code, refusal.message, refusal.field)

    async def _ask(self, line: ClientConnection, frame: dict[str, Any]) -> Turn:
        try:
            async with asyncio.timeout(self._timeout):
                with contextlib.suppress(ConnectionClosed):  # why it was closed may still be read
                    await line.send(json.dumps(frame))
                answer = json.loads(await line.recv())
        except (ConnectionClosed, TimeoutError) as error:
            await line.close()  # or the late answer would be taken for the next
            raise ServerLost(f"{self._url}: {error or 'no answer in time'}") from error
        if answer["type"] == "error":
            refusal = _ServerRefused(answer["data"])
            if refusal.code in (UNAUTHORIZED, FULL, IDLE):
                raise ServerLost(f"{self._url}: {refusal.message}")
            raise refusal
        return _turn(answer["data"])

    async def _connect(self, count: int) -> None:
        self._lines = [line for line in self._lines if line.state.name == "OPEN"]
        free = asyncio.Semaphore(CONNECTS_AT_ONCE)

        async def one() -> ClientConnection:
            async with free:
                return await connect(
                    self._url, additional_headers=self._headers, proxy=None, compression=None
                )

        missing = max(0, count - len(self._lines))
        try:
            self._lines += await _all([one() for _ in range(missing)])
        except (OSError, InvalidHandshake, TimeoutError) as error:
            raise ServerLost(f"{self._url}: {error}") from error

    async def _hang_up(self) -> None:
        await asyncio.gather(*(line.close() for line in self._lines))
        self._lines = []


async def _all(asked: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Wait for every answer, then raise the first fault: an answer left unread would be taken for the next."""
    tasks = [asyncio.ensure_future(each) for each in asked]
    if tasks:
        await asyncio.wait(tasks)
    for fault in [task.exception() for task in tasks]:
        if fault is not None:
            raise fault
    return [task.result() for task in tasks]


def _turn(data: dict[str, Any]) -> Turn:
    seen = data["observation"]
    return _TURN.validate_python(
        {
            "observation": {**seen, "done": data["done"]},
            "reply": seen["reply"],
            "reward": data["reward"],
            "reward_terms": seen["reward_terms"],
            "ending": seen["ending"],
        }
    )
