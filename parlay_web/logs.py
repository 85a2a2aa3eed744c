"""Logs: one JSON object a line on stderr, identifiers and codes only.

What was said or offered at a table never belongs in a log, nor does a spectator's token. Our own calls
pass identifiers only; the processors here are the net under them.
"""

from __future__ import annotations

import logging.config
import re
from collections.abc import MutableMapping
from typing import Any

import structlog

WITHHELD = frozenset(
    {"data", "text", "offer", "claim", "belief", "truth", "reading", "token", "password", "seed", "frame"}
)
_TOKEN_IN_PATH = re.compile(r"(/watch/)[^/\s\"'?]+")

Event = MutableMapping[str, Any]


def withhold(_: Any, __: str, event: Event) -> Event:
    """Blank the values that must never be logged."""
    for key in WITHHELD & event.keys():
        event[key] = "withheld"
    return event


def mask_tokens(_: Any, __: str, event: Event) -> Event:
    """A spectator's link is a password: its token leaves every path and every message."""
    for key, value in event.items():
        if isinstance(value, str) and "/watch/" in value:
            event[key] = _TOKEN_IN_PATH.sub(r"\1***", value)
    return event


_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    withhold,
]


def logging_config(*, level: str) -> dict[str, Any]:
    """The ``dictConfig`` of every process: web, worker, commands."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    mask_tokens,
                    structlog.processors.JSONRenderer(),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "daphne": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            # One line for every request to a model server is one too many.
            "httpx2": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
            "django.server": {"handlers": ["stderr"], "propagate": False},
        },
    }


def configure(config: dict[str, Any]) -> None:
    """Django's ``LOGGING_CONFIG`` hook: the standard library first, structlog in front of it."""
    logging.config.dictConfig(config)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
