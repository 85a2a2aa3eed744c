"""How the model server fares, in its own figures. Looked at when somebody asks, at most every few seconds."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from django.conf import settings

from negotiation.serving import server
from negotiation.serving.server import ServedModel, ServerTrouble

FRESH_SECONDS = 3.0
RATE_SECONDS = 30.0
_SAMPLE = re.compile(r"^(?P<name>[A-Za-z_:][\w:]*)(?:\{(?P<labels>[^}]*)\})?\s+(?P<value>\S+)")
_LE = re.compile(r'le="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Figures:
    """What vLLM counts. ``first_token`` is the median in seconds since it started, ``tokens_per_second`` of late."""

    running: int
    waiting: int
    cache_used: float
    tokens: int
    tokens_per_second: float | None
    first_token: float | None


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the server. ``trouble`` is empty while it answers; ``figures`` only where it is a vLLM."""

    trouble: str
    models: tuple[ServedModel, ...]
    figures: Figures | None

    @property
    def answers(self) -> bool:
        """Whether a turn may be asked of it."""
        return not self.trouble

    @property
    def names(self) -> frozenset[str]:
        """What may be named as a model."""
        return frozenset(model.name for model in self.models)


NOTHING: frozenset[Hashable] = frozenset()


@dataclass(frozen=True, slots=True)
class _Kept:
    """The latest look: when, at which server, and what was awaited there."""

    at: float
    url: str
    awaited: frozenset[Hashable]
    seen: Look


_lock = threading.Lock()
_latest: _Kept | None = None
_counted: deque[tuple[float, int]] = deque(maxlen=64)


def look(*, max_age: float = FRESH_SECONDS, awaited: frozenset[Hashable] = NOTHING) -> Look:
    """The server now, or as it was ``max_age`` seconds ago at most. Blocks for as long as a look may take.

    Args:
        awaited: what is said to be there by now. A look that was taken before somebody said so is too old, whatever its
            age; one that was taken since has looked for it already.
    """
    global _latest
    with _lock:
        now, kept = time.monotonic(), _latest
        if (
            kept is not None
            and kept.url == settings.MODEL_URL
            and now - kept.at < max_age
            and awaited <= kept.awaited
        ):
            return kept.seen
        seen = _look()
        before = NOTHING if kept is None else kept.awaited
        _latest = _Kept(time.monotonic(), settings.MODEL_URL, before | awaited, seen)
        return seen


def _look() -> Look:
    try:
        models = server.models()
    except (ServerTrouble, ValueError) as trouble:
        return Look(str(trouble) or "the server does not answer", (), None)
    try:
        text = server.metrics()
    except ServerTrouble:
        return Look("", models, None)
    return Look("", models, figures_of(text))


def figures_of(text: str) -> Figures | None:
    """Read vLLM's metrics; None where they are somebody else's."""
    counts: dict[str, float] = {}
    buckets: dict[float, float] = {}
    for line in text.splitlines():
        found = _SAMPLE.match(line)
        if found is None or not found["name"].startswith("vllm:"):
            continue
        name, value = found["name"].removeprefix("vllm:"), float(found["value"])
        if name == "time_to_first_token_seconds_bucket":
            bound = float(_LE.findall(found["labels"] or "")[0])
            buckets[bound] = buckets.get(bound, 0) + value
        else:
            counts[name] = counts.get(name, 0) + value
    if "num_requests_running" not in counts:
        return None
    tokens = int(counts.get("generation_tokens_total", 0))
    return Figures(
        running=int(counts["num_requests_running"]),
        waiting=int(counts.get("num_requests_waiting", 0)),
        cache_used=counts.get("kv_cache_usage_perc", 0.0),
        tokens=tokens,
        tokens_per_second=_rate(tokens),
        first_token=median_of(sorted(buckets.items())),
    )


def _rate(tokens: int) -> float | None:
    """Tokens a second since the oldest of the latest looks; None with the first, or after a restart."""
    now = time.monotonic()
    while _counted and (now - _counted[0][0] > RATE_SECONDS or _counted[-1][1] > tokens):
        _counted.popleft()
    rate = (tokens - _counted[0][1]) / (now - _counted[0][0]) if _counted else None
    _counted.append((now, tokens))
    return rate


def median_of(buckets: Iterable[tuple[float, float]]) -> float | None:
    """The median of a histogram, whose buckets (upper bound, count up to it) rise; linear inside a bucket."""
    rising = list(buckets)
    half = rising[-1][1] / 2 if rising else 0
    if half == 0:
        return None
    low, below = 0.0, 0.0
    for bound, count in rising:
        if count >= half:
            return low if bound == float("inf") else low + (bound - low) * (half - below) / (count - below)
        low, below = bound, count
    return None
