"""The weights by which a likest particular is taken for the answer or not, fitted to what readers said.

    .venv/bin/python -m tests.language.fit_weighing [--apart]

Of each question that strangers put (``tests/language/asked/strangers.jsonl``) the likest particulars, as the ear finds them,
with whether each answers it: a logistic regression by Newton's method, a little ridge. Seconds. With ``--apart`` the
strangers' last fifteen deals, for which no particular had been written, are kept out of the fitting, nothing is written, and
it is told how many of their questions are answered and how many rightly, at several chances.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation.engine.deal.case.declared import Particular
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening.ear.particular import particular_ear
from negotiation.engine.deal.listening.ear.weighing import WEIGHTS, Weights
from tests.language.asked import Stranger, strangers

RIDGE, STEPS = 0.01, 50
LEARNT_TO = 20
"""The last deals of each kind of stranger for whose questions particulars had been written."""
CHANCES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
Weighed = list[tuple[Particular, list[float]]]
Numbers = NDArray[np.float64]


def heard(learnt_from: list[Stranger]) -> Iterator[tuple[Stranger, Weighed]]:
    """Each question with those of its likest particulars that readers had before them."""
    ear = particular_ear()
    if ear is None:
        message = "install requirements/ear.txt into this environment first"
        raise SystemExit(message)
    for each in learnt_from:
        side = cases()[each.scenario].seats[each.seat]
        (weighed,) = ear.weighed([each.question], side, each.open, each.just_said)
        yield each, [(one, traits) for one, traits in weighed if one.id in each.read]


def fit(questions: list[tuple[Stranger, Weighed]]) -> Weights:
    """The regression."""
    traits = np.array([each for _, weighed in questions for _, each in weighed])
    answers = np.array(
        [one.id in each.full for each, weighed in questions for one, _ in weighed], dtype=float
    )
    means, spreads = traits.mean(axis=0), traits.std(axis=0) + 1e-6
    seen: Numbers = np.column_stack([(traits - means) / spreads, np.ones(len(traits))])
    ridge = RIDGE * np.append(np.ones(seen.shape[1] - 1), 0.0)
    found: Numbers = np.zeros(seen.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-seen @ found))
        slope = seen.T @ (chance - answers) / len(answers) + ridge * found
        bend = (seen * (chance * (1 - chance))[:, np.newaxis]).T @ seen / len(answers) + np.diag(ridge)
        found -= np.linalg.solve(bend, slope)
    *weights, constant = found.tolist()
    return Weights(means.tolist(), spreads.tolist(), weights, constant)


def is_unseen(stranger: Stranger) -> bool:
    """Whether no particular was written for what this deal asked."""
    who, number = stranger.deal.split("_")
    return who != "stranger" and int(number) > LEARNT_TO


def told(weights: Weights, questions: list[tuple[Stranger, Weighed]]) -> Iterator[str]:
    """Of so many questions, at each chance: answered, fully, in part."""
    best = [
        (each, *max(((weights.chance(traits), one.id) for one, traits in weighed), default=(0.0, "")))
        for each, weighed in questions
    ]
    answerable = sum(bool(each.full) for each, *_ in best)
    yield f"{len(best)} questions, {answerable} with an answer among those read"
    for least in CHANCES:
        taken = [(each, id_) for each, chance, id_ in best if chance >= least]
        full, near = (sum(id_ in getattr(each, kind) for each, id_ in taken) for kind in ("full", "near"))
        yield f"  from {least}: {len(taken)} answered, {full} fully, {near} in part"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--apart", action="store_true")
    apart = parser.parse_args().apart
    every = list(heard(list(strangers())))
    if apart:
        weights = fit([each for each in every if not is_unseen(each[0])])
        sys.stdout.write("\n".join(told(weights, [each for each in every if is_unseen(each[0])])) + "\n")
        return
    found: dict[str, Any] = {
        name: [round(each, 5) for each in value] if isinstance(value, list) else round(value, 5)
        for name in ("means", "deviations", "weights", "constant")
        for value in (getattr(fit(every), name),)
    }
    WEIGHTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
