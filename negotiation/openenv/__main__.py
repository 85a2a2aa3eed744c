"""``python -m negotiation.openenv --host 127.0.0.1 --port 8010``: the server for agents."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import NoReturn

from negotiation.openenv.limits import Limits
from negotiation.openenv.workers import CAN_SHARE_A_PORT, default_workers, listen, run

NAME = "negotiation.openenv"
ALLOCATIONS_BETWEEN_COLLECTIONS = 10_000
"""Ours make almost no cycles, so little is lost by waiting."""
HELP = {
    "sessions": "sessions at once, of all guests",
    "per_guest": "sessions at once, of one token or one address",
    "rate": "messages a second, of one token or one address; the faster are answered later",
    "idle": "seconds of silence that end a session",
    "frame": "bytes of the longest message",
}


class Parser(argparse.ArgumentParser):
    """One line of error instead of the whole usage."""

    def error(self, message: str) -> NoReturn:
        stop(f"{message} (see --help)")


def stop(message: str) -> NoReturn:
    """One line of error, and out."""
    sys.stderr.write(f"{NAME}: {message}\n")
    sys.exit(2)


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(
        prog=f"python -m {NAME}",
        description="Parlay for agents, over OpenEnv.",
        epilog="Bearer tokens are read from PARLAY_AGENT_TOKENS, with commas between them; without any, all are let in.",
        allow_abbrev=False,
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8010, help="0 takes a free one and says which")
    parser.add_argument("--root-path", default="", help="where a proxy serves this, such as /openenv")
    parser.add_argument("--trust-proxy", metavar="ADDRESS", help="believe this proxy about who is asking")
    parser.add_argument(
        "--tokens-required", action="store_true", help="don't start without any: for a port that others reach"
    )
    parser.add_argument("--workers", type=int, default=default_workers(), help="processes (%(default)s)")
    for field in fields(Limits):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=type(field.default),
            default=field.default,
            help=f"{HELP[field.name]} (%(default)s)",
        )
    return parser.parse_args(arguments)


def check(chosen: argparse.Namespace) -> None:
    """Stop with one line that names the option at fault."""
    for field in fields(Limits):
        if not getattr(chosen, field.name) > 0:
            stop(f"--{field.name.replace('_', '-')} must be above zero")
    if chosen.workers < 1 or (chosen.workers > 1 and not CAN_SHARE_A_PORT):
        stop(f"--workers {chosen.workers}: expected 1{' or more' if CAN_SHARE_A_PORT else ' on this system'}")
    if chosen.root_path and not (chosen.root_path.startswith("/") and not chosen.root_path.endswith("/")):
        stop(f"--root-path {chosen.root_path}: expected a path such as /openenv")
    if not 0 <= chosen.port <= 65535:
        stop(f"--port {chosen.port}: expected a number from 0 to 65535")
    if chosen.tokens_required and not os.environ.get("PARLAY_AGENT_TOKENS", "").strip(", "):
        stop("--tokens-required: PARLAY_AGENT_TOKENS names none, and everybody would be let in")


def leave_alone_what_is_here() -> None:
    """Spare the garbage collector what lives as long as the server: libraries, scenarios, grammars.

    Looking through it again and again takes time, and after a fork every page that is looked at has to be copied.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS, 20, 50)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until told to stop."""
    chosen = options(arguments)
    check(chosen)
    limits = Limits(**{field.name: getattr(chosen, field.name) for field in fields(Limits)})
    try:
        listening = listen(chosen.host, chosen.port, chosen.workers)
    except OSError as error:
        stop(f"--host {chosen.host} --port {chosen.port}: {error.strerror or error}")
    try:
        import uvicorn

        from negotiation.openenv.app import make_app
        from negotiation.openenv.door import tokens_from

        tokens = tokens_from(os.environ)
    except ImportError as error:
        stop(f"{error.name} is missing; install requirements/train.txt")
    except ValueError as error:
        stop(str(error))
    config = uvicorn.Config(
        make_app(limits, tokens, chosen.root_path, chosen.workers),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=limits.frame,
        ws_per_message_deflate=False,  # packing a frame takes as long as playing the turn
        proxy_headers=chosen.trust_proxy is not None,
        forwarded_allow_ips=chosen.trust_proxy,
        timeout_graceful_shutdown=3,
    )
    leave_alone_what_is_here()
    host, port = listening[0].getsockname()[:2]
    sys.stderr.write(f"Parlay for agents is open at http://{f'[{host}]' if ':' in host else host}:{port}\n")
    sys.stderr.flush()
    sys.exit(run(lambda each: uvicorn.Server(config).run(sockets=[each]), listening))


if __name__ == "__main__":
    main()
