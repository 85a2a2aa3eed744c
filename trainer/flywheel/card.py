"""The card of a dataset: what is in it, in figures, as it was when it was frozen."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from coaching.analysis.plots import Figure, figure
from negotiation.engine.shares import percent
from trainer.flywheel.filters import Selection

PARTS = ("scenario", "persona", "seat", "source", "opponent")
"""What an episode is counted by."""
BIN = 0.05
SHOWN_PAIRS = 50


def card_of(choice: Selection) -> dict[str, Any]:
    """Counts, the distribution of shares, and near-duplicates."""
    episodes = [each.episode for each in choice.chosen]
    shares = [episode.efficiency for episode in episodes if episode.efficiency is not None]
    left_out = len(choice.found) - len(episodes)
    return {
        "episodes": len(episodes),
        "decisions": sum(episode.records for episode in episodes),
        "people": len({episode.person for episode in episodes if episode.person}),
        "splits": _counted((each.split, each.episode) for each in choice.chosen),
        "by": {part: _counted((getattr(e, part) or "–", e) for e in episodes) for part in PARTS},
        "beat_model": sum(episode.beat_model for episode in episodes),
        "share": _distribution(shares, len(episodes) - len(shares)),
        "alike": {
            "pairs": len(choice.pairs),
            "left_out": left_out,
            "shown": [
                [str(choice.found[one].pk), str(choice.found[other].pk), round(likeness, 2)]
                for one, other, likeness in sorted(choice.pairs, key=lambda pair: -pair[2])[:SHOWN_PAIRS]
            ],
        },
        "licences": sorted({f"{e.brought.licence} ({e.brought.name})" for e in episodes if e.brought}),
    }


def _counted(pairs: Any) -> dict[str, dict[str, int]]:
    deals: Counter[str] = Counter()
    decisions: Counter[str] = Counter()
    for name, episode in pairs:
        deals[name] += 1
        decisions[name] += episode.records
    return {name: {"episodes": count, "decisions": decisions[name]} for name, count in deals.most_common()}


def _distribution(shares: list[float], unknown: int) -> dict[str, Any]:
    edges = [round(BIN * place, 2) for place in range(round(1 / BIN) + 1)]
    if not shares:
        return {"known": 0, "unknown": unknown, "edges": edges, "counts": [0] * (len(edges) - 1)}
    counts, _ = np.histogram(np.clip(shares, 0, 1), bins=edges)
    return {
        "known": len(shares),
        "unknown": unknown,
        "mean": float(np.mean(shares)),
        "quartiles": [float(each) for each in np.quantile(shares, [0.25, 0.5, 0.75])],
        "edges": edges,
        "counts": [int(count) for count in counts],
    }


def share_figure(card: dict[str, Any]) -> Figure | None:
    """The distribution of shares as a drawing with its table."""
    share = card["share"]
    if not share["known"]:
        return None
    edges, counts = share["edges"], share["counts"]
    low, middle, high = share["quartiles"]
    first = next(place for place, count in enumerate(counts) if count)
    bars = {
        "type": "bar",
        "name": "Deals",
        "x": [low_edge + BIN / 2 for low_edge in edges[:-1]],
        "y": counts,
        "width": [BIN * 0.92] * len(counts),
        "hovertemplate": "%{y} deals<extra></extra>",
        "meta": {"role": "own"},
    }
    return figure(
        "shares",
        "How good the deals are",
        f"Share of the zone that the player got. Half of the deals lie between {percent(low)} and {percent(high)}, "
        f"the middle one at {percent(middle)}."
        + (f" Of {share['unknown']} it is not known." if share["unknown"] else ""),
        [bars],
        {
            "xaxis": {
                "title": {"text": "Share of the zone"},
                "tickformat": ".0%",
                "range": [max(0.0, edges[first] - BIN), 1.0],
            },
            "yaxis": {"title": {"text": "Deals"}, "rangemode": "tozero", "dtick": -(-max(counts) // 5)},
            "bargap": 0.05,
            "showlegend": False,
        },
        ["From", "To", "Deals"],
        [
            [percent(edges[place]), percent(edges[place + 1]), count]
            for place, count in enumerate(counts)
            if count
        ],
    )
