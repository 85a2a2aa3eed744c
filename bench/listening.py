"""How well is heard what people do with words: acts, topics, ids, insults?

    python -m bench.listening [--every 1] [--output bench/results/listening.json]

Over the batches of ``tests/language/talk``: the set with which the reader was tuned, and batches that were written before
and from which nothing was learnt; how each of those scored when it was first read stands in its file. A message is scored
by the set of its acts, of its topics and of its ids; ``named`` tells messages that name their subject in plain words from
those that name it only by things of their case.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.listening import Listening
from tests.language.talk_gold import Said, talk_batches

Pair = tuple[Said, Listening]
_PARTS: dict[str, Callable[[Talk], str | None]] = {
    "acts": lambda talk: talk.act,
    "topics": lambda talk: talk.topic,
    "ids": lambda talk: talk.id,
}


def share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def labels_of(talk: Iterable[Talk], part: str) -> set[str]:
    return {label for each in talk if (label := _PARTS[part](each)) is not None}


def counted(heard: list[Pair], part: str) -> Counter[tuple[str, str]]:
    """How often each label was hit, missed or heard falsely."""
    counts: Counter[tuple[str, str]] = Counter()
    for said, listening in heard:
        wanted, found = labels_of(said.talk, part), labels_of(listening.talk, part)
        for label in wanted | found:
            side = "hit" if label in wanted & found else "missed" if label in wanted else "false"
            counts[label, side] += 1
    return counts


def row(hit: int, missed: int, false: int) -> dict[str, float | int | None]:
    precision, recall = share(hit, hit + false), share(hit, hit + missed)
    return {
        "labelled": hit + missed,
        "precision": precision,
        "recall": recall,
        "f1": share(2 * hit, 2 * hit + missed + false),
    }


def total(heard: list[Pair], part: str) -> dict[str, float | int | None]:
    counts = counted(heard, part)
    sums = {
        side: sum(n for (_, found), n in counts.items() if found == side)
        for side in ("hit", "missed", "false")
    }
    return row(sums["hit"], sums["missed"], sums["false"])


def by_label(heard: list[Pair], part: str) -> dict[str, dict[str, float | int | None]]:
    counts = counted(heard, part)
    labels = sorted({label for label, _ in counts})
    return {each: row(counts[each, "hit"], counts[each, "missed"], counts[each, "false"]) for each in labels}


def flag(heard: list[Pair], name: str) -> dict[str, float | int | None]:
    """Recall of a yes-or-no label, and how often it is heard where it was not meant."""
    wanted = [pair for pair in heard if getattr(pair[0], name)]
    others = [pair for pair in heard if not getattr(pair[0], name)]
    return {
        "labelled": len(wanted),
        "heard": share(sum(getattr(found, name) for _, found in wanted), len(wanted)),
        "false": share(sum(getattr(found, name) for _, found in others), len(others)),
    }


def scores(said: list[Said]) -> dict[str, Any]:
    """All figures of some messages."""
    heard = [(one, one.heard()) for one in said]
    named = {name: [pair for pair in heard if pair[0].named == name] for name in ("plain", "case", "none")}
    return {
        "messages": len(said),
        **{part: total(heard, part) for part in _PARTS},
        "named": {name: {part: total(pairs, part) for part in _PARTS} for name, pairs in named.items()},
        "exact": share(sum(set(one.talk) == set(found.talk) for one, found in heard), len(heard)),
        "asked_about": share(sum(bool(found.unsure) and not found.heard for _, found in heard), len(heard)),
        "flags": {name: flag(heard, name) for name in ("insult", "wants_out", "withdraws")},
        "per_act": by_label(heard, "acts"),
        "per_topic": by_label(heard, "topics"),
    }


def speed(said: list[Said]) -> dict[str, float]:
    """Milliseconds that listening to one message takes, for the first time and again."""
    taken: dict[str, list[float]] = {"first": [], "again": []}
    for run in taken:
        for one in said:
            started = time.perf_counter()
            one.heard()
            taken[run].append(1000 * (time.perf_counter() - started))
    return {
        f"{run}_{name}": round(float(np.quantile(times, at)), 3)
        for run, times in taken.items()
        for name, at in (("median_ms", 0.5), ("p95_ms", 0.95))
    }


def show(report: Figures) -> None:
    for name, part in report["batches"].items():
        print(name, f"{part['messages']} messages", f"exact {part['exact']}", f"asked {part['asked_about']}")
        for group in _PARTS:
            print(f"  {group:7}", part[group])
        for named, groups in part["named"].items():
            for group, figures in groups.items():
                print(f"    {named:6} {group:7}", figures)
        for label, figures in part["flags"].items():
            print(f"  {label:10}", figures)
    print("first runs", report["first_runs"])
    print("speed", report["speed"])


@experiment(
    "listening.json",
    option("--every", type=int, default=1, help="one message in so many is read"),
    told=False,
)
def main(options: Given) -> Figures:
    batches = talk_batches()
    timed = speed([one for batch in batches for one in batch.said[:: options.every]])
    report: Figures = {
        "batches": {batch.name: scores(batch.said[:: options.every]) for batch in batches},
        "first_runs": {
            batch.name: {"note": batch.note, "learnt": batch.learnt} | batch.first_run
            for batch in batches
            if batch.first_run
        },
        "speed": timed,
    }
    show(report)
    return report


if __name__ == "__main__":
    main()
