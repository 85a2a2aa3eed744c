"""Logs: one JSON object a line on stderr, identifiers and codes only.

What was said or offered at a table never belongs in a log, nor does a link that is a secret. Our own calls
pass identifiers only; the processors here are the net under them.
"""

from __future__ import annotations

import logging.config
import re
from collections.abc import MutableMapping
from typing import Any

import structlog

from parlay_web.tracing import with_trace

WITHHELD = frozenset(
    {"data", "text", "offer", "claim", "belief", "truth", "reading", "token", "password", "seed", "frame"}
)
_S = r"(?:/|%2F)"
_SECRET_IN_PATH = re.compile(
    rf"({_S}(?:(?:[a-z]+-)?watch|join|shared|password{_S}reset{_S}key|confirm-email){_S})[^/\s\"'?%\\&]+",
    re.IGNORECASE,
)

Event = MutableMapping[str, Any]


def withhold(_: Any, __: str, event: Event) -> Event:
    """Blank the values that must never be logged."""
    for key in WITHHELD & event.keys():
        event[key] = "withheld"
    return event


def mask_secrets(_: Any, __: str, line: str) -> str:
    """Links to watch, to read, to join, to set a password are passwords: they leave the whole line, wherever they stand."""
    return _SECRET_IN_PATH.sub(r"\1***", line)


def refused_in_a_line(_: Any, __: str, event: Event) -> Event:
    """A request that Django refuses (too large, too many fields, a foreign host) is no fault of ours: one line, no trace."""
    if str(event.get("logger", "")).startswith("django.security."):
        event.pop("exc_info", None)
        event["level"] = "warning"
    return event


_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    with_trace,
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
                    refused_in_a_line,
                    structlog.processors.format_exc_info,
                    structlog.processors.JSONRenderer(),
                    mask_secrets,
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
