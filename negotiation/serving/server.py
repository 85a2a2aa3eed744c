"""The model server's own endpoints: what it holds, loading and unloading, its metrics. Standard library only.

Blocking: call from a thread. Turns go another way (``negotiation/opponents/client.py``).
"""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from django.conf import settings

LOOK_SECONDS = 1.5
LOAD_SECONDS = 30.0


class ServerTrouble(Exception):
    """The server did not do what was asked; the message says why, in one line."""


class ServerAway(ServerTrouble):
    """Nobody answered at all: another time it may go well."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model or adapter that the server holds. ``root`` is where its weights come from; an adapter has a parent."""

    name: str
    root: str
    parent: str | None


def models() -> tuple[ServedModel, ...]:
    """What the server holds now, adapters included."""
    listed = json.loads(_ask("models", seconds=LOOK_SECONDS))
    return tuple(
        ServedModel(entry["id"], entry.get("root") or entry["id"], entry.get("parent"))
        for entry in listed.get("data", [])
    )


def base_of(served: tuple[ServedModel, ...]) -> ServedModel:
    """The model that adapters go onto: the one that MODEL_NAME names, else the first without a parent."""
    bases = [model for model in served if model.parent is None]
    named = [model for model in bases if model.name == settings.MODEL_NAME]
    if not bases:
        raise ServerTrouble("the server holds no model")
    return (named or bases)[0]


def load(name: str, path: str, *, in_place: bool) -> None:
    """Put an adapter onto the server; ``in_place`` where one of that name is there already."""
    request: dict[str, Any] = {"lora_name": name, "lora_path": path}
    if in_place:
        request["load_inplace"] = True
    _ask("load_lora_adapter", request, seconds=LOAD_SECONDS)


def unload(name: str) -> None:
    """Take an adapter off the server."""
    _ask("unload_lora_adapter", {"lora_name": name}, seconds=LOAD_SECONDS)


def warm_up(name: str) -> int:
    """Have the model say one token; returns the milliseconds that it took. The first use of an adapter is slow."""
    began = time.monotonic()
    said = {"model": name, "messages": [{"role": "user", "content": "Good morning."}], "max_tokens": 1}
    _ask("chat/completions", said, seconds=LOAD_SECONDS)
    return round((time.monotonic() - began) * 1000)


def metrics() -> str:
    """The server's own metrics, in the text form of Prometheus."""
    return _ask("metrics", seconds=LOOK_SECONDS, root=True).decode()


def _ask(path: str, data: dict[str, Any] | None = None, *, seconds: float, root: bool = False) -> bytes:
    address = settings.MODEL_URL.removesuffix("/v1") if root else settings.MODEL_URL
    headers = {"Content-Type": "application/json"}
    if settings.MODEL_API_KEY:
        headers["Authorization"] = f"Bearer {settings.MODEL_API_KEY}"
    body = None if data is None else json.dumps(data).encode()
    # MODEL_URL was checked to be http or https when the environment was read.
    request = urllib.request.Request(f"{address}/{path}", data=body, headers=headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:  # noqa: S310
            found: bytes = answer.read()
    except urllib.error.HTTPError as error:
        raise ServerTrouble(_reason(error)) from None
    except (OSError, http.client.HTTPException) as error:
        raise ServerAway(_away(error, seconds)) from None
    return found


def _reason(error: urllib.error.HTTPError) -> str:
    """What the server said, without its wrapping."""
    try:
        told = json.loads(error.read())
        message = (told.get("error") or told)["message"]
    except (ValueError, KeyError, TypeError, AttributeError):
        if error.code == 404:
            return "the server does not load adapters while it runs"
        return f"the server answered with status {error.code}"
    # An error of the engine comes wrapped by the front, or by the call that met it: what is inside says it.
    inner = re.search(
        r"failed with error '(.+?)', please|^Call to \w+ method failed: (.+)", str(message), re.S
    )
    said = next(filter(None, inner.groups())) if inner else str(message)
    return " ".join(said.split()).rstrip(".")[:240]


def _away(error: Exception, seconds: float) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return f"the server did not answer within {seconds:g} s"
    return "the server does not answer"
