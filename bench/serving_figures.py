"""What ``bench.serving`` counts, and the figures that it makes of it."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Turn:
    """One turn of one table: what was asked for it, and what each side took, in seconds.

    ``attempts`` is how often the model was asked; ``why`` says why another one spoke in its place, if one did.
    """

    questions: list[Any]
    delay: float
    attempts: int = 0
    why: str = ""
    table: dict[str, float] = field(default_factory=dict)
    bare: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    @property
    def alike(self) -> bool:
        """Whether both sides heard as many tokens, so that their times may be compared."""
        return bool(self.questions) and self.tokens["table"] == self.tokens["bare"]


@dataclass
class Spent:
    """Wall time, and processor time of this process and of the model server, in seconds."""

    wall: float = 0.0
    own: float = 0.0
    server: float = 0.0

    @contextmanager
    def measured(self, server_seconds: Any) -> Iterator[None]:
        """Add what passes inside. ``server_seconds()`` is the server's processor time so far."""
        began, worked, served = time.perf_counter(), time.process_time(), server_seconds()
        yield
        self.wall += time.perf_counter() - began
        self.own += time.process_time() - worked
        self.server += server_seconds() - served


@dataclass
class Round:
    """The turns of each table, and what each side took for all of them."""

    tables: list[list[Turn]] = field(default_factory=list)
    table: Spent = field(default_factory=Spent)
    bare: Spent = field(default_factory=Spent)


def waits(rounds: list[Round]) -> dict[str, Any]:
    """Medians in milliseconds and the paired differences, of the turns for which both sides heard as many tokens."""

    def middle(values: list[float]) -> float:
        return round(1000 * statistics.median(values), 2)

    turns = [turn for each in rounds for table in each.tables for turn in table]
    paired = [turn for turn in turns if turn.alike]
    told: dict[str, Any] = {"turns": len(turns), "with_the_same_tokens": len(paired), **_oddities(turns)}
    for what in ("first", "total"):
        added = [turn.table[what] - turn.bare[what] for turn in paired]
        told[f"{what}_ms"] = {
            "bare_p50": middle([turn.bare[what] for turn in paired]),
            "table_p50": middle([turn.table[what] for turn in paired]),
            "added_p50": middle(added),
            "added_p50_ci95": [round(1000 * end, 2) for end in median_interval(added)],
            "added_p90": round(1000 * sorted(added)[int(0.9 * (len(added) - 1))], 2),
        }
    return told


def median_interval(values: list[float]) -> tuple[float, float]:
    """A distribution-free 95% interval of the median: order statistics of the binomial."""
    ordered, reach = sorted(values), 0.98 * math.sqrt(len(values))
    middle = len(values) / 2
    low, high = max(0, math.floor(middle - reach)), min(len(values) - 1, math.ceil(middle + reach))
    return ordered[low], ordered[high]


def rates(rounds: list[Round]) -> dict[str, Any]:
    """Tokens a second of each side, and the processor time that a turn took here and at the server."""
    turns = [turn for each in rounds for table in each.tables for turn in table]
    told: dict[str, Any] = {"turns": len(turns), **_oddities(turns)}
    per_second, cpu = {}, {}
    for side in ("table", "bare"):
        spent = [getattr(each, side) for each in rounds]
        tokens = sum(turn.tokens[side] for turn in turns)
        per_second[side] = tokens / sum(each.wall for each in spent)
        cpu[side] = {
            who: round(1000 * sum(getattr(each, who) for each in spent) / len(turns), 2)
            for who in ("own", "server")
        }
    by_round = [
        (sum(turn.tokens["table"] for table in each.tables for turn in table) / each.table.wall)
        / (sum(turn.tokens["bare"] for table in each.tables for turn in table) / each.bare.wall)
        for each in rounds
    ]
    return {
        **told,
        "tokens_per_second": {side: round(rate, 1) for side, rate in per_second.items()},
        "tokens_ratio": round(per_second["table"] / per_second["bare"], 3),
        "tokens_ratio_by_round": [round(ratio, 3) for ratio in by_round],
        "cpu_ms_per_turn": cpu,
    }


def _oddities(turns: list[Turn]) -> dict[str, Any]:
    """Turns that went another way than a model's one answer."""
    stood_in = Counter(turn.why for turn in turns if turn.why)
    return {
        "asked_again": sum(turn.attempts > 1 for turn in turns),
        "without_a_question": sum(not turn.questions for turn in turns),
        "stood_in": dict(stood_in),
    }
