"""Fits the small classifier of figure use on the hand-written sentences that may be learnt from.

python -m tests.language.fit_classifier
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from negotiation.engine.language.classifier import KINDS, WEIGHTS, features, relation_of
from negotiation.engine.language.clauses import clauses, masked
from negotiation.engine.language.magnitude import figure_of
from negotiation.engine.language.quantities import quantities
from negotiation.engine.language.tokens import tokenise
from tests.language.gold import ALL_MONEY, Gold, learnt

RIDGE = 2e-3
STEPS = 400
RATE = 0.05
NOISE = 0.03
"""Weights smaller than this are left out of the file."""
Example = tuple[set[str], str]


def examples(sentences: list[Gold]) -> list[Example]:
    """Each figure of each sentence whose use is known: the labelled one, and all where none is labelled."""
    found: list[Example] = []
    for one in sentences:
        tokens = tokenise(one.text)
        numbers = quantities(tokens)
        offers = tuple(offer for offer in (one.standing_offer, one.own_offer) if offer)
        for clause in clauses(tokens):
            for index, number in enumerate(numbers):
                figure = figure_of(number, ALL_MONEY[one.scenario], offers)
                if figure is None or not clause.start <= number.start < clause.stop:
                    continue
                if one.figure is not None and figure.value != one.figure:
                    continue
                relation = relation_of(figure.value, one.standing_offer, one.own_offer)
                found.append((features(masked(tokens, clause, numbers, index), relation), one.kind))
    return found


def fit(found: list[Example]) -> dict[str, list[float]]:
    """Softmax regression with a ridge, by Adam over the whole set; no randomness in it."""
    names = sorted({name for seen, _ in found for name in seen})
    column = {name: place for place, name in enumerate(names)}
    places = [(row, column[name]) for row, (seen, _) in enumerate(found) for name in sorted(seen)]
    wanted = np.zeros((len(found), len(KINDS)))
    for row, (_, kind) in enumerate(found):
        wanted[row, KINDS.index(kind)] = 1.0
    weights = _descend(np.array(places), len(names), wanted)
    return {
        name: [round(float(weight), 3) for weight in row]
        for name, row in zip(names, weights, strict=True)
        if np.abs(row).max() >= NOISE
    }


def _descend(places: NDArray[np.int64], width: int, wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """``places`` are the row and the column of each feature that is seen; one in two hundred is."""
    weights = np.zeros((width, wanted.shape[1]))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    by_row, by_column = _gathered(places), _gathered(places[:, ::-1])
    for step in range(1, STEPS + 1):
        scores = by_row(weights)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        slope = by_column(shares - wanted) / len(wanted) + RIDGE * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def _gathered(places: NDArray[np.int64]) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Sums, for each number on the left of ``places``, the rows that the numbers on the right name."""
    ordered = places[np.argsort(places[:, 0], kind="stable")]
    wholes, starts = np.unique(ordered[:, 0], return_index=True)
    height = int(wholes[-1]) + 1

    def summed(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros((height, rows.shape[1]))
        sums[wholes] = np.add.reduceat(rows[ordered[:, 1]], starts, axis=0)
        return sums

    return summed


def main() -> None:
    found = examples(learnt())
    weights = fit(found)
    lines = (f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}" for name, row in weights.items())
    WEIGHTS.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
    sys.stdout.write(f"{len(found)} examples, {len(weights)} features\n")


if __name__ == "__main__":
    main()
