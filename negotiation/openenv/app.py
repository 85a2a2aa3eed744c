"""The server: the library's HTTP side as it comes, our own socket, and the door in front of both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from openenv.core.env_server import ServerMode, create_fastapi_app
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from negotiation.engine.deal import ActionRefused
from negotiation.openenv.door import Door, HttpDoor, refusal_response
from negotiation.openenv.environment import DESCRIPTION, NAME, DealEnvironment
from negotiation.openenv.limits import House, Limits
from negotiation.openenv.models import DealAction, DealObservation, DealState
from negotiation.openenv.session import serve
from negotiation.openenv.tables import SetupRefused

OURS = ("/ws", "/mcp")
METHOD_NOT_FOUND = -32601
"""JSON-RPC 2.0."""


def make_app(
    limits: Limits | None = None, tokens: Sequence[str] = (), root_path: str = "", workers: int = 1
) -> ASGIApp:
    """The ASGI application.

    Args:
        limits: what guests may ask for.
        tokens: bearer tokens that let in; with none everybody is let in.
        root_path: where a proxy serves it, such as ``/openenv``, whether or not the proxy takes that off the path.
        workers: how many processes will be forked from this one to serve it.
    """
    limits = limits or Limits()
    door = Door(House(limits, workers), tokens)
    app: FastAPI = create_fastapi_app(
        DealEnvironment,
        DealAction,
        DealObservation,
        max_concurrent_envs=limits.sessions,
        env_name=NAME,
        state_cls=DealState,
        mode=ServerMode.SIMULATION,
    )
    app.title, app.description, app.root_path = "Parlay for agents", DESCRIPTION, root_path
    app.router.routes[:] = [route for route in app.router.routes if getattr(route, "path", None) not in OURS]
    app.router.routes += [
        WebSocketRoute("/ws", partial(serve, door=door)),
        Route("/mcp", no_tools, methods=["POST"]),
    ]
    app.add_exception_handler(SetupRefused, refused)
    app.add_exception_handler(ActionRefused, refused)
    return HttpDoor(app, door)


async def refused(_: Request, error: Any) -> JSONResponse:
    """A refusal by the game."""
    return refusal_response(422, error.code, error.message, error.field)


async def no_tools(_: Request) -> JSONResponse:
    """There are no MCP tools here. (The library's own endpoint would let anybody open sessions that never end.)"""
    error = {"code": METHOD_NOT_FOUND, "message": "No tools here: play over the WebSocket, at /ws."}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error})
